import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { onShard } from "./shard-reads";

const { pool } = await createTestDatabase();
const TABLES = {
  shard: 102_008,
  names: new Map([
    ["visits", 102_008],
    ["device_addresses", 102_040],
    ["workspaces", 102_100],
  ]),
};

const textOf = (text: string) => onShard(text, "read test")?.textOn(TABLES) ?? "";
/** The rewritten statement without its guard. */
const innerOf = (text: string) => /^select answer\.\* from \((.*)\) answer where 1 \//s.exec(textOf(text))?.[1];

test("table names in a read are replaced by those of the shard", () => {
  expect(innerOf("select v.event_id, visits from visits v join device_addresses a on a.address = v.address")).toBe(
    "select v.event_id, visits from visits_102008 v join device_addresses_102040 a on a.address = v.address",
  );
  expect(innerOf(`select "visits"."event_id" from "visits" where "visits"."surface" = $1`)).toBe(
    `select "visits"."event_id" from "visits_102008" as "visits" where "visits"."surface" = $1`,
  );
});

test("columns, functions, CTEs and longer names are not taken for tables", () => {
  for (const text of [
    "select extract(epoch from visits.recorded_at) as visits",
    "select 1 from visits_recorded join latest_visits l on true",
    "with seen as (select 1) select visits from seen",
    "select a is distinct from b as visits",
  ])
    expect(innerOf(text)).toBe(text);
});

test("a statement that may write or lock rows is not sent as a read", () => {
  for (const text of [
    "insert into visits (surface) values ($1)",
    "with used as (insert into challenge_uses values ($1) returning 1) select 1 from used",
    "UPDATE visits set surface = $1",
    "delete from visits",
    "select 1 from visits for update",
    "select 1 from visits for key share",
    "select nextval('visits')",
    "merge into visits using devices on true when matched then do nothing",
  ])
    expect(onShard(text, "read test")).toBeUndefined();
});

test("the SQL is built once per shard", () => {
  const read = onShard("select 1 from visits", "read test");
  expect(read?.textOn(TABLES)).toBe(read?.textOn(TABLES));
  expect(read?.textOn({ shard: 102_009, names: new Map([["visits", 102_009]]) })).toContain("from visits_102009)");
});

test("a server that no longer has the shard fails before reading, and that is distinguished from other errors", async () => {
  await pool`create table pg_dist_local_group (groupid int)`;
  await pool`create table pg_dist_placement (shardid bigint, groupid int)`;
  await pool`create table visits_102008 (surface text)`;
  await pool`insert into pg_dist_local_group values (7)`;
  await pool`insert into pg_dist_placement values (102008, 7)`;
  await pool`insert into visits_102008 values ('sign_in')`;
  const read = onShard("select surface, surface as again from visits where surface = $1", "read test");
  const ask = () => pool.unsafe(read?.textOn(TABLES) ?? "", ["sign_in"], { prepare: true });
  const failure = async (work: PromiseLike<unknown>) =>
    read?.isMoved(await Promise.resolve(work).catch((error: unknown) => error));
  expect([...(await ask())]).toEqual([{ surface: "sign_in", again: "sign_in" }]);
  await pool`delete from visits_102008`;
  expect([...(await ask())]).toEqual([]);
  await pool`update pg_dist_placement set groupid = 8`;
  expect(await failure(ask())).toBe(true);
  await pool`drop table visits_102008`;
  expect(await failure(pool.unsafe(read?.textOn(TABLES) ?? "", ["sign_in"]))).toBe(true);
  expect(await failure(pool`select no_such_column from pg_dist_placement`)).toBe(false);
});

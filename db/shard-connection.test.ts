import { beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createTestWorkspace } from "@/test/workspaces";
import { connectPool } from "./client";
import { createRenewable, type Renewable } from "./renewable";
import { addressOn } from "./address";
import { openShardConnection } from "./shard-connection";

const { db, pool, url } = await createTestDatabase();
const SERVER = { group: 7, host: "db-7.internal", port: 5433, workspace: null as string | null };

/** Recreates the Citus metadata of a server in group 7. */
beforeAll(async () => {
  await pool`create table pg_dist_local_group (groupid int)`;
  await pool`insert into pg_dist_local_group values (7)`;
  await createTestWorkspace(db);
  const [row] = await pool<
    { id: string }[]
  >`select workspace_id::text as id from workspaces order by workspace_id limit 1`;
  SERVER.workspace = row?.id ?? null;
});

const open = () => {
  const client: Renewable = createRenewable(() =>
    connectPool({ url, poolSize: 1, prepare: true, applicationName: "shard-connection-test" }),
  );
  return client;
};
const problem = async (server: typeof SERVER) => {
  const client = open();
  const failure = await openShardConnection([client], server).then(String, String);
  // A connection that failed the check is closed.
  await expect
    .poll(() => client.client`select 1`.catch((error: unknown) => error))
    .toMatchObject({ code: "CONNECTION_ENDED" });
  return failure;
};

test("a server without the function, of another group or of another installation is not used", async () => {
  expect(await problem(SERVER)).toMatch(/run_on_shard is missing/);
  await pool`create function run_on_shard(uuid, text, text, json) returns json language sql as 'select null::json'`;
  expect(await problem({ ...SERVER, group: 8 })).toMatch(/the server that answered is not that of group 8/);
  expect(await problem({ ...SERVER, workspace: "00000000-0000-4000-8000-000000000001" })).toMatch(/not that of group/);
  const { pipelines, close } = await openShardConnection([open()], SERVER);
  expect([...(await pipelines.send("select 1 as one", [], {}))]).toEqual([{ one: 1 }]);
  await close();
});

test("role, password, database and TLS of the database URL apply to every server", () => {
  const given = "postgres://imprint:s%40cret@db-0.internal:5432/imprint?sslmode=verify-full";
  expect(addressOn(given, SERVER)).toBe("postgres://imprint:s%40cret@db-7.internal:5433/imprint?sslmode=verify-full");
  expect(addressOn(given, { ...SERVER, host: "fd00::7" })).toBe(
    "postgres://imprint:s%40cret@[fd00::7]:5433/imprint?sslmode=verify-full",
  );
  expect(addressOn("postgres://imprint@localhost/imprint?host=/run/postgresql&port=5432", SERVER)).toBe(
    "postgres://imprint@db-7.internal:5433/imprint",
  );
});

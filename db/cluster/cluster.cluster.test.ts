import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";

import { connect, isDatabaseUnavailable } from "@/db/client";
import { oldestWriteSeconds } from "@/db/open-writes";
import { executeFor, statement } from "@/db/prepared";
import { ROUTED_FUNCTION } from "@/db/routed-function";
import { sessionOptions } from "@/db/session-settings";
import { idToUuid } from "@/lib/contract/ids";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace } from "@/test/workspaces";
import { connectForPlacing } from "./connect";
import { distribute } from "./distribute";
import { readClusterState } from "./state";

const { db, url, routing } = await createTestDatabase();

test("an open write on a shard server counts even if the coordinator has none", async () => {
  const workspaceId = await createTestWorkspace(db);
  const mark = sql`
    insert into usage_marks (workspace_id, folded_until) values (${idToUuid(workspaceId)}::uuid, '-infinity') returning 1 as made`;
  await db.transaction(async (tx) => {
    expect(await executeFor(tx, workspaceId, mark)).toHaveLength(1);
    const [own] = await tx.execute(sql`select pg_current_xact_id_if_assigned()::text as id`);
    expect(own).toEqual({ id: null });
    await expect.poll(() => oldestWriteSeconds(db), { timeout: 10_000 }).toBeGreaterThan(1);
  });
  await expect.poll(() => oldestWriteSeconds(db), { timeout: 10_000 }).toBe(0);
});

test("a session that no longer reaches shards after a Citus planning error is terminated, and the next one reaches them", async () => {
  const workspaceId = await createTestWorkspace(db);
  const own = connect({ url, poolSize: 1, ...(await sessionOptions(url)), applicationName: "imprint-test" });
  afterAll(own.close);
  const ask = () =>
    executeFor(
      own.db,
      workspaceId,
      sql`select count(*)::int as count from visits where workspace_id = ${idToUuid(workspaceId)}::uuid`,
    );
  expect(await ask()).toEqual([{ count: 0 }]);
  const unplannable = sql`
    with made as (
      insert into device_populations as d (workspace_id, devices)
      select id, 1 from (select ${idToUuid(workspaceId)}::uuid as id) one
      on conflict (workspace_id) do update set devices = extract(epoch from clock_timestamp()) returning 1)
    select * from made`;
  await expect(own.db.execute(unplannable)).rejects.toMatchObject({ cause: { code: "0A000" } });
  const failure: unknown = await ask().catch((error: unknown) => error);
  expect(isDatabaseUnavailable(failure)).toBe(true);
  await expect.poll(ask, { timeout: 10_000 }).toEqual([{ count: 0 }]);
});

test("a server without the routing function is reported, and distribute creates it", async () => {
  const routines = async () => ((await readClusterState(db))?.nodes ?? []).map(({ routedFunction }) => routedFunction);
  const current = await routines();
  expect(new Set(current)).toEqual(new Set(["current"]));
  const signature = `${ROUTED_FUNCTION}(uuid,text,text,json)`;
  const onWorkers = (statement: string) =>
    db.execute(sql`
      select run_command_on_workers(${`do $do$ begin
        perform set_config('citus.enable_ddl_propagation', 'off', true);
        execute $statement$${statement}$statement$;
      end $do$`})`);
  const sqlForPlacing = connectForPlacing(url);
  afterAll(() => sqlForPlacing.end({ timeout: 5 }));
  const repair = () => distribute(sqlForPlacing, { shards: 8 });
  afterAll(repair);
  await onWorkers(`drop function ${signature}`);
  expect((await routines()).filter((routine) => routine === "missing")).toHaveLength(current.length - 1);
  await repair();
  expect(await routines()).toEqual(current);
});

test("short statements of a workspace go directly to its server once it is known, and recover from a wrong one", async () => {
  const workspaceId = idToUuid(await createTestWorkspace(db));
  const askWhere = statement<{ application: string; port: number }>(sql`
    select current_setting('application_name') as application, inet_server_port() as port
    from workspaces where workspace_id = ${sql.placeholder("workspace")}::uuid`);
  const where = async () => (await askWhere(db, { workspace: workspaceId }))[0];
  const isDirect = () =>
    expect.poll(async () => (await where())?.application, { timeout: 10_000 }).not.toMatch(/citus/);
  expect((await where())?.application).toMatch(/citus/);
  await isDirect();
  const nodes = await db.execute<{ group: number; port: number; shard: number; has_shard: boolean }>(sql`
    select n.groupid as "group", n.nodeport as port, shard::int as shard, exists (
      select 1 from pg_dist_placement p where p.groupid = n.groupid and p.shardid = shard) as has_shard
    from pg_dist_node n, get_shard_id_for_distribution_column('visits', ${workspaceId}::uuid) shard
    where n.groupid > 0`);
  const [own, other] = [true, false].map((hasShard) => nodes.find(({ has_shard }) => has_shard === hasShard));
  expect((await where())?.port).toBe(own?.port);
  // As after a move: the first statement may still go through the coordinator, because the other server is not
  // connected yet.
  for (let time = 0; time < 2; time += 1) {
    routing.servers?.learn(workspaceId, { group: other?.group ?? 0, shard: own?.shard ?? 0 });
    expect((await where())?.port).toBe(own?.port);
    await isDirect();
  }
});

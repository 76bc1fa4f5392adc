import { afterAll, afterEach, expect, test } from "vitest";

import { openFaultProxy } from "@/scripts/faults/fault-proxy";
import { createTestDatabase } from "@/test/database";
import { connectPool } from "./client";
import { createPipelines } from "./pipelines";
import { createRenewable } from "./renewable";
import { createShardServers, type ShardServer, type ShardServerChange } from "./shard-servers";

const { url } = await createTestDatabase();
const faultProxy = await openFaultProxy(url);
afterAll(() => faultProxy.close());
const SERVER: ShardServer = { group: 7, host: "db-7.internal", port: 5432, workspace: null };
const SHARD = 102_008;
const WORKSPACE = "00000000-0000-4000-8000-000000000001";

const changes: ShardServerChange[] = [];
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  changes.length = 0;
  for (const close of closing.splice(0)) await close();
  await faultProxy.reopen();
});

/** A connection through the fault proxy that has answered. */
async function openThroughProxy() {
  const client = createRenewable(() =>
    connectPool({ url: faultProxy.url, poolSize: 1, prepare: true, applicationName: "shard-servers-test" }),
  );
  try {
    await client.client`select 1`;
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    pipelines: createPipelines([client]),
    readTables: () => Promise.resolve(new Map([["visits", SHARD]])),
    close: () => client.close(),
  };
}

function createServers({
  list = [SERVER],
  open = openThroughProxy,
}: { list?: ShardServer[]; open?: typeof openThroughProxy } = {}) {
  const servers = createShardServers({
    list: () => Promise.resolve(list),
    open,
    onChange: (change) => changes.push(change),
  });
  closing.push(servers.close);
  return servers;
}

const send = (servers: ReturnType<typeof createServers>, text: string) => {
  const connection = servers.connectionFor(WORKSPACE);
  if (!connection) throw new Error("the server is not connected");
  return { connection, answer: connection.pipelines.send(text, [], { prepare: true }) };
};
const isOpen = (servers: ReturnType<typeof createServers>) =>
  expect.poll(() => servers.connectionFor(WORKSPACE) !== undefined, { timeout: 10_000 }).toBe(true);

test("a workspace's server is used once it is known and has answered", async () => {
  const servers = createServers();
  expect(servers.connectionFor(WORKSPACE)).toBeUndefined();
  servers.learn(WORKSPACE, { group: 7, shard: SHARD });
  expect(servers.connectionFor(WORKSPACE)).toBeUndefined();
  await isOpen(servers);
  expect([...(await send(servers, "select 1 as one").answer)]).toEqual([{ one: 1 }]);
  expect(servers.connectionFor(WORKSPACE)?.tables).toEqual({ shard: SHARD, names: new Map([["visits", SHARD]]) });
  expect(changes).toEqual([{ server: "db-7.internal:5432" }]);
  servers.forget(WORKSPACE);
  expect(servers.connectionFor(WORKSPACE)).toBeUndefined();
});

test("a lost server is not used until it answers again, and each change is reported once", async () => {
  const servers = createServers();
  servers.learn(WORKSPACE, { group: 7, shard: SHARD });
  await expect.poll(() => servers.connectionFor(WORKSPACE) !== undefined, { timeout: 10_000 }).toBe(true);
  const sent = ["select pg_sleep(60)", "select pg_sleep(61)"].map((text) => send(servers, text));
  const failures = sent.map(async ({ connection, answer }) =>
    connection.failed(await Promise.resolve(answer).catch((error: unknown) => error)),
  );
  await faultProxy.cut();
  // It is unknown whether they ran.
  expect(await Promise.all(failures)).toEqual(["unknown", "unknown"]);
  expect(servers.connectionFor(WORKSPACE)).toBeUndefined();
  expect(changes).toHaveLength(2);
  expect(changes[1]?.problem).toMatch(/CONN/);
  await faultProxy.reopen();
  await isOpen(servers);
  expect([...(await send(servers, "select 2 as two").answer)]).toEqual([{ two: 2 }]);
  expect(changes).toHaveLength(3);
});

test("a failed connection attempt has sent nothing; a statement's error keeps the connection", async () => {
  const servers = createServers();
  servers.learn(WORKSPACE, { group: 7, shard: SHARD });
  await isOpen(servers);
  const { connection, answer } = send(servers, "select 1 / 0");
  expect(connection.failed(await Promise.resolve(answer).catch((error: unknown) => error))).toBe("unknown");
  expect(servers.connectionFor(WORKSPACE)?.pipelines).toBe(connection.pipelines);
  expect(connection.failed(Object.assign(new Error("sorry, too many clients already"), { code: "53300" }))).toBe(
    "not sent",
  );
  expect(servers.connectionFor(WORKSPACE)).toBeUndefined();
});

test("an unreachable server is reported once, however often it is retried", async () => {
  await faultProxy.cut();
  let tried = 0;
  const servers = createServers({
    open: () => {
      tried += 1;
      return openThroughProxy();
    },
  });
  servers.learn(WORKSPACE, { group: 7, shard: SHARD });
  await expect.poll(() => (servers.connectionFor(WORKSPACE), tried), { timeout: 10_000 }).toBe(2);
  expect(changes).toHaveLength(1);
  expect(changes[0]?.problem).toMatch(/ECONNREFUSED/);
});

test("no connection is made to the coordinator or to a server outside the cluster", async () => {
  let opened = 0;
  const servers = createServers({
    open: () => {
      opened += 1;
      return openThroughProxy();
    },
  });
  servers.learn(WORKSPACE, { group: 0, shard: SHARD });
  expect(servers.connectionFor(WORKSPACE)).toBeUndefined();
  servers.learn(WORKSPACE, { group: 8, shard: SHARD });
  expect(servers.connectionFor(WORKSPACE)).toBeUndefined();
  servers.learn("00000000-0000-4000-8000-000000000002", { group: 7, shard: SHARD });
  await expect.poll(() => servers.connectionFor("00000000-0000-4000-8000-000000000002") !== undefined).toBe(true);
  expect(opened).toBe(1);
});

test("a connection established after close is closed", async () => {
  let isClosed = false;
  let finish: (() => void) | undefined;
  const servers = createServers({
    open: async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      const connection = await openThroughProxy();
      return {
        ...connection,
        close: () => {
          isClosed = true;
          return connection.close();
        },
      };
    },
  });
  servers.learn(WORKSPACE, { group: 7, shard: SHARD });
  expect(servers.connectionFor(WORKSPACE)).toBeUndefined();
  await expect.poll(() => finish !== undefined).toBe(true);
  await servers.close();
  finish?.();
  await expect.poll(() => isClosed).toBe(true);
  expect(servers.connectionFor(WORKSPACE)).toBeUndefined();
});

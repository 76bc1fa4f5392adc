import { createServer, type Socket } from "node:net";

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { connect, countRoundTrips, isDatabaseUnavailable } from "./client";
import { STATEMENT_DEADLINE_MS } from "./deadlines";
import { createTestDatabase } from "@/test/database";

const { db } = await createTestDatabase();

test(
  "a server that never answers ends a query with service_unavailable at the deadline",
  { timeout: 20_000 },
  async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const connection = connect({
      url: `postgres://app:x@127.0.0.1:${port}/app`,
      poolSize: 1,
      prepare: true,
      applicationName: "test",
    });
    const startedAt = performance.now();
    const failure: unknown = await connection.db.execute(sql`select 1`).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(performance.now() - startedAt).toBeLessThan(STATEMENT_DEADLINE_MS + 1500);
    const isRefused = isDatabaseUnavailable(failure) || (failure as { code?: string }).code === "service_unavailable";
    expect(isRefused).toBe(true);
    for (const socket of sockets) socket.destroy();
    silent.close();
    await connection.close();
  },
);

test(
  "a statement that runs too long is cancelled by the server before the client gives up",
  { timeout: 20_000 },
  async () => {
    const failure: unknown = await db.execute(sql`select pg_sleep(30)`).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(isDatabaseUnavailable(failure)).toBe(true);
  },
);

test("round trips are counted, including a transaction's begin and commit", async () => {
  const { roundTrips } = await countRoundTrips(async () => {
    await db.execute(sql`select 1`);
    await db.transaction(async (tx) => {
      await tx.execute(sql`select 2`);
    });
  });
  expect(roundTrips).toBe(4);
});

test("a failed transaction leaves nothing behind and its error is rethrown unchanged", async () => {
  const failure = new Error("stop");
  await expect(
    db.transaction(async (tx) => {
      await tx.execute(sql`insert into jobs (name, due_at) values ('rolled-back', now())`);
      throw failure;
    }),
  ).rejects.toBe(failure);
  expect(await db.execute(sql`select 1 from jobs where name = 'rolled-back'`)).toHaveLength(0);
});

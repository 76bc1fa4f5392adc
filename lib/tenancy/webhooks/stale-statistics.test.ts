import { randomUUID } from "node:crypto";

import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";

import type { Db } from "@/db/client";
import { idToUuid } from "@/lib/contract/ids";
import { countReads } from "@/test/count-reads";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace } from "@/test/workspaces";
import { bringForward } from "./queries-health";
import {
  claimDeliveries,
  endDelivery,
  type EndpointRef,
  listReadyEndpoints,
  releaseDelivery,
  retryDelivery,
} from "./queries-send";
import { insertTestEndpoint } from "@/test/webhooks";

const { db } = await createTestDatabase();
const BACKLOG = 5_000;
const LIMIT = 8;
/** Messages that a claim examines, and a few rows for each. */
const BOUND = 200 * 6;

const fill = ({ workspaceId, endpointId }: EndpointRef, state: string, count: number, due = "-1 hour") =>
  db.execute(sql`
    insert into webhook_deliveries (workspace_id, delivery_id, endpoint_id, event_id, type, stream, payload, occurred_at,
      state, due_at)
    select ${idToUuid(workspaceId)}::uuid, gen_random_uuid(), ${idToUuid(endpointId)}::uuid, gen_random_uuid(),
      'report.ready', gen_random_uuid(), '{}', now() - n * interval '1 second', ${state}, now() + ${due}::interval
    from generate_series(1, ${count}::int) n`);

async function createEndpoint(): Promise<EndpointRef> {
  const workspaceId = await createTestWorkspace(db);
  const { endpointId } = await insertTestEndpoint(db, workspaceId, "http://127.0.0.1:1/");
  return { workspaceId, endpointId };
}

beforeAll(async () => {
  await db.execute(sql`alter table webhook_deliveries set (autovacuum_enabled = off)`);
});

const STATES: Record<string, (endpoint: EndpointRef) => Promise<unknown>> = {
  "an empty table": () => Promise.resolve(),
  "another workspace's few": async () => fill(await createEndpoint(), "pending", 3),
  "another workspace's many": async () => fill(await createEndpoint(), "delivered", BACKLOG),
  "the endpoint's delivered ones": (endpoint) => fill(endpoint, "delivered", BACKLOG),
};

test.each(Object.entries(STATES))(
  "a claim reads what it examines, however long the backlog, if the planner's statistics are of %s",
  async (_name, before) => {
    await db.execute(sql`delete from webhook_deliveries`);
    const endpoint = await createEndpoint();
    await before(endpoint);
    await db.execute(sql`analyze webhook_deliveries`);
    await fill(endpoint, "pending", BACKLOG);
    const how = { limit: LIMIT, lease: randomUUID(), leaseSeconds: 60, shift: 0 };
    const reads = async (work: (tx: Db) => PromiseLike<unknown>) =>
      (await db.transaction((tx) => countReads(tx, "^webhook_deliveries$", () => work(tx)))).reads;
    expect(await reads((tx) => claimDeliveries(tx, endpoint, how))).toBeLessThan(BOUND);
    const { claimed } = await claimDeliveries(db, endpoint, how);
    const answer = { status: 200, durationMs: 1, answer: "", problem: "" };
    const [first, second, third] = claimed;
    if (!first || !second || !third) throw new Error("too few were claimed");
    for (const work of [
      (tx: Db) => endDelivery(tx, first, { state: "delivered", answer, shift: 0 }),
      (tx: Db) => retryDelivery(tx, second, { afterSeconds: 60, answer, shift: 0 }),
      (tx: Db) => releaseDelivery(tx, third, 0),
    ])
      expect(await reads(work)).toBeLessThan(20);
    expect(await reads((tx) => listReadyEndpoints(tx, 0))).toBeLessThan(BOUND);
    await fill(endpoint, "pending", BACKLOG, "1 hour");
    expect(await reads((tx) => bringForward(tx, endpoint, 0))).toBeLessThan(3_000);
  },
);

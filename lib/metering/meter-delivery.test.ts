import { randomUUID } from "node:crypto";

import { type SQL, sql } from "drizzle-orm";
import fc from "fast-check";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";

import { type Database, isDatabaseUnavailable } from "@/db/client";
import { ensurePartitions } from "@/db/partitions";
import { createTestDatabase } from "@/test/database";
import { despiteLostConnections } from "@/test/despite-lost-connections";
import { isAppError } from "@/lib/contract/errors";
import { idToUuid, newId, newImprint } from "@/lib/contract/ids";
import { createTestWorkspace } from "@/test/workspaces";
import { nextStep } from "./domain/slices";
import { meterDelivery } from "./index";
import { divideUnits, readSlices, COUNTER_STRIPES, type UnitLimit } from "./queries-units";

const CLIENTS = 50;
const { db, url } = await createTestDatabase({ poolSize: CLIENTS });
await ensurePartitions(db, new Date(), new Date());

const monthly = (reportUnits: number | null): UnitLimit => ({ reportUnits, unitPeriod: "month" });
const webAppId = newId("webApp");
const imprints = (count: number) => Array.from({ length: count }, () => newImprint(Date.now()));

const ledger = (workspaceId: string) => despiteLostConnections(() => readLedger(workspaceId));

async function readLedger(workspaceId: string) {
  const [row] = await db.execute<{ delivered: number; used: number; imprints: string[] }>(sql`
    select (select count(*)::int from report_deliveries where workspace_id = ${idToUuid(workspaceId)}::uuid) as delivered,
      (select coalesce(sum(units_used), 0)::int from unit_slices where workspace_id = ${idToUuid(workspaceId)}::uuid) as used,
      (select coalesce(json_agg('imp_' || replace(event_id::text, '-', '')), '[]') from report_deliveries
        where workspace_id = ${idToUuid(workspaceId)}::uuid) as imprints`);
  return row ?? { delivered: 0, used: 0, imprints: [] };
}

type Outcome = "delivered" | "repeated" | "partsRejected" | "refused";

/** One delivery as seen by an API client, which retries if the outcome is unknown. */
async function deliver(at: Database, workspaceId: string, imprint: string, limit: UnitLimit): Promise<Outcome> {
  for (;;) {
    try {
      return await meterDelivery(
        at,
        { workspaceId, imprint, webAppId, keyId: undefined, acceptanceHash: undefined },
        limit,
      );
    } catch (error) {
      if (isAppError(error) && error.code === "quota_exhausted") return "refused";
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }
}

/** 50 clients that process `wanted` concurrently. Returns the outcomes of each imprint. */
async function deliverAll(workspaceId: string, wanted: readonly string[], limit: UnitLimit) {
  const outcomes = new Map<string, Outcome[]>();
  const waiting = [...wanted];
  const client = async () => {
    for (let imprint = waiting.pop(); imprint !== undefined; imprint = waiting.pop()) {
      const outcome = await deliver(db, workspaceId, imprint, limit);
      outcomes.set(imprint, [...(outcomes.get(imprint) ?? []), outcome]);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return outcomes;
}

/** Separate connections: from the clients' pool it would only get one after they are done. */
const killer = postgres(url, { max: 2, fetch_types: false, prepare: false });
afterAll(() => killer.end({ timeout: 5 }));

/** Terminates three random metering connections; returns how many there were. On a cluster only the statement's name is visible. */
async function killSome(): Promise<number> {
  const rows = await killer`
    select pg_terminate_backend(pid) from (
      select pid from pg_stat_activity where datname = current_database() and state = 'active'
        and (query like '%insert into report_deliveries%' or query like '/* use unit */%')
        and pid <> pg_backend_pid() order by random() limit 3) p`;
  return rows.length;
}

/**
 * Terminates metering connections every few milliseconds, until stopped. First it locks the workspace's slices and
 * terminates some of the connections waiting for them, so that there are some on a machine of any speed.
 */
async function startKiller(workspaceId: string): Promise<{ stop: () => Promise<void> }> {
  let isStopped = false;
  const run = async (locked: () => void) => {
    await killer.begin(async (tx) => {
      await tx`select 1 from unit_slices where workspace_id = ${idToUuid(workspaceId)} for update`;
      locked();
      await expect.poll(killSome, { timeout: 10_000, interval: 2 }).toBeGreaterThan(0);
    });
    while (!isStopped) {
      await killSome();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  let running = Promise.resolve();
  await new Promise<void>((locked, failed) => {
    running = run(locked);
    running.catch(failed);
  });
  return {
    stop: () => {
      isStopped = true;
      return running;
    },
  };
}

/** A workspace that has used all but `left` units of the month, with the rest spread over `spread` slices. */
async function createNearlyUsedUp(reportUnits: number, left: number, spread: number): Promise<string> {
  const workspaceId = await createTestWorkspace(db, "lite");
  await db.transaction((tx) => divideUnits(tx, workspaceId, monthly(reportUnits)));
  await db.execute(sql`
    update unit_slices set units_used = units_limit - (
      case when slice < ${spread}::int then ${left}::int / ${spread}::int + (slice < ${left}::int % ${spread}::int)::int else 0 end)
    where workspace_id = ${idToUuid(workspaceId)}::uuid`);
  return workspaceId;
}

test(
  "50 clients at the last 10 units deliver exactly 10, 8 times, while connections are being killed",
  { timeout: 240_000 },
  async () => {
    for (let round = 0; round < 8; round += 1) {
      const workspaceId = await createNearlyUsedUp(20_000, 10, 1 + (round % COUNTER_STRIPES));
      const killing = round % 2 === 1 ? await startKiller(workspaceId) : undefined;
      const wanted = imprints(60);
      const outcomes = await deliverAll(workspaceId, [...wanted, ...wanted, ...wanted], monthly(20_000));
      await killing?.stop();
      const acknowledged = [...outcomes].filter(([, each]) => each.some((outcome) => outcome !== "refused"));
      const { delivered, used, imprints: inLedger } = await ledger(workspaceId);
      expect([round, delivered, used]).toEqual([round, 10, 20_000]);
      expect(new Set(acknowledged.map(([imprint]) => imprint))).toEqual(new Set(inLedger));
      for (const imprint of inLedger) expect(await deliver(db, workspaceId, imprint, monthly(20_000))).toBe("repeated");
      expect((await ledger(workspaceId)).used).toBe(20_000);
    }
  },
);

test("50 clients with the same imprints use one unit for each, whichever slice they pick", async () => {
  const workspaceId = await createTestWorkspace(db);
  const wanted = imprints(20);
  await deliverAll(workspaceId, Array.from({ length: 10 }, () => wanted).flat(), monthly(500_000));
  expect(await ledger(workspaceId)).toMatchObject({ delivered: 20, used: 20 });
});

test("the first deliveries of a month create its slices once, also concurrently, and their shares add up to the plan's units", async () => {
  const workspaceId = await createTestWorkspace(db);
  await deliverAll(workspaceId, imprints(50), monthly(1_003));
  const slices = await readSlices(db, workspaceId, "month");
  expect(slices).toHaveLength(COUNTER_STRIPES);
  expect(slices.reduce((sum, { limit }) => sum + (limit ?? 0), 0)).toBe(1_003);
  expect(slices.reduce((sum, { used }) => sum + used, 0)).toBe(50);
  expect(slices.filter(({ used }) => used > 0).length).toBeGreaterThan(1);
});

test("a plan change takes effect with the next delivery: used units stay used, upwards and downwards", async () => {
  const workspaceId = await createTestWorkspace(db);
  const take = async (count: number, limit: number | null) => {
    const outcomes = await deliverAll(workspaceId, imprints(count), monthly(limit));
    return [...outcomes.values()].flat().filter((outcome) => outcome === "delivered").length;
  };
  expect(await take(30, 20)).toBe(20);
  expect(await take(30, 35)).toBe(15);
  expect(await take(30, null)).toBe(30);
  expect(await take(5, 35)).toBe(0);
  expect(await take(30, 70)).toBe(5);
  expect(await ledger(workspaceId)).toMatchObject({ delivered: 70, used: 70 });
});

test("a total does not restart with the month, and a month's units are counted separately", async () => {
  const workspaceId = await createTestWorkspace(db);
  const total: UnitLimit = { reportUnits: 3, unitPeriod: "total" };
  expect([...(await deliverAll(workspaceId, imprints(5), total)).values()].flat().sort()).toEqual([
    "delivered",
    "delivered",
    "delivered",
    "refused",
    "refused",
  ]);
  expect(await deliver(db, workspaceId, newImprint(Date.now()), monthly(1))).toBe("delivered");
});

test("a delivery's additional writes are applied with its unit or not at all, and if they fail no unit is used", async () => {
  const workspaceId = await createTestWorkspace(db);
  const [first = "", second = "", third = ""] = imprints(3);
  const names = [randomUUID(), randomUUID(), randomUUID()];
  const noteParts = {
    parts: (isWanted: SQL) => sql`note as (
      insert into usage_batches (workspace_id, batch_id, line, day, operation, outcome, calls, written_at)
      select ${sql.placeholder("workspace")}::uuid, ${sql.placeholder("name")}::uuid, 0, current_date, 'readReport', 'delivered', 1, now()
      where ${isWanted} and ${sql.placeholder("condition")}::boolean returning 1)`,
    isDone: sql`exists (select 1 from note)`,
  };
  const note = (name: string, condition = true) => ({ sql: noteParts, values: { name, condition } });
  const of = (imprint: string) => ({ workspaceId, imprint, webAppId, keyId: undefined, acceptanceHash: undefined });
  expect(await meterDelivery(db, of(first), monthly(2), note(names[0] ?? ""))).toBe("delivered");
  expect(await meterDelivery(db, of(second), monthly(2), note(names[1] ?? "", false))).toBe("partsRejected");
  expect(await ledger(workspaceId)).toEqual({ delivered: 1, used: 1, imprints: [first] });
  expect(await deliver(db, workspaceId, second, monthly(2))).toBe("delivered");
  await expect(meterDelivery(db, of(third), monthly(2), note(names[2] ?? ""))).rejects.toMatchObject({
    code: "quota_exhausted",
  });
  const rows = await db.execute(
    sql`select batch_id as name from usage_batches where workspace_id = ${idToUuid(workspaceId)}::uuid`,
  );
  expect(rows).toEqual([{ name: names[0] }]);
});

test("the next step is to refuse exactly when the plan's units are used up", () => {
  const slice = fc.record({ used: fc.nat(50), room: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(slice, { minLength: 4, maxLength: 4 }), (parts) => {
      const slices = parts.map(({ used, room }, index) => ({ slice: index, used, limit: used + room, planUnits: 0 }));
      const plan = parts.reduce((sum, { used, room }) => sum + used + room, 0);
      const left = parts.reduce((sum, { room }) => sum + room, 0);
      const step = nextStep(
        slices.map((each) => ({ ...each, planUnits: plan })),
        plan,
        4,
      );
      expect(step.kind).toBe(left === 0 ? "refuse" : "try");
      if (step.kind === "try") expect(parts[step.slice]?.room).toBeGreaterThan(0);
      expect(nextStep(slices, plan + 1, 4)).toEqual({ kind: "divide" });
      expect(nextStep(slices.slice(1), 0, 4)).toEqual({ kind: "divide" });
    }),
  );
});

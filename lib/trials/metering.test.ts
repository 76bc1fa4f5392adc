import { randomInt } from "node:crypto";

import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";

import { createTestDatabase } from "@/db/testing";
import { isDatabaseUnavailable, violatedConstraint } from "@/db/client";
import { isAppError } from "@/lib/errors";
import { idToUuid, newImprint } from "@/lib/ids";
import { deliverReport } from "@/lib/reports";
import { visit } from "@/lib/submissions/testing";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { anAddress, buyTrial, sandboxPorts } from "./testing";

const { db, pool } = await createTestDatabase({ poolSize: 50 });
const sandbox = await startSandbox();
afterAll(() => sandbox.close());
const trial = await buyTrial(db, sandbox, sandboxPorts(sandbox));
const model = await visit(trial, { address: anAddress() });

const CLIENTS = 50;
const UNITS = 100;
const workspace = idToUuid(trial.workspaceId);
const recipient = { workspaceId: trial.workspaceId, keyId: trial.keyId, plan: "trial" } as const;

/** A fresh grant and `count` visits that nobody has read. */
async function startRound(count: number): Promise<string[]> {
  await db.execute(sql`delete from report_deliveries where workspace_id = ${workspace}::uuid`);
  await db.execute(
    sql`update trial_grants set units_used = 0, report_requests_used = 0, report_requests = 1000000 where workspace_id = ${workspace}::uuid`,
  );
  const imprints = Array.from({ length: count }, () => newImprint(Date.now()));
  await db.execute(sql`
    insert into visits select (jsonb_populate_record(v, jsonb_build_object('event_id', fresh.id::text))).*
    from visits v, unnest(string_to_array(${imprints.map(idToUuid).join(",")}, ',')::uuid[]) as fresh(id)
    where v.workspace_id = ${workspace}::uuid and v.event_id = ${idToUuid(model.imprint)}::uuid`);
  return imprints;
}

async function counts() {
  const [row] = await db.execute<{ units: number; ledger: number }>(sql`
    select (select units_used from trial_grants where workspace_id = ${workspace}::uuid) as units,
      (select count(*)::int from report_deliveries where workspace_id = ${workspace}::uuid) as ledger`);
  return row;
}

type Deliver = (imprint: string) => Promise<unknown>;

const isUnknown = (error: unknown) =>
  isDatabaseUnavailable(error) || (isAppError(error) && error.code === "service_unavailable");

/** All imprints three times in any order by 50 clients; those that were delivered to somebody. */
async function deliverAll(imprints: string[], deliver: Deliver): Promise<Set<string>> {
  const work = [...imprints, ...imprints, ...imprints].map((imprint) => ({ imprint, order: randomInt(1e9) }));
  work.sort((one, other) => one.order - other.order);
  const delivered = new Set<string>();
  const client = async () => {
    for (let next = work.pop(); next; next = work.pop()) {
      for (let attempt = 0; attempt < 20; attempt += 1) {
        try {
          await deliver(next.imprint);
          delivered.add(next.imprint);
          break;
        } catch (error) {
          if (isAppError(error) && error.code === "quota_exhausted") break;
          if (!isUnknown(error)) throw error;
        }
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return delivered;
}

/** Ends some of the connections that deliver, again and again. */
function startKilling() {
  const over = new AbortController();
  const killing = (async () => {
    while (!over.signal.aborted) {
      await pool`
        select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and datname = current_database() and state = 'active'
          and (query like '%report_deliveries%' or query like '%trial_grants%')
        order by random() limit 2`.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  })();
  return async () => {
    over.abort();
    await killing;
  };
}

test(
  "100 units are 100 deliveries under 50 clients, in 20 rounds, half of them with killed connections",
  { timeout: 300_000 },
  async () => {
    for (let round = 0; round < 20; round += 1) {
      const imprints = await startRound(round % 3 === 0 ? UNITS : 130);
      const stopKilling = round % 2 === 1 ? startKilling() : undefined;
      const delivered = await deliverAll(imprints, (imprint) => deliverReport({ db }, recipient, imprint));
      await stopKilling?.();
      expect([round, await counts()]).toEqual([round, { units: UNITS, ledger: UNITS }]);
      expect(delivered.size).toBe(UNITS);
      for (const imprint of [...delivered].slice(0, 5)) await deliverReport({ db }, recipient, imprint);
      expect(await counts()).toEqual({ units: UNITS, ledger: UNITS });
    }
  },
);

test("the same rounds find out a delivery that checks first and counts afterwards", { timeout: 120_000 }, async () => {
  const imprints = await startRound(130);
  const naive: Deliver = async (imprint) => {
    const event = sql`${idToUuid(imprint)}::uuid`;
    const known = await db.execute(sql`
      select 1 from report_deliveries where workspace_id = ${workspace}::uuid and event_id = ${event}`);
    if (known.length > 0) return;
    const before = await counts();
    if ((before?.units ?? 0) >= UNITS) return;
    await db.execute(sql`
      insert into report_deliveries (workspace_id, event_id, web_app_id, key_id, period)
      values (${workspace}::uuid, ${event}, ${idToUuid(trial.webAppId)}::uuid, null, 'total') on conflict do nothing`);
    await db
      .execute(sql`update trial_grants set units_used = units_used + 1 where workspace_id = ${workspace}::uuid`)
      .catch((error: unknown) => {
        if (violatedConstraint(error) !== "trial_grants_units") throw error;
      });
  };
  await deliverAll(imprints, naive);
  const after = await counts();
  expect(after?.units === UNITS && after.ledger === UNITS).toBe(false);
});

test("a revocation in the middle leaves ledger and units alike", { timeout: 120_000 }, async () => {
  for (let round = 0; round < 5; round += 1) {
    const imprints = await startRound(90);
    const revoke = async () => {
      await new Promise((resolve) => setTimeout(resolve, randomInt(5, 60)));
      await db.execute(sql`update trial_grants set status = 'revoked' where workspace_id = ${workspace}::uuid`);
    };
    const refusals: string[] = [];
    const deliver: Deliver = (imprint) =>
      deliverReport({ db }, recipient, imprint).catch((error: unknown) => {
        if (!isAppError(error) || error.code !== "grant_revoked") throw error;
        refusals.push(imprint);
      });
    await Promise.all([deliverAll(imprints, deliver), revoke()]);
    const after = await counts();
    expect(after?.units).toBe(after?.ledger);
    await db.execute(sql`update trial_grants set status = 'active' where workspace_id = ${workspace}::uuid`);
  }
});

import { setTimeout as delay } from "node:timers/promises";

import { sql } from "drizzle-orm";

import { type Connection, isDatabaseUnavailable } from "@/db/client";
import { isAppError } from "@/lib/contract/errors";
import { idToUuid, newImprint } from "@/lib/contract/ids";
import { deliverReport } from "@/lib/visits/reports";
import { visit } from "@/test/visits";
import { anAddress, buyTrial, sandboxPorts } from "@/test/trials";
import type { Sandbox } from "../sandbox/sandbox";

const CLIENTS = 50;
export const UNITS = 100;
/** More than there are units for. */
const EXCESS_REPORTS = 130;
/** How often an answer that was lost is asked for again. */
const ATTEMPTS = 20;
const KILL_EVERY_MS = 15;

export type Deliver = (imprint: string) => Promise<unknown>;

const isUnknown = (error: unknown) =>
  isDatabaseUnavailable(error) || (isAppError(error) && error.code === "service_unavailable");

/** Delivers until it is known whether it was delivered. */
async function deliverWithRetries(imprint: string, deliver: Deliver): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      await deliver(imprint);
      return true;
    } catch (error) {
      if (isAppError(error) && error.code === "quota_exhausted") return false;
      if (!isUnknown(error)) throw error;
    }
  }
  return false;
}

/** One trial whose grant is made new for each round, and 50 clients that read its Reports. */
export async function prepareMetering({ db, pool }: Connection, sandbox: Sandbox, random: () => number) {
  const trial = await buyTrial(db, sandbox, sandboxPorts(sandbox));
  const model = await visit(trial, { address: anAddress() });
  const workspace = idToUuid(trial.workspaceId);
  const recipient = { workspaceId: trial.workspaceId, keyId: trial.keyId, plan: "trial" } as const;

  return {
    trial,
    workspace,
    deliver: ((imprint) => deliverReport({ db }, recipient, imprint)) as Deliver,

    /** A fresh grant and `count` visits that nobody has read. */
    startRound: async (count: number): Promise<string[]> => {
      await db.execute(sql`delete from report_deliveries where workspace_id = ${workspace}::uuid`);
      await db.execute(sql`
        update trial_grants set status = 'active', units_used = 0, report_requests_used = 0, report_requests = 1000000
        where workspace_id = ${workspace}::uuid`);
      const imprints = Array.from({ length: count }, () => newImprint(Date.now()));
      await db.execute(sql`
        insert into visits select (jsonb_populate_record(v, jsonb_build_object('event_id', fresh.id::text))).*
        from visits v, unnest(string_to_array(${imprints.map(idToUuid).join(",")}, ',')::uuid[]) as fresh(id)
        where v.workspace_id = ${workspace}::uuid and v.event_id = ${idToUuid(model.imprint)}::uuid`);
      return imprints;
    },

    counts: async () => {
      const [row] = await db.execute<{ units: number; ledger: number }>(sql`
        select (select units_used from trial_grants where workspace_id = ${workspace}::uuid) as units,
          (select count(*)::int from report_deliveries where workspace_id = ${workspace}::uuid) as ledger`);
      return row;
    },

    /** All imprints three times in any order by 50 clients; those that were delivered to somebody. */
    deliverAll: async (imprints: string[], deliver: Deliver): Promise<Set<string>> => {
      const work = [...imprints, ...imprints, ...imprints].map((imprint) => ({ imprint, order: random() }));
      work.sort((one, other) => one.order - other.order);
      const delivered = new Set<string>();
      const client = async () => {
        for (let next = work.pop(); next; next = work.pop()) {
          if (await deliverWithRetries(next.imprint, deliver)) delivered.add(next.imprint);
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      return delivered;
    },

    /** Ends some of the connections that deliver, again and again, until the result is called. */
    startKilling: () => {
      const over = new AbortController();
      const killing = (async () => {
        while (!over.signal.aborted) {
          await pool`
            select pg_terminate_backend(pid) from pg_stat_activity
            where pid <> pg_backend_pid() and datname = current_database() and state = 'active'
              and (query like '%report_deliveries%' or query like '%trial_grants%')
            order by random() limit 2`.catch(() => undefined);
          await delay(KILL_EVERY_MS);
        }
      })();
      return async () => {
        over.abort();
        await killing;
      };
    },
  };
}

/** Rounds of 50 clients on 100 units, every other one with killed connections unless none are; what was miscounted. */
export async function runMetering(
  { startRound, startKilling, deliverAll, deliver, counts }: Awaited<ReturnType<typeof prepareMetering>>,
  {
    rounds,
    areKilled = true,
    onProgress,
  }: { rounds: number; areKilled?: boolean; onProgress?: (text: string) => void },
): Promise<string[]> {
  const miscounts: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const imprints = await startRound(round % 3 === 0 ? UNITS : EXCESS_REPORTS);
    const stopKilling = areKilled && round % 2 === 1 ? startKilling() : undefined;
    const delivered = await deliverAll(imprints, deliver);
    await stopKilling?.();
    const first = await counts();
    for (const imprint of [...delivered].slice(0, 5)) await deliver(imprint);
    const reread = await counts();
    const isExact = [first, reread].every((count) => count?.units === UNITS && count.ledger === UNITS);
    if (!isExact || delivered.size !== UNITS)
      miscounts.push(`round ${round}: ${JSON.stringify({ first, reread, delivered: delivered.size })}`);
    onProgress?.(`${round + 1} of ${rounds} rounds, ${miscounts.length} miscounts`);
  }
  return miscounts;
}

import { setTimeout as delay } from "node:timers/promises";

import { sql } from "drizzle-orm";

import { type Connection, isDatabaseUnavailable } from "@/db/client";
import { isAppError } from "@/lib/contract/errors";
import { idToUuid, newImprint } from "@/lib/contract/ids";
import { deliverReport, hashAcceptance } from "@/lib/visits/reports";
import { despiteLostConnections } from "@/test/despite-lost-connections";
import { visit } from "@/test/visits";
import { anAddress, buyTrial, sandboxPorts } from "@/test/trials";
import type { Sandbox } from "../sandbox/sandbox";

const CLIENTS = 50;
export const UNITS = 100;
/** More than there are units. */
const EXCESS_REPORTS = 130;
/** Maximum number of retries after a lost answer. */
const ATTEMPTS = 20;
const KILL_EVERY_MS = 15;
/** Acceptances requested concurrently for each imprint. */
const ACCEPTANCES = ["sign-in", "payment", "replay"] as const;
/** Share of answers that are lost, so that the request is repeated. */
const LOST_ANSWERS = 0.1;

type Acceptance = (typeof ACCEPTANCES)[number];
/** Resolves to whether the read was the first delivery. */
export type Deliver = (imprint: string, acceptance: Acceptance) => Promise<"first" | "repeat">;

const isUnknown = (error: unknown) =>
  isDatabaseUnavailable(error) || (isAppError(error) && error.code === "service_unavailable");

/** Retries until it is known whether the Report was delivered, and whether it was the first delivery. */
async function deliverWithRetries(imprint: string, acceptance: Acceptance, deliver: Deliver, random: () => number) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      const delivery = await deliver(imprint, acceptance);
      if (random() >= LOST_ANSWERS) return delivery;
    } catch (error) {
      if (isAppError(error) && error.code === "quota_exhausted") return undefined;
      if (!isUnknown(error)) throw error;
    }
  }
  return undefined;
}

/** Repeatedly terminates some of the delivering connections until the returned function is called. */
function startKilling(db: Connection["db"]): () => Promise<void> {
  const over = new AbortController();
  const killing = (async () => {
    while (!over.signal.aborted) {
      const killed = db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and datname = current_database() and state = 'active'
          and (query like '%report_deliveries%' or query like '%trial_grants%' or query like '%run_on_shard(%')
        order by random() limit 2`);
      await killed.catch(() => undefined);
      await delay(KILL_EVERY_MS);
    }
  })();
  return async () => {
    over.abort();
    await killing;
  };
}

/** Prepares one trial, whose grant is reset for each round, and 50 clients that read its Reports. */
export async function prepareMetering({ db }: Pick<Connection, "db">, sandbox: Sandbox, random: () => number) {
  const trial = await buyTrial(db, sandbox, sandboxPorts(sandbox));
  const model = await visit(trial, { address: anAddress() });
  const workspace = idToUuid(trial.workspaceId);
  const recipient = { workspaceId: trial.workspaceId, keyId: trial.keyId, plan: "trial" } as const;

  return {
    trial,
    workspace,
    deliver: (async (imprint, acceptance) => {
      const asked = { imprint, acceptanceHash: hashAcceptance(acceptance) };
      const { headers } = await deliverReport({ db }, recipient, asked);
      return headers["Imprint-Delivery"] === "first" ? "first" : "repeat";
    }) as Deliver,

    /** Resets the grant and creates `count` unread visits. */
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

    counts: () =>
      despiteLostConnections(async () => {
        const [row] = await db.execute<{ units: number; ledger: number }>(sql`
          select (select units_used from trial_grants where workspace_id = ${workspace}::uuid) as units,
            (select count(*)::int from report_deliveries where workspace_id = ${workspace}::uuid) as ledger`);
        return row;
      }),

    /**
     * Delivers all imprints for each acceptance, in random order, with 50 clients. Returns, for each delivered imprint,
     * the acceptances that were told they were first.
     */
    deliverAll: async (imprints: string[], deliver: Deliver): Promise<Map<string, Set<Acceptance>>> => {
      const work = imprints.flatMap((imprint) =>
        ACCEPTANCES.map((acceptance) => ({ imprint, acceptance, order: random() })),
      );
      work.sort((one, other) => one.order - other.order);
      const firsts = new Map<string, Set<Acceptance>>();
      const client = async () => {
        for (let next = work.pop(); next; next = work.pop()) {
          const delivery = await deliverWithRetries(next.imprint, next.acceptance, deliver, random);
          if (delivery === undefined) continue;
          const told = firsts.get(next.imprint) ?? new Set();
          firsts.set(next.imprint, delivery === "first" ? told.add(next.acceptance) : told);
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      return firsts;
    },

    startKilling: () => startKilling(db),
  };
}

/**
 * Runs rounds of 50 clients on 100 units, every other one with killed connections unless disabled; returns miscounts.
 */
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
    const again = await deliverAll([...delivered.keys()], deliver);
    const twice = [...delivered].filter(([imprint, told]) => {
      const owners = again.get(imprint) ?? new Set();
      return owners.size !== 1 || [...told].some((acceptance) => !owners.has(acceptance));
    }).length;
    const reread = await counts();
    const isExact = [first, reread].every((count) => count?.units === UNITS && count.ledger === UNITS);
    if (!isExact || delivered.size !== UNITS || twice > 0)
      miscounts.push(`round ${round}: ${JSON.stringify({ first, reread, delivered: delivered.size, twice })}`);
    onProgress?.(`${round + 1} of ${rounds} rounds, ${miscounts.length} miscounts`);
  }
  return miscounts;
}

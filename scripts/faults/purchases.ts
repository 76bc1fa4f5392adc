import { setTimeout as delay } from "node:timers/promises";

import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { randomOf } from "../common/random";
import type { Fault } from "../sandbox/faults";
import { SANDBOX_PRICE_ATOMIC, type Sandbox } from "../sandbox/sandbox";
import { buyOnce } from "./buy-once";
import { openFaultProxy } from "./fault-proxy";
import { readRequests } from "./readers";
import { inParallel, integers } from "../common/in-parallel";
import { failing } from "../common/report";

/** Concurrent purchases. */
const CONCURRENCY = 16;
/** Share of the service's answers that are lost. */
const LOST_ANSWERS = 0.08;
const FAULTS: readonly Fault[] = [
  "accept_then_timeout",
  "5xx_after_settle",
  "rpc_answer_lost",
  "malformed_answer",
  "declared_safe",
  "kill_after_broadcast",
  "verify_5xx",
  "facilitator_down",
  "reconcile_unavailable",
];
const FAULT_EVERY_MS = 1_500;
const FAULT_MS = 120;

/** The service under test, which can be killed and restarted on another port. */
export type Seller = {
  sandbox: Sandbox;
  db: Db;
  url: () => string;
  /** Kills every process of the service and restarts it. */
  restart: () => Promise<void>;
};

type Options = { purchases: number; kills: number; seed: number; onProgress?: (text: string) => void };

export type Stored = { intents: number; active: number; settled: number; open: number; grants: number; twice: number };

export async function readStored(db: Db): Promise<Stored> {
  const [row] = await db.execute<Stored>(sql`
    select count(*)::int as intents, count(*) filter (where status = 'active')::int as active,
      (select count(*)::int from payment_attempts where outcome = 'settled') as settled,
      (select count(*)::int from payment_attempts where outcome is null) as open,
      (select count(*)::int from trial_grants) as grants,
      (select count(*)::int from (select 1 from trial_grants group by intent_id having count(*) > 1) doubled) as twice
    from trial_intents`);
  if (!row) throw new Error("nothing is stored");
  return row;
}

/** Injects short faults of the facilitator and the node, one at a time. */
async function disturb(sandbox: Sandbox, random: () => number, signal: AbortSignal): Promise<number> {
  let count = 0;
  for (;;) {
    await delay(FAULT_EVERY_MS * random(), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return count;
    sandbox.inject(FAULTS[Math.floor(random() * FAULTS.length)] ?? "5xx_after_settle");
    count += 1;
    await delay(FAULT_MS);
    await sandbox.heal();
  }
}

type PurchasesSummary = {
  purchases: number;
  kills: number;
  faults: number;
  calls: number;
  lostAnswers: number;
  signatures: number;
  stored: Stored;
  violations: string[];
};

/**
 * Makes single-call purchases while answers are lost, calls are repeated and duplicated, the facilitator and the node
 * fail, and the service is killed at arbitrary points. Each buyer must end up with one payment and one trial.
 */
export async function runPurchases(seller: Seller, { purchases, kills, seed, onProgress }: Options) {
  const { sandbox, db } = seller;
  const random = randomOf(seed);
  const [before, incomeBefore] = [await readStored(db), sandbox.income()];
  const faultProxy = await openFaultProxy(seller.url(), {
    createReader: readRequests,
    onAnswer: () => random() >= LOST_ANSWERS,
  });
  const summary: PurchasesSummary = {
    ...{ purchases: 0, kills: 0, faults: 0, calls: 0, lostAnswers: 0, signatures: 0 },
    stored: before,
    violations: [],
  };
  const accounts: string[] = [];
  const ended = new AbortController();
  const disturbing = disturb(sandbox, random, ended.signal);
  let restarting: Promise<void> | undefined;

  const killWhenDue = () => {
    const isDue = summary.kills < kills && summary.purchases >= ((summary.kills + 1) * purchases) / (kills + 1);
    if (!isDue || restarting) return;
    summary.kills += 1;
    restarting = seller
      .restart()
      .then(() => {
        faultProxy.moveTo(seller.url());
      })
      .catch((error: unknown) => {
        summary.violations.push(`the service did not restart: ${String(error)}`);
      })
      .finally(() => (restarting = undefined));
  };
  await inParallel(CONCURRENCY, integers(purchases), async () => {
    const bought = await buyOnce({ sandbox, url: faultProxy.url, random });
    summary.purchases += 1;
    accounts.push(bought.address);
    for (const figure of ["calls", "lostAnswers", "signatures"] as const) summary[figure] += bought[figure];
    summary.violations.push(...bought.violations.map((text) => `${bought.address}: ${text}`));
    killWhenDue();
    if (summary.purchases % 100 === 0)
      onProgress?.(`${summary.purchases} of ${purchases} purchases, ${summary.violations.length} violations`);
  });
  await restarting;
  ended.abort();
  summary.faults = await disturbing;
  await faultProxy.close();

  summary.stored = await readStored(db);
  summary.violations.push(...findViolations(seller, { accounts, before, after: summary.stored, incomeBefore }));
  return summary;
}

type Facts = { accounts: readonly string[]; before: Stored; after: Stored; incomeBefore: bigint };

/** Invariants once every buyer has its trial. Each account started with ten times the price. */
export function findViolations(
  { sandbox }: Pick<Seller, "sandbox">,
  { accounts, before, after, incomeBefore }: Facts,
): string[] {
  const count = accounts.length;
  const overcharged = accounts.flatMap((address) => {
    const paid = 10n * SANDBOX_PRICE_ATOMIC - sandbox.chain.token.balanceOf(address);
    return paid === SANDBOX_PRICE_ATOMIC ? [] : [`${address} paid ${paid}`];
  });
  const earned = sandbox.income() - incomeBefore;
  const checks: [boolean, string][] = [
    [earned === BigInt(count) * SANDBOX_PRICE_ATOMIC, `${count} purchases brought ${earned}`],
    [after.intents - before.intents === count, `${after.intents - before.intents} intents for ${count} claim tokens`],
    [after.active - before.active === count, `${after.active - before.active} purchases are active`],
    [after.settled - before.settled === count, `${after.settled - before.settled} payments are settled`],
    [after.grants - before.grants === count, `${after.grants - before.grants} trials were created`],
    [after.open === before.open, `${after.open - before.open} payments are undecided`],
    [after.twice === 0, `${after.twice} purchases have more than one trial`],
  ];
  return [...overcharged, ...failing(checks)];
}

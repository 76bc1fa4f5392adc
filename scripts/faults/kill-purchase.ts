import { decodePaymentSignatureHeader } from "@x402/core/http";
import { sql } from "drizzle-orm";

import { type Database, isDatabaseUnavailable } from "@/db/client";
import { isAppError } from "@/lib/contract/errors";
import { idToUuid } from "@/lib/contract/ids";
import { call } from "@/test/visits";
import { moneyOf, type Purchase, startPurchase } from "@/test/trials";
import type { TrialPorts } from "@/lib/trials/run-flow";
import { SANDBOX_PRICE_ATOMIC, type Sandbox } from "../sandbox/sandbox";
import type { World } from "./task";
import { type KillCondition, runKillable } from "./run-killable";
import { until } from "../common/until";
import { failing } from "../common/report";

/** How the buyer continues after its seller was killed. */
export const BUYERS = ["sends the payment again", "asks what to pay", "takes the payment back"] as const;
type Buyer = (typeof BUYERS)[number];

export type Dependencies = {
  db: Database;
  sandbox: Sandbox;
  world: World;
  /** The bundle of `killable.ts`. */
  program: string;
  /** Ports of the replica that continues after the other one was killed. */
  ports: TrialPorts;
};

type Plan = {
  /** The first process handles the payment; each later one continues from where the previous one was killed. */
  kills: KillCondition[];
  buyer: Buyer;
  isNaive?: boolean;
};

type PurchaseOutcome = {
  /** The message after which each process was killed. */
  kills: string[];
  /** The messages of the first process. */
  messages: string[];
  /** Number of payments signed by the buyer: a second one only after a proof that nothing was taken. */
  signatures: number;
  violations: string[];
};

const WAIT_TIMEOUT_MS = 120_000;
const PAUSE_MS = 100;

const inTime = <T>(look: () => Promise<T | undefined>, what: string): Promise<T> =>
  until(look, { what: `${what} did not happen in time`, timeoutMs: WAIT_TIMEOUT_MS, everyMs: PAUSE_MS });

type Left = { isLeased: boolean; sealedPayments: number };

async function readLeft(db: Database, intentId: string): Promise<Left> {
  const [row] = await db.execute<Left>(sql`
    select coalesce(lease_until > clock_timestamp(), false) as "isLeased",
      (select count(sealed_payload)::int from payment_attempts a where a.intent_id = i.intent_id) as "sealedPayments"
    from trial_intents i where intent_id = ${idToUuid(intentId)}::uuid`);
  if (!row) throw new Error(`${intentId} is not stored`);
  return row;
}

/** Codes of 502 and 503 responses, after which clients retry. */
const RETRIED = new Set(["payment_unavailable", "facilitator_error", "service_unavailable"]);

/** The result of a request, or undefined if it should be retried. */
async function unlessUnavailable<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isDatabaseUnavailable(error) || (isAppError(error) && RETRIED.has(error.code))) return undefined;
    throw error;
  }
}

/** Continues as the buyer until the trial is active, signing for every challenge, as plain HTTP clients do. */
async function completePurchase({ activate, poll, buyer }: Purchase, first: string | undefined): Promise<void> {
  let held = first;
  await inTime(async () => {
    const reply = await unlessUnavailable(activate(held));
    if (reply?.status === 402) held = (await buyer.sign(reply.body as never)).header; // safe: the body is the challenge
    if (reply?.status === 202) await unlessUnavailable(poll());
    return reply?.status === 200 ? true : undefined;
  }, "an active trial");
}

/** Invariants once the trial is active; returns the violations. */
async function checkPurchase({ db, sandbox }: Dependencies, purchase: Purchase, before: bigint): Promise<string[]> {
  const { intentId, buyer } = purchase;
  const [money, left] = [await moneyOf(db, intentId), await readLeft(db, intentId)];
  const status = await inTime(() => unlessUnavailable(purchase.poll()), "a status");
  const paid = before - sandbox.chain.token.balanceOf(buyer.account.address);
  const key = "api_key" in status ? status.api_key : undefined;
  const grant = await call("/api/v1/agent/trial", { headers: { "x-api-key": key ?? "" } });
  const guarantees: [boolean, string][] = [
    [paid === SANDBOX_PRICE_ATOMIC, `the buyer paid ${paid}`],
    [money.settled === 1, `${money.settled} payments are settled`],
    [money.open === 0, `${money.open} payments are undecided`],
    [money.grants === 1, `${money.grants} trials were created`],
    [money.status === "active", `the purchase is ${money.status}`],
    [left.sealedPayments === 0, `${left.sealedPayments} payments are still stored`],
    [grant.status === 200, `a request with the key returns ${grant.status}`],
  ];
  return failing(guarantees);
}

/** Makes one purchase whose sellers are killed as planned, until the buyer has its trial. */
export async function killPurchase(dependencies: Dependencies, plan: Plan): Promise<PurchaseOutcome> {
  const { db, sandbox, world, program, ports } = dependencies;
  const purchase = await startPurchase(db, sandbox, ports);
  const { intentId, buyer } = purchase;
  const before = sandbox.chain.token.balanceOf(buyer.account.address);
  const signature = await inTime(() => unlessUnavailable(purchase.sign()), "a challenge");
  const kills: string[] = [];
  let messages: string[] = [];
  for (const [index, shouldKill] of plan.kills.entries()) {
    const isFirst = index === 0;
    if (!isFirst)
      await inTime(async () => ((await readLeft(db, intentId)).isLeased ? undefined : true), "the lease's end");
    const order = { world, intentId, isNaive: plan.isNaive ?? false, signature: isFirst ? signature : undefined };
    const run = await runKillable(program, order, shouldKill);
    if (isFirst) messages = run.messages;
    if (run.isKilled) kills.push(run.messages.at(-1) ?? "");
  }
  if (plan.buyer === "takes the payment back") await sandbox.cancel(decodePaymentSignatureHeader(signature));
  await completePurchase(purchase, plan.buyer === "asks what to pay" ? undefined : signature);
  return {
    kills,
    messages,
    signatures: buyer.signatures(),
    violations: await checkPurchase(dependencies, purchase, before),
  };
}

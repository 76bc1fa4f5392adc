import { randomBytes } from "node:crypto";

import { sql } from "drizzle-orm";

import type { Database, Db } from "@/db/client";
import { ensurePartitions } from "@/db/partitions";
import { env } from "@/lib/platform/env";
import { idToUuid } from "@/lib/contract/ids";
import { createPayments } from "@/lib/trials/payments/create-payments";
import type { Site } from "@/test/visits";
import { createBuyer } from "@/scripts/sandbox/buyer";
import type { Sandbox } from "@/scripts/sandbox/sandbox";
import { activateIntent } from "@/lib/trials/activate-intent";
import { buyTrial as buyByOneCall } from "@/lib/trials/buy-trial";
import { createIntent } from "@/lib/trials/create-intent";
import { identifyPurchase } from "@/lib/trials/identify-purchase";
import { readIntent } from "@/lib/trials/read-intent";
import type { TrialPorts } from "@/lib/trials/run-flow";

export const ORIGIN = "https://agent.example";

/** External dependencies of a purchase in a sandbox, with short timeouts. */
export function sandboxPorts(sandbox: Sandbox, given: Partial<Omit<TrialPorts, "payments">> = {}): TrialPorts {
  const payments = createPayments({ ...env, ...sandbox.variables, X402_SETTLE_TIMEOUT_S: 1, X402_MAX_TIMEOUT_S: 60 });
  return { payments, leaseSeconds: 1, responseTimeoutMs: 15_000, ...given };
}

export const systemContext = (db: Db) => ({ db, now: new Date(), actor: { kind: "system" } as const });

/** An IP address that no other test uses. */
export function anAddress(): string {
  const [a = 0, b = 0, c = 0] = randomBytes(3);
  return `10.${a}.${b}.${c}`;
}

/** Makes one purchase through the use cases that an agent calls over HTTP. */
export async function startPurchase(
  db: Database,
  sandbox: Sandbox,
  ports: TrialPorts,
  { origin = ORIGIN }: { origin?: string } = {},
) {
  await ensurePartitions(db, new Date(), new Date());
  const created = await createIntent({ db }, { product_code: "agent_trial_lite_100", origin }, ports);
  const claim = { intentId: created.intent_id };
  const buyer = createBuyer(sandbox.createAccount());
  const activate = (signature?: string, over: Db = db) =>
    activateIntent(systemContext(over), claim, { signature }, ports);
  return {
    ...created,
    intentId: created.intent_id,
    buyer,
    activate,
    /** A signed payment for the current challenge. */
    async sign(from = buyer): Promise<string> {
      const reply = await activate();
      if (reply.status !== 402) throw new Error(`expected a challenge, not ${reply.status}`);
      return (await from.sign(reply.body as never)).header; // safe: the body of a 402 is a PaymentRequired
    },
    poll: () => readIntent(systemContext(db), claim, ports),
  };
}

/** Makes one single-call purchase with a claim token chosen by the buyer. */
export function openDoor(
  db: Database,
  sandbox: Sandbox,
  ports: TrialPorts,
  { claimToken = randomBytes(32).toString("base64url") }: { claimToken?: string } = {},
) {
  const buyer = createBuyer(sandbox.createAccount());
  const buy = async (signature?: string, origin = ORIGIN) => {
    await ensurePartitions(db, new Date(), new Date());
    const caller = await identifyPurchase(db, claimToken);
    return await buyByOneCall(
      systemContext(db),
      caller,
      { body: { origin, claim_token: claimToken }, signature },
      ports,
    );
  };
  const intentId = async () => {
    const { found } = await identifyPurchase(db, claimToken);
    if (!found) throw new Error("the claim token has no purchase");
    return found.intentId;
  };
  return {
    buyer,
    intentId,
    call: buy,
    /** The request that an indexer of paid resources sends. */
    probe: () => buyByOneCall(systemContext(db), undefined, { body: undefined, signature: undefined }, ports),
    /** A signed payment for this purchase's challenge. */
    async sign(): Promise<string> {
      const reply = await buy();
      if (reply.status !== 402) throw new Error(`expected a challenge, not ${reply.status}`);
      return (await buyer.sign(reply.body as never)).header; // safe: the body of a 402 is a PaymentRequired
    },
    poll: async () => readIntent(systemContext(db), { intentId: await intentId() }, ports),
  };
}

export type Purchase = Awaited<ReturnType<typeof startPurchase>>;

type Money = { settled: number; failed: number; open: number; grants: number; status: string };

/** A purchase's attempts, grants and status in the database. */
export async function moneyOf(db: Db, intentId: string): Promise<Money> {
  const intent = sql`${idToUuid(intentId)}::uuid`;
  const [row] = await db.execute<Money>(sql`
    select (select count(*)::int from payment_attempts where intent_id = ${intent} and outcome = 'settled') as settled,
      (select count(*)::int from payment_attempts where intent_id = ${intent} and outcome = 'failed') as failed,
      (select count(*)::int from payment_attempts where intent_id = ${intent} and outcome is null) as open,
      (select count(*)::int from trial_grants where intent_id = ${intent}) as grants,
      (select status from trial_intents where intent_id = ${intent}) as status`);
  if (!row) throw new Error("no such purchase");
  return row;
}

/** Buys an active trial, usable as a site. */
export async function buyTrial(db: Database, sandbox: Sandbox, ports: TrialPorts): Promise<Site & Purchase> {
  const purchase = await startPurchase(db, sandbox, ports);
  const reply = await purchase.activate(await purchase.sign());
  const status = await purchase.poll();
  if (reply.status !== 200 || !("api_key" in status)) throw new Error(`the purchase ended with ${reply.status}`);
  const [row] = await db.execute<{ workspace: string; app: string; key: string }>(sql`
    select workspace_id::text as workspace, web_app_id::text as app, key_id::text as key from trial_grants
    where intent_id = ${idToUuid(purchase.intentId)}::uuid`);
  const hex = (uuid = "") => uuid.replaceAll("-", "");
  return {
    ...purchase,
    workspaceId: `ws_${hex(row?.workspace)}`,
    webAppId: `app_${hex(row?.app)}`,
    keyId: `key_${hex(row?.key)}`,
    environmentId: status.environment_id,
    apiKey: status.api_key,
    origin: ORIGIN,
  };
}

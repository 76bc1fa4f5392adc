/**
 * Runs one step of a purchase in a separate process, through the service's own verbs, to be killed on the way. The
 * first argument is the order; standard output is the outcome as one line of JSON.
 */
import { connect } from "@/db/client";
import { sessionOptions } from "@/db/session-settings";
import { env } from "@/lib/platform/env";
import { isAppError } from "@/lib/contract/errors";
import { createPayments } from "@/lib/trials/payments/create-payments";
import type { Payments } from "@/lib/trials/payments";
import { publishSecrets } from "@/lib/platform/secrets";
import { activateIntent } from "@/lib/trials/activate-intent";
import { readIntent } from "@/lib/trials/read-intent";
import type { Order } from "./task";

const order = JSON.parse(process.argv[2] ?? "") as Order; // safe: written by run-killable.ts
const { world, intentId } = order;
publishSecrets(world.secrets);

/** A faulty seller that takes the money first and records it afterwards: the kills must detect this. */
const settlingAtVerification = (payments: Payments): Payments => ({
  ...payments,
  async verifyPayment(payment, terms) {
    const verdict = await payments.verifyPayment(payment, terms);
    if (verdict.valid) await payments.settlePayment(payment, terms, { by: verdict.by });
    return verdict;
  },
});

const payments = createPayments({ ...env, ...world.variables });
const ports = {
  payments: order.isNaive ? settlingAtVerification(payments) : payments,
  leaseSeconds: world.leaseSeconds,
  responseTimeoutMs: 15_000,
};
const url = world.databaseUrl;
const { db } = connect({ url, poolSize: 4, ...(await sessionOptions(url)), applicationName: "killable" });
const context = { db, now: new Date(), actor: { kind: "system" } as const };

async function run(): Promise<unknown> {
  if (order.signature === undefined) return await readIntent(context, { intentId }, ports);
  const { status } = await activateIntent(context, { intentId }, { signature: order.signature }, ports);
  return { status };
}

const outcome = await run().catch((error: unknown) => {
  if (!isAppError(error)) throw error;
  return { refused: error.code };
});
process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(0));

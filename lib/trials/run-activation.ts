import type { z } from "zod";

import { AppError, isAppError } from "@/lib/contract/errors";
import type { Context } from "@/lib/platform/context";
import { log } from "@/lib/platform/log";
import { composeSettlementHeader, type PaymentTerms, withReceipt } from "@/lib/trials/payments";
import { applyEvent } from "./apply-event";
import { checkPayment, lockTerms } from "./check-payment";
import { answerActivation } from "./domain/answers";
import { type Activation, activate } from "./domain/flow";
import { type Attempt, type Intent, isUnresolved } from "./domain/intent";
import { findAttempt } from "./queries-attempts";
import { type Presented, requireTerms, runFlow, type TrialPorts } from "./run-flow";
import { withTimeout } from "./with-timeout";

type Headers = Record<string, string>;

/** Outcome of an activation, to be rendered by the calling operation. */
export type Outcome =
  | { kind: "active"; headers: Headers }
  /** A payment may have been made; the reconciler continues with it. */
  | { kind: "pending"; intent: Pick<Intent, "status">; headers: Headers }
  | { kind: "challenge"; terms: PaymentTerms; reason: string | undefined; validUntil: Date };

/** The answer of an operation with one of these statuses. */
export type Reply<Responses extends Record<number, z.ZodType>, Status extends keyof Responses> = {
  [S in Status]: { status: S; body: z.input<Responses[S]>; headers: Headers };
}[Status];

const POLL_SECONDS = 2;

/** `PAYMENT-RESPONSE` once the latest attempt is settled; with a receipt if the trial is `delivered`. */
async function settlementHeaders(
  context: Pick<Context, "db">,
  { intentId, attempt }: Pick<Intent, "intentId"> & { attempt: Pick<Attempt, "attemptId"> | undefined },
  delivered?: { resource: string },
): Promise<Headers> {
  const stored = attempt && (await findAttempt(context.db, intentId, attempt.attemptId));
  if (!stored?.settleResponse || !stored.resolvedAt) return {};
  const response = stored.settleResponse as Parameters<typeof withReceipt>[0]; // safe: a SettleResponse was stored
  if (!delivered) return { "PAYMENT-RESPONSE": composeSettlementHeader(response) };
  const { requirement } = await requireTerms(context, intentId);
  const receipt = { ...delivered, requirement, at: stored.resolvedAt };
  return { "PAYMENT-RESPONSE": composeSettlementHeader(await withReceipt(response, receipt)) };
}

const pending = (intent: Pick<Intent, "status">, headers: Headers = {}): Outcome => ({
  kind: "pending",
  intent,
  headers: { ...headers, "Retry-After": String(POLL_SECONDS) },
});

type Asked = { intentId: string; signature: string | undefined; /** URL of the paid resource. */ resource: string };

async function outcomeOf(
  context: Context,
  activation: Activation,
  { resource }: Asked,
  ports: TrialPorts,
): Promise<Outcome> {
  const { intent, reason } = activation;
  switch (answerActivation(activation)) {
    case "active":
      return { kind: "active", headers: await settlementHeaders(context, intent, { resource }) };
    case "pending":
      return pending(intent, await settlementHeaders(context, intent));
    case "challenge":
      return { kind: "challenge", terms: await lockTerms(context, intent, ports), reason, validUntil: intent.payUntil };
    case "used":
      throw new AppError("payment_already_used");
    case "expired":
      throw new AppError("intent_expired");
    case "revoked":
      throw new AppError("intent_revoked");
  }
}

/** How long an answer to a failed activation waits for what is known of its payment. */
const HEADERS_TIMEOUT_MS = 1_000;

/** `PAYMENT-RESPONSE` if the presented payment was settled before its activation failed, as far as can be read. */
async function headersDespiteFailure(context: Context, intentId: string, [attemptId]: Iterable<string>) {
  const none = (): Headers => ({});
  const read = settlementHeaders(context, { intentId, attempt: attemptId === undefined ? undefined : { attemptId } });
  return await withTimeout(read.catch(none), HEADERS_TIMEOUT_MS, () => Promise.resolve(none()));
}

/** Refusals that hold regardless of the outcome of a presented payment. */
const isRefusal = (error: unknown): error is AppError =>
  isAppError(error) && (error.code.startsWith("intent_") || error.code === "payment_already_used");

/**
 * Activates an intent: returns a challenge without a payment, the outcome with one. At most one payment is taken. Once a
 * payment may have been submitted, every failure is answered as pending, never with another challenge.
 *
 * @throws AppError `invalid_payment`, `payment_already_used`, `intent_expired`, `intent_revoked`, `facilitator_error`,
 *   `payment_unavailable`
 */
export async function runActivation(context: Context, asked: Asked, ports: TrialPorts): Promise<Outcome> {
  const { intentId, signature } = asked;
  const presented = new Map<string, Presented>();
  const refused = new AbortController();
  const presentation = { signature: signature ?? "", presented, refused: refused.signal };
  const check = (intent: Intent) => checkPayment(context, intent, presentation, ports);
  const work = runFlow(activate(signature !== undefined, ports.leaseSeconds), {
    ...{ context, intentId, ports, presented },
    ...(signature === undefined ? {} : { check }),
  });
  try {
    const activation = await withTimeout(work, ports.responseTimeoutMs, async () => {
      const { intent } = await applyEvent(context, intentId, { kind: "undecided" });
      if (!isUnresolved(intent) && intent.status !== "active") throw new AppError("payment_unavailable");
      return { intent };
    });
    return await outcomeOf(context, activation, asked, ports);
  } catch (error) {
    if (presented.size === 0 || isRefusal(error)) {
      // The check may still be running, and must not present the payment any more.
      refused.abort();
      throw error;
    }
    log.warn(
      { err: error, intentId, requestId: context.requestId },
      "activation failed; the reconciler continues with the payment",
    );
    return pending({ status: "payment_in_progress" }, await headersDespiteFailure(context, intentId, presented.keys()));
  }
}

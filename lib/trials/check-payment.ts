import { AppError } from "@/lib/contract/errors";
import { readPayment, type PaymentTerms } from "@/lib/trials/payments";
import { seal } from "@/lib/platform/sealed";
import type { Context } from "@/lib/platform/context";
import { requireAvailability } from "./create-intent";
import { applyEvent, type EventContext } from "./apply-event";
import type { Checked } from "./domain/flow";
import type { Intent } from "./domain/intent";
import { type AttemptTerms, findNonceOwner } from "./queries-attempts";
import { isPurchaseBlocked } from "./queries-blocks";
import { newAttemptId, payloadPlace, type Presented, requireTerms, type TrialPorts } from "./run-flow";

/**
 * The payment terms of an intent. The first challenge locks them.
 *
 * @throws AppError `payment_unavailable`, `intent_expired`, `intent_revoked`
 */
export async function lockTerms(
  context: EventContext,
  intent: Pick<Intent, "intentId" | "isQuoteLocked">,
  ports: TrialPorts,
): Promise<PaymentTerms> {
  const terms = await requireAvailability(ports);
  if (!intent.isQuoteLocked) {
    const { intent: current } = await applyEvent(context, intent.intentId, { kind: "challenged", terms });
    // It may have ended while the availability was read; then nothing is locked.
    if (!current.isQuoteLocked) throw new AppError(current.status === "revoked" ? "intent_revoked" : "intent_expired");
  }
  return await requireTerms(context, intent.intentId);
}

const SPENT = "The authorization was already used: sign a new one";

type Presentation = {
  signature: string;
  presented: Map<string, Presented>;
  /** Aborted once the request was refused: its answer said that nothing was submitted. */
  refused: AbortSignal;
};

/**
 * Validates a presented payment against the locked terms, the payments of all other intents, the facilitator and the
 * chain. Submits nothing.
 *
 * @throws AppError `invalid_payment`, `payment_unavailable`, `facilitator_error`, `intent_expired`, `intent_revoked`
 */
export async function checkPayment(
  context: EventContext & Pick<Context, "now">,
  intent: Intent,
  { signature, presented, refused }: Presentation,
  ports: TrialPorts,
): Promise<Checked> {
  const terms = await lockTerms(context, intent, ports);
  const read = readPayment(signature, terms, context.now);
  if (read.kind === "malformed") throw new AppError("invalid_payment", { message: read.message });
  if (read.kind === "unacceptable") return read;
  const { payment } = read;
  if (await isPurchaseBlocked(context.db, intent.intentId, payment.payer))
    return { kind: "unacceptable", reason: "Nothing is sold to this buyer" };
  const owner = await findNonceOwner(context.db, payment);
  if (owner !== undefined) return { kind: "used", by: owner === intent.intentId ? "own" : "other" };
  // Read before verification, which proves the nonce unused: any use of it must be in this block or a later one.
  const startBlock = await ports.payments.readStartBlock();
  const verdict = await ports.payments.verifyPayment(payment, terms);
  if (!verdict.valid) return { kind: "unacceptable", reason: verdict.reason };
  // If the authorization is spent but unknown here, another seller with the same recipient address has received it.
  if (await ports.payments.readIsSpent(payment)) return { kind: "unacceptable", reason: SPENT };
  if (refused.aborted) throw new AppError("payment_unavailable");
  const attemptId = newAttemptId();
  presented.set(attemptId, { payment, by: verdict.by });
  const { network, asset, payer, nonce, validAfter, validBefore } = payment;
  const payload: AttemptTerms = {
    payTo: terms.quote.pay_to,
    amountAtomic: terms.quote.amount_atomic,
    validAfter,
    facilitator: verdict.by,
    sealedPayload: seal(JSON.stringify(payment.payload), payloadPlace(attemptId)),
  };
  const attempt = { attemptId, network, asset, payer, nonce, validBefore: new Date(validBefore * 1000), startBlock };
  return { kind: "acceptable", attempt, payload };
}

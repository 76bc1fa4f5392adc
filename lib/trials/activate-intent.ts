import type { z } from "zod";

import type { Context } from "@/lib/platform/context";
import type { activateIntentOperation } from "@/lib/contract/trial";
import { AppError, ERRORS, isAppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";
import { composeChallenge, composeSettlementHeader, type PresentedPayment } from "@/lib/trials/payments";
import { activateUrl, statusUrl } from "./addresses";
import { applyEvent } from "./apply-event";
import type { ClaimPrincipal } from "./authenticate-claim";
import { checkPayment, lockTerms } from "./check-payment";
import { answerActivation } from "./domain/answers";
import { type Activation, activate } from "./domain/flow";
import { type Intent, isUnresolved } from "./domain/intent";
import { findAttempt } from "./queries-attempts";
import { runFlow, servicePorts, type TrialPorts } from "./run-flow";
import { withTimeout } from "./with-timeout";

type Responses = typeof activateIntentOperation.responses;
type ReplyOf<S extends keyof Responses> = {
  status: S;
  body: z.input<Responses[S]>;
  headers: Record<string, string>;
};
type ActivationReply = ReplyOf<200> | ReplyOf<202> | ReplyOf<402>;

const POLL_SECONDS = 2;

/** `PAYMENT-RESPONSE`, once the latest attempt is settled. */
async function settlementHeaders({ db }: Pick<Context, "db">, { intentId, attempt }: Intent) {
  const stored = attempt && (await findAttempt(db, intentId, attempt.attemptId));
  if (!stored?.settleResponse) return {};
  // safe: a SettleResponse was stored
  return { "PAYMENT-RESPONSE": composeSettlementHeader(stored.settleResponse as never) };
}

const pending = (headers: Record<string, string> = {}): ReplyOf<202> => ({
  status: 202,
  body: { error: { code: "settlement_pending", message: ERRORS.settlement_pending.message } },
  headers: { ...headers, "Retry-After": String(POLL_SECONDS) },
});

async function challenge(context: Context, activation: Activation, ports: TrialPorts): Promise<ReplyOf<402>> {
  const { intent, reason } = activation;
  const terms = await lockTerms(context, intent, ports);
  const { header, body } = composeChallenge(terms, {
    activateUrl: activateUrl(intent.intentId),
    ...(reason === undefined ? {} : { error: reason }),
  });
  return { status: 402, body, headers: { "PAYMENT-REQUIRED": header } };
}

async function replyTo(context: Context, activation: Activation, ports: TrialPorts): Promise<ActivationReply> {
  const { intent } = activation;
  const { intentId, status } = intent;
  switch (answerActivation(activation)) {
    case "active": {
      const body = { intent_id: intentId, status, status_url: statusUrl(intentId) };
      return { status: 200, body, headers: await settlementHeaders(context, intent) };
    }
    case "pending":
      return pending(await settlementHeaders(context, intent));
    case "challenge":
      return await challenge(context, activation, ports);
    case "used":
      throw new AppError("payment_already_used");
    case "expired":
      throw new AppError("intent_expired");
    case "revoked":
      throw new AppError("intent_revoked");
  }
}

/**
 * Activates an intent: a challenge without a payment, the outcome with one. One payment is taken at most. Once a
 * payment may have been submitted, every failure is answered as pending, never with another challenge.
 *
 * @throws AppError `invalid_payment`, `payment_already_used`, `intent_expired`, `intent_revoked`, `facilitator_error`,
 *   `payment_unavailable`
 */
export async function activateIntent(
  context: Context,
  { intentId }: ClaimPrincipal,
  { signature }: { signature: string | undefined },
  ports: TrialPorts = servicePorts(),
): Promise<ActivationReply> {
  const presented = new Map<string, PresentedPayment>();
  const check = (intent: Intent) => checkPayment(context, intent, { signature: signature ?? "", presented }, ports);
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
    return await replyTo(context, activation, ports);
  } catch (error) {
    if (presented.size === 0 || (isAppError(error) && error.code.startsWith("intent_"))) throw error;
    if (isAppError(error) && error.code === "payment_already_used") throw error;
    log.warn(
      { err: error, intentId, requestId: context.requestId },
      "activation failed; the reconciler continues with the payment",
    );
    return pending();
  }
}

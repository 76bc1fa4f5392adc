import type { Context } from "@/lib/platform/context";
import type { activateIntentOperation } from "@/lib/contract/trial";
import { composeChallenge } from "@/lib/trials/payments";
import { activateUrl, statusUrl } from "./addresses";
import type { ClaimPrincipal } from "./authenticate-claim";
import { askStatus } from "./payment-advice";
import { type Reply, runActivation } from "./run-activation";
import { servicePorts, type TrialPorts } from "./run-flow";

type Responses = typeof activateIntentOperation.responses;
type ActivationReply = Reply<Responses, 200 | 202 | 402>;

/**
 * Answers an activation, with the guarantees of `runActivation`.
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
  const resource = activateUrl(intentId);
  const outcome = await runActivation(context, { intentId, signature, resource }, ports);
  switch (outcome.kind) {
    case "active": {
      const body = { intent_id: intentId, status: "active" as const, status_url: statusUrl(intentId) };
      return { status: 200, body, headers: outcome.headers };
    }
    case "pending": {
      const body = { error: { code: "settlement_pending", message: askStatus(intentId) } };
      return { status: 202, body, headers: outcome.headers };
    }
    case "challenge": {
      const { terms, reason: error, validUntil } = outcome;
      const { header, body } = await composeChallenge(terms, { resource, error, validUntil });
      return { status: 402, body, headers: { "PAYMENT-REQUIRED": header } };
    }
  }
}

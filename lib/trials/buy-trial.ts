import type { z } from "zod";

import type { Context } from "@/lib/platform/context";
import type { buyTrialOperation } from "@/lib/contract/trial-purchase";
import { PRODUCT_CODE } from "@/lib/contract/product";
import { AppError } from "@/lib/contract/errors";
import { composeChallenge, type PaymentTerms } from "@/lib/trials/payments";
import { purchaseUrl, statusUrl } from "./addresses";
import { beginPurchase, requireOrigin, requireTermsOfSale } from "./create-intent";
import type { PurchasePrincipal } from "./identify-purchase";
import { askStatus } from "./payment-advice";
import { type Reply, runActivation } from "./run-activation";
import { servicePorts, type TrialPorts } from "./run-flow";

type Responses = typeof buyTrialOperation.responses;
type PurchaseReply = Reply<Responses, 200 | 202 | 402>;

export type PurchaseRequest = {
  /** Undefined for a probe. */
  body: z.output<typeof buyTrialOperation.body> | undefined;
  signature: string | undefined;
};

const readAt = (intentId: string) =>
  `The trial is active: ask ${statusUrl(intentId)} with \`Authorization: Bearer CLAIM_TOKEN\` for its environment and its key`;

async function challenge(
  terms: PaymentTerms,
  given: { error?: string | undefined; validUntil?: Date } = {},
): Promise<Reply<Responses, 402>> {
  const { header, body } = await composeChallenge(terms, { resource: purchaseUrl(), ...given });
  return { status: 402, body, headers: { "PAYMENT-REQUIRED": header } };
}

/** The purchase of the claim token, started unless it exists. */
async function openPurchase(
  context: Context,
  { claimHash, found }: PurchasePrincipal,
  origin: string,
  ports: TrialPorts,
): Promise<string> {
  const purchase = found ?? (await beginPurchase(context, { claimHash, origin }, ports));
  if (purchase.origin !== requireOrigin(origin)) {
    const message = `This claim token has a purchase for ${purchase.origin}: repeat that one, or generate another token`;
    throw new AppError("conflict", { message });
  }
  return purchase.intentId;
}

/**
 * Sells a trial in one call: returns a challenge without a payment, the outcome with one. A claim token has one purchase,
 * which every call with it continues, with the guarantees of `runActivation`. A probe gets the current terms, and nothing
 * is stored for it.
 *
 * @throws AppError `invalid_origin`, `conflict`, `product_unavailable`, `invalid_payment`, `payment_already_used`,
 *   `intent_expired`, `intent_revoked`, `facilitator_error`, `payment_unavailable`
 */
export async function buyTrial(
  context: Context,
  caller: PurchasePrincipal | undefined,
  { body, signature }: PurchaseRequest,
  ports: TrialPorts = servicePorts(),
): Promise<PurchaseReply> {
  if (!caller || !body) return await challenge(await requireTermsOfSale(context, PRODUCT_CODE, ports));
  const intentId = await openPurchase(context, caller, body.origin, ports);
  const outcome = await runActivation(context, { intentId, signature, resource: purchaseUrl() }, ports);
  if (outcome.kind === "challenge") {
    const { terms, reason: error, validUntil } = outcome;
    return await challenge(terms, { error, validUntil });
  }
  const common = { intent_id: intentId, status_url: statusUrl(intentId) };
  return outcome.kind === "active"
    ? { status: 200, body: { ...common, status: "active", message: readAt(intentId) }, headers: outcome.headers }
    : {
        status: 202,
        body: { ...common, status: outcome.intent.status, message: askStatus(intentId) },
        headers: outcome.headers,
      };
}

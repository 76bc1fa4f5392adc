import { randomBytes } from "node:crypto";

import type { Context } from "@/lib/platform/context";
import { PRODUCT_CODE, REPORT_CONTRACT, REPORT_UNITS, TRIAL_HOURS } from "@/lib/contract/product";
import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { CATALOG_LIMITS } from "@/lib/platform/limits";
import { sha256 } from "@/lib/platform/secrets";
import type { PaymentTerms } from "@/lib/trials/payments";
import { requireOrigins } from "@/lib/tenancy/web-apps";
import { PAY_WINDOW_MS } from "./domain/transitions";
import { activateUrl, statusUrl } from "./addresses";
import { findSale } from "./queries-blocks";
import { findProductSwitch } from "./queries-grants";
import { findIntentByClaim, insertIntent } from "./queries-intents";
import { servicePorts, type TrialPorts } from "./run-flow";

const CLAIM_TOKEN_BYTES = 32;

/** Validates an origin and returns its stored form. @throws AppError `invalid_origin` */
export function requireOrigin(text: string): string {
  const [origin = ""] = requireOrigins([text]);
  return origin;
}

/** @throws AppError `payment_unavailable` */
export async function requireAvailability({ payments }: TrialPorts): Promise<PaymentTerms> {
  const availability = await payments.readAvailability();
  if (!availability.available) throw new AppError("payment_unavailable");
  return availability.terms;
}

/**
 * The current terms of sale of a product, for a buyer that is not known yet.
 *
 * @throws AppError `product_unavailable`, `payment_unavailable`
 */
export async function requireTermsOfSale(
  { db }: Pick<Context, "db">,
  productCode: string,
  ports: TrialPorts,
): Promise<PaymentTerms> {
  if (!(await findProductSwitch(db, productCode))) throw new AppError("product_unavailable");
  return await requireAvailability(ports);
}

/**
 * Starts the purchase of a claim token. If two calls use the same token, one starts it and both get it.
 *
 * @throws AppError `invalid_origin`, `product_unavailable`, `payment_unavailable`
 */
export async function beginPurchase(
  { db }: Pick<Context, "db">,
  given: { claimHash: Uint8Array; origin: string },
  ports: TrialPorts,
): Promise<{ intentId: string; origin: string }> {
  const origin = requireOrigin(given.origin);
  const { isEnabled, isBlocked } = await findSale(db, PRODUCT_CODE, origin);
  if (!isEnabled) throw new AppError("product_unavailable");
  if (isBlocked) throw new AppError("product_unavailable", { message: "Nothing is sold to this origin" });
  await requireAvailability(ports);
  const { claimHash } = given;
  const intentId = newId("intent");
  const isNew = await insertIntent(db, {
    intentId,
    claimHash,
    origin,
    limits: CATALOG_LIMITS,
    payWindowMs: PAY_WINDOW_MS,
  });
  const begun = isNew ? { intentId, origin } : await findIntentByClaim(db, claimHash);
  if (!begun) throw new Error("the purchase of a claim token disappeared while it was started again");
  return begun;
}

/**
 * Starts a purchase. The claim token is only ever returned here; if the response is lost, create another intent.
 *
 * @throws AppError `product_not_found`, `invalid_origin`, `product_unavailable`, `payment_unavailable`
 */
export async function createIntent(
  context: Pick<Context, "db">,
  input: { product_code: string; origin: string },
  ports: TrialPorts = servicePorts(),
) {
  if (input.product_code !== PRODUCT_CODE) throw new AppError("product_not_found");
  const claimToken = randomBytes(CLAIM_TOKEN_BYTES).toString("base64url");
  const { intentId } = await beginPurchase(context, { claimHash: sha256(claimToken), origin: input.origin }, ports);
  return {
    intent_id: intentId,
    claim_token: claimToken,
    status: "payment_required" as const,
    product: {
      code: PRODUCT_CODE,
      report_units: REPORT_UNITS,
      expires_in_hours: TRIAL_HOURS,
      report_contract: REPORT_CONTRACT,
    } as const,
    activate_url: activateUrl(intentId),
    status_url: statusUrl(intentId),
  };
}

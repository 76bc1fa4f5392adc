import { randomBytes } from "node:crypto";

import type { Context } from "@/lib/platform/context";
import { PRODUCT_CODE, REPORT_CONTRACT, REPORT_UNITS, TRIAL_HOURS } from "@/lib/contract/product";
import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { CATALOG_LIMITS } from "@/lib/platform/limits";
import { sha256 } from "@/lib/platform/secrets";
import { requireOrigins } from "@/lib/tenancy/web-apps";
import { PAY_WINDOW_MS } from "./domain/transitions";
import { activateUrl, statusUrl } from "./addresses";
import { findSale } from "./queries-blocks";
import { insertIntent } from "./queries-intents";
import { servicePorts, type TrialPorts } from "./run-flow";

const CLAIM_TOKEN_BYTES = 32;

/**
 * Starts a purchase. Only the answer contains the claim token; after a lost answer another intent can be created.
 *
 * @throws AppError `product_not_found`, `invalid_origin`, `product_unavailable`, `payment_unavailable`
 */
export async function createIntent(
  { db }: Pick<Context, "db">,
  input: { product_code: string; origin: string },
  ports: TrialPorts = servicePorts(),
) {
  if (input.product_code !== PRODUCT_CODE) throw new AppError("product_not_found");
  const [origin = ""] = requireOrigins([input.origin]);
  const { isEnabled, isBlocked } = await findSale(db, PRODUCT_CODE, origin);
  if (!isEnabled) throw new AppError("product_unavailable");
  if (isBlocked) throw new AppError("product_unavailable", { message: "Nothing is sold to this origin" });
  const availability = await ports.payments.readAvailability();
  if (!availability.available) throw new AppError("payment_unavailable");
  const claimToken = randomBytes(CLAIM_TOKEN_BYTES).toString("base64url");
  const intentId = newId("intent");
  await insertIntent(db, {
    intentId,
    claimHash: sha256(claimToken),
    origin,
    limits: CATALOG_LIMITS,
    payWindowMs: PAY_WINDOW_MS,
  });
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

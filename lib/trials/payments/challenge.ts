import { encodePaymentRequiredHeader, encodePaymentResponseHeader } from "@x402/core/http";
import { PaymentRequiredV2Schema } from "@x402/core/schemas";
import type { HTTPAdapter } from "@x402/core/server";
import type { PaymentRequired, SettleResponse } from "@x402/core/types";
import { bazaarResourceServerExtension, declareDiscoveryExtension } from "@x402/extensions/bazaar";

import type { Challenge, PaymentTerms } from "./payments";

const INTENT_ID = /ati_[0-9a-f]{32}/;

/** Printable ASCII, at most 32 characters each: x402 bazaar metadata. */
const SERVICE = { serviceName: "Imprint", tags: ["device-intelligence", "fraud-prevention", "trial"] };

const DESCRIPTION =
  "Activates an Agent Trial: 100 device Reports within 72 hours. Credentials come from the status URL, never from here.";

const EXAMPLE = {
  intent_id: `ati_${"0".repeat(32)}`,
  status: "active",
  status_url: `/api/v1/agent/trial-intents/ati_${"0".repeat(32)}`,
};

/** The bazaar extension: how to call this resource, for catalogs of paid resources. It is the same for every challenge. */
function composeDiscovery(path: string): Record<string, unknown> {
  const declared = declareDiscoveryExtension({
    bodyType: "json",
    input: {},
    inputSchema: { properties: {} },
    output: { example: EXAMPLE },
  });
  const context = {
    method: "POST",
    // The pattern has to come without the verb, else the verb becomes part of the route.
    routePattern: path.replace(INTENT_ID, ":intentId"),
    adapter: { getPath: () => path } satisfies Pick<HTTPAdapter, "getPath">,
  };
  return Object.fromEntries(
    Object.entries(declared).map(([key, declaration]) => [
      key,
      bazaarResourceServerExtension.enrichDeclaration?.(declaration, context) ?? declaration,
    ]),
  );
}

/**
 * The challenge of a 402: the value of `PAYMENT-REQUIRED` and the same object for the body.
 *
 * @param options `error` is a reason code or text of this service, never of a client
 */
export function composeChallenge(terms: PaymentTerms, options: { activateUrl: string; error?: string }): Challenge {
  const { activateUrl, error = "PAYMENT-SIGNATURE header is required" } = options;
  const body: PaymentRequired = {
    x402Version: 2,
    error,
    resource: { url: activateUrl, description: DESCRIPTION, mimeType: "application/json", ...SERVICE },
    accepts: [terms.requirement],
    extensions: composeDiscovery(new URL(activateUrl).pathname),
  };
  PaymentRequiredV2Schema.parse(body);
  return { header: encodePaymentRequiredHeader(body), body };
}

/** The value of `PAYMENT-RESPONSE`. */
export const composeSettlementHeader = (response: SettleResponse): string => encodePaymentResponseHeader(response);

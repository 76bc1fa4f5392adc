import { encodePaymentRequiredHeader, encodePaymentResponseHeader } from "@x402/core/http";
import { PaymentRequiredV2Schema } from "@x402/core/schemas";
import type { PaymentRequired, SettleResponse } from "@x402/core/types";

import { composeDiscovery } from "./discovery";
import { offerOf } from "./offer-receipt";
import type { Challenge, PaymentTerms } from "./payments";

/** Printable ASCII, at most 32 characters each: limits of the x402 bazaar metadata. */
const SERVICE = { serviceName: "Imprint", tags: ["device-intelligence", "fraud-prevention", "trial"] };

/** At most 500 characters: longer descriptions are not indexed. Source: CDP, "Get discovered". */
const DESCRIPTION =
  "Agent Trial of Imprint: 100 device fingerprint Reports with access risk within 72 hours. Credentials come from the status URL, never from here.";

/** Longest `PAYMENT-REQUIRED` of an instance whose URL has at most 100 characters. Proxies must pass it. */
export const MAX_CHALLENGE_CHARACTERS = 6_144;

type Options = {
  /** URL of the paid resource. */
  resource: string;
  /** Expiry of locked terms, which are then offered with a signature. */
  validUntil?: Date | undefined;
  /** A reason code or text of this service, never from a client. */
  error?: string | undefined;
};

/** The challenge of a 402 response: the value of `PAYMENT-REQUIRED`, and the same object for the body. */
export async function composeChallenge(
  terms: PaymentTerms,
  { resource, error, validUntil }: Options,
): Promise<Challenge> {
  const bare: PaymentRequired = {
    x402Version: 2,
    error: error ?? "PAYMENT-SIGNATURE header is required",
    resource: { url: resource, description: DESCRIPTION, mimeType: "application/json", ...SERVICE },
    accepts: [terms.requirement],
  };
  const offer = validUntil && (await offerOf(bare, terms, validUntil));
  const body: PaymentRequired = { ...bare, extensions: { ...composeDiscovery(resource), ...offer } };
  PaymentRequiredV2Schema.parse(body);
  return { header: encodePaymentRequiredHeader(body), body };
}

/** The value of `PAYMENT-RESPONSE`. */
export const composeSettlementHeader = (response: SettleResponse): string => encodePaymentResponseHeader(response);

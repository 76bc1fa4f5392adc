import { z } from "zod";

import { defineOperation } from "./operation";
import { PRODUCT_CODE } from "./product";
import {
  INTENT_STATUSES,
  IntentId,
  PAYMENT_HEADERS,
  PaymentRequired,
  PaymentSignature,
  TrialOrigin,
  uriReference,
} from "./trial";

/** Published in examples, so no purchase may use it. */
export const EXAMPLE_CLAIM_TOKEN = "REPLACE_WITH_32_RANDOM_BYTES_IN_BASE64URL_0";

/** All but one in a hundred million 32-byte random tokens have at least this many distinct characters, even in hex. */
const MIN_DIFFERENT_CHARACTERS = 8;

const isDrawn = (token: string) => token !== EXAMPLE_CLAIM_TOKEN && new Set(token).size >= MIN_DIFFERENT_CHARACTERS;

const ClaimToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43,128}$/, "must be 32 random bytes in base64url or hex, generated for this purchase only")
  .refine(isDrawn, "must be 32 random bytes in base64url or hex, generated for this purchase only")
  .describe(
    "Secret of your own: 32 random bytes in base64url or hex, new for each purchase. Whoever holds it gets the trial",
  );

const PurchaseResult = z
  .strictObject({
    intent_id: IntentId,
    status: z.enum(INTENT_STATUSES),
    status_url: uriReference.describe("Returns the environment and the key, for `Authorization: Bearer CLAIM_TOKEN`"),
    message: z.string().describe("What to do next"),
  })
  .meta({ id: "PurchaseResult" });

export const buyTrialOperation = defineOperation({
  id: "buyTrial",
  method: "POST",
  path: "/api/v1/agent/trial",
  summary: "Buy a trial in one call",
  description:
    "Without a payment the response is 402 with the exact terms; an official x402 client signs them and sends the same request again. You generate the claim token, so that no lost response can lose it: repeating the call continues the same purchase, and a claim token pays at most once. The response never contains credentials: read them from the status URL.",
  security: "purchase",
  headers: z.strictObject({ "payment-signature": PaymentSignature }),
  body: z.strictObject({
    product_code: z.literal(PRODUCT_CODE).optional().describe("Code of a product of the catalog"),
    origin: TrialOrigin,
    claim_token: ClaimToken,
  }),
  probedWithout: "claim_token",
  mayHavePaid: true,
  bodyLimitBytes: 8 * 1024,
  addressLimit: "intentActivation",
  responses: { 200: PurchaseResult, 202: PurchaseResult, 402: PaymentRequired },
  responseHeaders: PAYMENT_HEADERS,
  errors: [
    "invalid_request",
    "invalid_origin",
    "invalid_payment",
    "conflict",
    "product_unavailable",
    "payment_already_used",
    "intent_expired",
    "intent_revoked",
    "rate_limited",
    "facilitator_error",
    "payment_unavailable",
  ],
});

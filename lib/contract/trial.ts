import { z } from "zod";

import { idPattern } from "@/lib/contract/ids";
import { EnvironmentId, ErrorEnvelope, Instant } from "./fields";
import { defineOperation } from "./operation";
import {
  Capabilities,
  MAX_REPORT_REQUESTS,
  MAX_SUBMIT_REQUESTS,
  PRODUCT_CODE,
  REPORT_CONTRACT,
  REPORT_UNITS,
  TRIAL_HOURS,
} from "./product";

export const INTENT_STATUSES = [
  "payment_required",
  "payment_in_progress",
  "payment_failed",
  "provisioning",
  "reconciliation_pending",
  "active",
  "expired",
  "revoked",
] as const;
export type IntentStatus = (typeof INTENT_STATUSES)[number];

/** Money may have moved while the purchase is not complete: no new payment is accepted. */
export const UNRESOLVED_STATUSES = [
  "payment_in_progress",
  "reconciliation_pending",
  "provisioning",
] as const satisfies readonly IntentStatus[];

export const IntentId = z.string().regex(idPattern("intent")).meta({
  id: "IntentId",
  description: "Purchase of one trial",
  example: "ati_5b1f0e8a6c2d4f7391b8e0a4d6c2f813",
});

const intentParams = z.strictObject({ intentId: IntentId });
const unit = z.int().min(0).max(REPORT_UNITS);
export const uriReference = z.string().regex(/^\S+$/);

export const TrialOrigin = z
  .string()
  .max(1000)
  .describe(
    "One exact http or https origin on which the trial's visits will happen. The default port of its scheme is left out",
  )
  .meta({ example: "https://agent.example" });

export const createIntentOperation = defineOperation({
  id: "createTrialIntent",
  method: "POST",
  path: "/api/v1/agent/trial-intents",
  summary: "Start the purchase of a trial",
  description:
    "The claim token is only in this response; keep it in memory. There is no payment challenge, environment or key yet. A lost response costs nothing: create another intent.",
  security: "none",
  body: z.strictObject({
    product_code: z.string().max(100).describe("Code of a product of the catalog").meta({ example: PRODUCT_CODE }),
    origin: TrialOrigin,
  }),
  bodyLimitBytes: 8 * 1024,
  addressLimit: "intentCreation",
  responses: {
    201: z.strictObject({
      intent_id: IntentId,
      claim_token: z.string().describe("Secret; sent as `Authorization: Bearer` to the two URLs below"),
      status: z.literal("payment_required"),
      product: z.strictObject({
        code: z.literal(PRODUCT_CODE),
        report_units: z.literal(REPORT_UNITS),
        expires_in_hours: z.literal(TRIAL_HOURS),
        report_contract: z.literal(REPORT_CONTRACT),
      }),
      activate_url: uriReference,
      status_url: uriReference,
    }),
  },
  errors: [
    "invalid_request",
    "invalid_origin",
    "product_not_found",
    "product_unavailable",
    "rate_limited",
    "payment_unavailable",
  ],
});

const ActivationResult = z
  .strictObject({ intent_id: IntentId, status: z.enum(INTENT_STATUSES), status_url: uriReference })
  .meta({ id: "ActivationResult" });

const text = { type: "string" } as const;

/** An open object, as in x402: clients ignore unknown members. The members are documented, not checked here. */
export const PaymentRequired = z.looseObject({}).meta({
  description: "The PaymentRequired object, which the header contains in base64",
  required: ["x402Version", "resource", "accepts"],
  properties: {
    x402Version: { type: "integer", const: 2 },
    error: { ...text, description: "Why there is no payment yet, or why the last one was not accepted" },
    resource: {
      type: "object",
      required: ["url"],
      properties: { url: { ...text, description: "URL to which the payment is sent" } },
    },
    accepts: {
      type: "array",
      description: "The terms, locked for this intent: one entry",
      items: {
        type: "object",
        required: ["scheme", "network", "asset", "amount", "payTo", "maxTimeoutSeconds"],
        properties: {
          scheme: { ...text, const: "exact" },
          network: { ...text, description: "CAIP-2" },
          asset: { ...text, description: "Address of the token" },
          amount: { ...text, description: "The whole price in atomic units" },
          payTo: text,
          maxTimeoutSeconds: { type: "integer", description: "Maximum lifetime of the authorization" },
          extra: { type: "object", description: "EIP-712 name and version of the token" },
        },
      },
    },
    extensions: { type: "object", description: "How to call this resource, for catalogs of paid resources" },
  },
});

/** Longer than any EIP-3009 payload, including echoed extensions and a smart wallet's signature. */
export const MAX_PAYMENT_CHARACTERS = 12_288;

export const PaymentSignature = z
  .string()
  .max(MAX_PAYMENT_CHARACTERS)
  .optional()
  .describe("Base64 of an x402 version 2 PaymentPayload for the terms of the challenge");

/** Headers of responses to a payment. */
export const PAYMENT_HEADERS = {
  "PAYMENT-REQUIRED": {
    description: "Base64 of an x402 version 2 PaymentRequired object",
    required: true,
    statuses: [402],
  },
  "PAYMENT-RESPONSE": {
    description: "Base64 of an x402 version 2 SettleResponse, once the payment is settled",
    required: false,
    statuses: [200, 202],
  },
  "Retry-After": { description: "Seconds until the status is worth polling", required: true, statuses: [202] },
} as const;

export const activateIntentOperation = defineOperation({
  id: "activateTrialIntent",
  method: "POST",
  path: "/api/v1/agent/trial-intents/{intentId}/activate",
  summary: "Pay for a trial",
  description:
    "The first request returns 402 with the exact terms in `PAYMENT-REQUIRED`. Sign them and send the same request with `PAYMENT-SIGNATURE`. On 202 do not pay again: poll the status. A response never contains credentials.",
  security: "claimToken",
  params: intentParams,
  headers: z.strictObject({
    "payment-signature": PaymentSignature,
  }),
  bodyLimitBytes: 8 * 1024,
  addressLimit: "intentActivation",
  mayHavePaid: true,
  unmatchedParams: "intent_not_found",
  responses: {
    200: ActivationResult,
    202: ErrorEnvelope,
    402: PaymentRequired,
  },
  responseHeaders: PAYMENT_HEADERS,
  errors: [
    "invalid_request",
    "invalid_payment",
    "auth_failed",
    "intent_not_found",
    "payment_already_used",
    "intent_expired",
    "intent_revoked",
    "rate_limited",
    "facilitator_error",
    "payment_unavailable",
  ],
});

const PendingIntent = z
  .strictObject({
    intent_id: IntentId,
    status: z.enum(INTENT_STATUSES).exclude(["active"]),
    expires_at: Instant.describe(
      "End of the pay window; while a payment is unresolved, the time by which it must be decided; afterwards, when it ended",
    ),
  })
  .meta({ id: "PendingIntent" });

const activeFields = {
  trial_id: z.string().regex(idPattern("trial")),
  status: z.literal("active"),
  environment_id: EnvironmentId,
  allowed_origin: z.url(),
  quota: z.strictObject({ total_reports: z.literal(REPORT_UNITS), used_reports: unit, remaining_reports: unit }),
  expires_at: Instant,
  report_endpoint: z.literal("/api/v1/fingerprint/report/{imprint}"),
};

const DeliveringIntent = z
  .strictObject({ ...activeFields, api_key: z.string().describe("Secret; returned during the delivery window") })
  .meta({ id: "ActiveIntentWithKey" });

const DeliveredIntent = z
  .strictObject({ ...activeFields, credential_delivery_expired: z.literal(true) })
  .meta({ id: "ActiveIntent" });

const IntentStatusBody = z.union([PendingIntent, DeliveringIntent, DeliveredIntent]);

export const readIntentOperation = defineOperation({
  id: "readTrialIntent",
  method: "GET",
  path: "/api/v1/agent/trial-intents/{intentId}",
  summary: "Poll a purchase and receive its credentials",
  description:
    "Once active, the environment and the key are top-level fields. The key is returned for 60 minutes from the first response that contained it.",
  security: "claimToken",
  params: intentParams,
  hasEffects: true,
  bodyLimitBytes: 0,
  addressLimit: "intentStatus",
  mayHavePaid: true,
  unmatchedParams: "intent_not_found",
  responses: { 200: IntentStatusBody },
  errors: ["auth_failed", "intent_not_found", "rate_limited"],
});

const GRANT_STATUSES = ["active", "expired", "revoked"] as const;
export type GrantStatus = (typeof GRANT_STATUSES)[number];

export const TrialGrant = z
  .strictObject({
    status: z.enum(GRANT_STATUSES),
    product_code: z.literal(PRODUCT_CODE),
    total_report_units: z.literal(REPORT_UNITS),
    used_report_units: unit,
    remaining_report_units: unit,
    expires_at: Instant,
    capabilities: Capabilities,
    limits: z.strictObject({
      submit_requests: z.int().min(1),
      submit_requests_used: z.int().min(0),
      report_requests: z.int().min(1),
      report_requests_used: z.int().min(0),
      requests_per_second: z.int().min(1),
    }),
    remaining_submit_requests: z.int().min(0).max(MAX_SUBMIT_REQUESTS),
    remaining_report_requests: z.int().min(0).max(MAX_REPORT_REQUESTS),
  })
  .meta({ id: "TrialGrant" });
export type TrialGrant = z.infer<typeof TrialGrant>;

export const readTrialGrantOperation = defineOperation({
  id: "readTrialGrant",
  method: "GET",
  path: "/api/v1/agent/trial",
  summary: "Read the grant of the calling trial key",
  description: "Also works for expired and revoked trials, and uses no report request.",
  security: "apiKey",
  bodyLimitBytes: 0,
  responses: { 200: TrialGrant },
  errors: ["auth_failed", "trial_key_required", "rate_limited"],
});

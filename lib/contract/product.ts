import { z } from "zod";

import { defineOperation } from "./operation";

export const PRODUCT_CODE = "agent_trial_lite_100";
export const REPORT_UNITS = 100;
export const TRIAL_HOURS = 72;
export const REPORT_CONTRACT = "report-v1";
export const CAPABILITIES = ["fingerprint.submit", "fingerprint.report.lite", "agent.trial.status"] as const;

/** The catalog's default limits. */
export const DEFAULT_LIMITS = {
  submit_requests: 300,
  report_requests: 1000,
  requests_per_second: 5,
  intent_creates_per_ip_per_minute: 10,
  intent_activations_per_ip_and_intent_per_minute: 30,
} as const;

/** The contract's maxima for a grant's counters. */
export const MAX_SUBMIT_REQUESTS = 300;
export const MAX_REPORT_REQUESTS = 1000;

const limit = (name: keyof typeof DEFAULT_LIMITS, description: string) =>
  z.int().min(1).describe(description).meta({ default: DEFAULT_LIMITS[name] });

export const ProductLimits = z
  .strictObject({
    submit_requests: limit("submit_requests", "Accepted submissions of the trial's environment"),
    report_requests: limit("report_requests", "Report requests with the trial's key, including re-reads and misses"),
    requests_per_second: limit(
      "requests_per_second",
      "Requests with the trial's key; submissions are counted separately",
    ),
    intent_creates_per_ip_per_minute: limit("intent_creates_per_ip_per_minute", "Intents created by one IP address"),
    intent_activations_per_ip_and_intent_per_minute: limit(
      "intent_activations_per_ip_and_intent_per_minute",
      "Activations of one intent by one IP address",
    ),
  })
  .meta({ id: "ProductLimits", description: "A trial keeps the limits that applied when its intent was created" });
export type ProductLimits = z.infer<typeof ProductLimits>;

const PaymentQuote = z
  .strictObject({
    amount_atomic: z
      .string()
      .regex(/^[0-9]+$/)
      .describe("Atomic units of the asset"),
    asset: z.string().describe("Token contract"),
    network: z.string().describe("CAIP-2 network identifier"),
    pay_to: z.string().describe("Recipient address"),
  })
  .meta({ id: "PaymentQuote" });
type PaymentQuote = z.infer<typeof PaymentQuote>;

export const Capabilities = z
  .tuple([z.literal(CAPABILITIES[0]), z.literal(CAPABILITIES[1]), z.literal(CAPABILITIES[2])])
  .describe("What the trial's key and environment may do")
  .meta({ minItems: CAPABILITIES.length, maxItems: CAPABILITIES.length });

export const Product = z
  .strictObject({
    code: z.literal(PRODUCT_CODE),
    version: z.literal("v1"),
    display_name: z.literal("Agent Trial — 100 Lite Reports"),
    available: z.boolean().describe("Whether it can be bought now"),
    protocol: z.literal("x402-compatible"),
    scheme: z.literal("exact"),
    price: PaymentQuote.optional().describe("Present if and only if `available` is true"),
    report_units: z.literal(REPORT_UNITS),
    expires_in_hours: z.literal(TRIAL_HOURS),
    report_contract: z.literal(REPORT_CONTRACT),
    capabilities: Capabilities,
    limits: ProductLimits,
    docs_url: z.url(),
  })
  .meta({ id: "Product" });
export type Product = z.infer<typeof Product>;

export const API_CATALOG_LINK = "</.well-known/api-catalog>; rel=api-catalog";

export const listProductsOperation = defineOperation({
  id: "listProducts",
  method: "GET",
  path: "/api/v1/agent/products",
  summary: "List what an agent can buy",
  description:
    "The live authority for availability, price, asset, network, duration, capabilities and limits: infer none of them from examples.",
  security: "none",
  bodyLimitBytes: 0,
  addressLimit: "catalog",
  responses: { 200: z.strictObject({ products: z.array(Product) }) },
  responseHeaders: {
    Link: { description: "Entry point of this API's description", required: true, values: [API_CATALOG_LINK] },
  },
  errors: ["rate_limited", "internal_error"],
});

import { z } from "zod";

import { DEFAULT_LIMITS, MAX_REPORT_REQUESTS, MAX_SUBMIT_REQUESTS } from "@/lib/contract/product";
import { httpUrl } from "./env-values";

const offered = (name: keyof typeof DEFAULT_LIMITS, most: number) =>
  z.coerce.number().int().min(1).max(most).default(DEFAULT_LIMITS[name]);
const MAX_A_SECOND = 1_000;
const MAX_A_MINUTE = 10_000;

/** Variables of the trials on sale and of their payment. */
export const trialVariables = {
  X402_FACILITATOR_URL: httpUrl
    .optional()
    .describe("x402 facilitator that verifies and settles payments. Without it Agent Trials are not on sale."),
  X402_FACILITATOR_TOKEN: z.string().optional().describe("Bearer token that the facilitator requires, if any."),
  CDP_API_KEY_ID: z
    .string()
    .optional()
    .describe("Id of a CDP API key, for Coinbase's facilitator: each request gets a token of its own."),
  CDP_API_KEY_SECRET: z
    .string()
    .optional()
    .describe("Its secret: an Ed25519 key in base64, or a P-256 key as PEM, whose line ends may be written `\\n`."),
  X402_FALLBACK_FACILITATOR_URL: httpUrl
    .optional()
    .describe("Facilitator that verifies, and then settles, payments which the first one cannot verify at the time."),
  X402_FALLBACK_FACILITATOR_TOKEN: z.string().optional().describe("Bearer token that this one requires, if any."),
  X402_RPC_URL: httpUrl
    .optional()
    .describe("JSON-RPC endpoint of the chain, read to learn what became of a payment whose settlement was unclear."),
  X402_NETWORK: z.string().optional().describe("Network as CAIP-2, e.g. `eip155:8453` for Base."),
  X402_ASSET: z.string().optional().describe("Address of the token, which has to support EIP-3009, e.g. USDC."),
  X402_PAY_TO: z.string().optional().describe("Address that receives the payments; each installation needs its own."),
  X402_AMOUNT_ATOMIC: z
    .string()
    .optional()
    .describe(
      "Price of a trial in atomic units of the token. Official clients pay at most `1000000` of USDC unless configured otherwise.",
    ),
  X402_TOKEN_NAME: z
    .string()
    .optional()
    .describe("EIP-712 name of the token. Default: known for the USDC of public networks."),
  X402_TOKEN_VERSION: z.string().optional().describe("EIP-712 version of the token. Default: as for its name."),
  X402_TOKEN_DECIMALS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36)
    .optional()
    .describe("Decimals of the token, for amounts that people read. Default: as for its name."),
  X402_MAX_TIMEOUT_S: z.coerce
    .number()
    .int()
    .min(30)
    .max(900)
    .default(120)
    .describe("Seconds for which a buyer's authorization may be valid; the longest time that a payment stays unclear."),
  X402_SETTLE_TIMEOUT_S: z.coerce
    .number()
    .int()
    .min(1)
    .max(60)
    .default(15)
    .describe("Seconds that a settlement is waited for before the chain is asked instead."),
  X402_CONFIRMATIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe("Blocks after which a block counts as final. Without it the chain's own finalized block is read."),
  TRIAL_SUBMIT_REQUESTS: offered("submit_requests", MAX_SUBMIT_REQUESTS).describe(
    "Accepted submissions of a trial, 1 to 300. A trial keeps the limits of the catalog at the time of its intent.",
  ),
  TRIAL_REPORT_REQUESTS: offered("report_requests", MAX_REPORT_REQUESTS).describe(
    "Report requests of a trial, 1 to 1000, re-reads and misses included.",
  ),
  TRIAL_REQUESTS_PER_SECOND: offered("requests_per_second", MAX_A_SECOND).describe(
    "Requests a second with the key of a trial, and as many submissions of its environment.",
  ),
  TRIAL_INTENT_CREATES_PER_IP_PER_MINUTE: offered("intent_creates_per_ip_per_minute", MAX_A_MINUTE).describe(
    "Purchases that one client address may begin in a minute.",
  ),
  TRIAL_INTENT_ACTIVATIONS_PER_IP_AND_INTENT_PER_MINUTE: offered(
    "intent_activations_per_ip_and_intent_per_minute",
    MAX_A_MINUTE,
  ).describe("Activations of one purchase that one client address may ask for in a minute."),
};

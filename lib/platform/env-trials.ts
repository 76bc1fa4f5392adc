import { z } from "zod";

import { DEFAULT_LIMITS, MAX_REPORT_REQUESTS, MAX_SUBMIT_REQUESTS } from "@/lib/contract/product";
import { httpUrl } from "./env-values";

const offered = (name: keyof typeof DEFAULT_LIMITS, most: number) =>
  z.coerce.number().int().min(1).max(most).default(DEFAULT_LIMITS[name]);
const MAX_A_SECOND = 1_000;
const MAX_A_MINUTE = 10_000;

/** Variables of the trials on sale and their payment. */
export const trialVariables = {
  X402_FACILITATOR_URL: httpUrl
    .optional()
    .describe("x402 facilitator that verifies and settles payments. Without it Agent Trials are not on sale."),
  X402_FACILITATOR_TOKEN: z.string().optional().describe("Bearer token for the facilitator, if it requires one."),
  CDP_API_KEY_ID: z
    .string()
    .optional()
    .describe("CDP API key id, for Coinbase's facilitator. A token is signed for each request."),
  CDP_API_KEY_SECRET: z
    .string()
    .optional()
    .describe(
      "CDP API key secret: an Ed25519 key in base64, or a P-256 key in PEM, where line breaks may be written `\\n`.",
    ),
  X402_FALLBACK_FACILITATOR_URL: httpUrl
    .optional()
    .describe("Facilitator that verifies and settles payments while the first one cannot verify them."),
  X402_FALLBACK_FACILITATOR_TOKEN: z.string().optional().describe("Bearer token for the fallback, if it requires one."),
  X402_RPC_URL: httpUrl
    .optional()
    .describe("JSON-RPC endpoint of the chain, used to find the outcome of a payment whose settlement is unclear."),
  X402_NETWORK: z.string().optional().describe("Network as a CAIP-2 id, e.g. `eip155:8453` for Base."),
  X402_ASSET: z.string().optional().describe("Token contract address; the token must support EIP-3009, e.g. USDC."),
  X402_PAY_TO: z.string().optional().describe("Address that receives payments; each installation needs its own."),
  X402_AMOUNT_ATOMIC: z
    .string()
    .optional()
    .describe(
      "Price of a trial in atomic units of the token. Official clients pay at most `1000000` of USDC unless configured otherwise.",
    ),
  X402_TOKEN_NAME: z
    .string()
    .optional()
    .describe("EIP-712 name of the token. Default: looked up for USDC on public networks."),
  X402_TOKEN_VERSION: z.string().optional().describe("EIP-712 version of the token. Default: as for the name."),
  X402_TOKEN_DECIMALS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36)
    .optional()
    .describe("Decimals of the token, to display amounts. Default: as for the name."),
  X402_MAX_TIMEOUT_S: z.coerce
    .number()
    .int()
    .min(30)
    .max(900)
    .default(120)
    .describe("Seconds for which a buyer's authorization may be valid: the longest time a payment can stay unclear."),
  X402_SETTLE_TIMEOUT_S: z.coerce
    .number()
    .int()
    .min(1)
    .max(60)
    .default(15)
    .describe("Seconds to wait for a settlement before reading the chain instead."),
  X402_CONFIRMATIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe("Blocks after which a block counts as final. Default: the chain's own `finalized` block is read."),
  TRIAL_SUBMIT_REQUESTS: offered("submit_requests", MAX_SUBMIT_REQUESTS).describe(
    "Accepted submissions per trial, 1 to 300. A trial keeps the limits that applied when its intent was created.",
  ),
  TRIAL_REPORT_REQUESTS: offered("report_requests", MAX_REPORT_REQUESTS).describe(
    "Report requests per trial, 1 to 1000, including re-reads and misses.",
  ),
  TRIAL_REQUESTS_PER_SECOND: offered("requests_per_second", MAX_A_SECOND).describe(
    "Requests per second with a trial's key, and submissions per second of its environment.",
  ),
  TRIAL_INTENT_CREATES_PER_IP_PER_MINUTE: offered("intent_creates_per_ip_per_minute", MAX_A_MINUTE).describe(
    "Purchases that one IP address may start per minute.",
  ),
  TRIAL_INTENT_ACTIVATIONS_PER_IP_AND_INTENT_PER_MINUTE: offered(
    "intent_activations_per_ip_and_intent_per_minute",
    MAX_A_MINUTE,
  ).describe("Activations of one purchase that one IP address may request per minute."),
};

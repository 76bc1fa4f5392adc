import { encodePaymentSignatureHeader } from "@x402/core/http";
import type { PaymentPayload } from "@x402/core/types";

import type { PaymentVariables } from "@/lib/trials/payments/configuration";
import { createPayments } from "@/lib/trials/payments/create-payments";
import type { PaymentTerms } from "@/lib/trials/payments/payments";
import { composeTerms } from "@/lib/trials/payments/terms";
import { readConfiguration } from "@/lib/trials/payments/configuration";

/** A complete configuration; nothing listens on its ports. */
export const TEST_VARIABLES = {
  X402_FACILITATOR_URL: "http://127.0.0.1:9/facilitator",
  X402_FACILITATOR_TOKEN: undefined,
  X402_RPC_URL: "http://127.0.0.1:9/rpc",
  X402_NETWORK: "eip155:31337",
  X402_ASSET: "0x00000000000000000000000000000000000e3009",
  X402_PAY_TO: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  X402_AMOUNT_ATOMIC: "1000000",
  X402_TOKEN_NAME: "USD Coin",
  X402_TOKEN_VERSION: "2",
  X402_MAX_TIMEOUT_S: 120,
  X402_SETTLE_TIMEOUT_S: 15,
  X402_CONFIRMATIONS: undefined,
} satisfies PaymentVariables;

/** Payments with `TEST_VARIABLES`, some of them replaced. */
export const createTestPayments = (given: Partial<PaymentVariables> = {}) =>
  createPayments({ ...TEST_VARIABLES, ...given });

/** The payment terms that result from `TEST_VARIABLES`. */
export function testTerms(given: Partial<PaymentVariables> = {}): PaymentTerms {
  const read = readConfiguration({ ...TEST_VARIABLES, ...given });
  if ("missing" in read) throw new Error(read.missing.join("; "));
  return composeTerms(read.configuration);
}

type Authorization = Record<"from" | "to" | "value" | "validAfter" | "validBefore" | "nonce", string>;

/** A well-formed payload for the terms, with an invalid signature. */
export function unsignedPayload(terms: PaymentTerms, now: Date, given: Partial<Authorization> = {}): PaymentPayload {
  const { payTo, amount, maxTimeoutSeconds } = terms.requirement;
  const authorization: Authorization = {
    from: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    to: payTo,
    value: amount,
    validAfter: "0",
    validBefore: String(Math.floor(now.getTime() / 1000) + maxTimeoutSeconds),
    nonce: `0x${"Ab".repeat(32)}`,
    ...given,
  };
  return { x402Version: 2, accepted: terms.requirement, payload: { signature: `0x${"1b".repeat(65)}`, authorization } };
}

export const toHeader = (payload: unknown): string => encodePaymentSignatureHeader(payload as PaymentPayload);

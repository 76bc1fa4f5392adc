import type { PaymentPayload, PaymentRequired, PaymentRequirements, SettleResponse } from "@x402/core/types";

/** The price as the catalog shows it. */
export type PaymentQuote = { amount_atomic: string; asset: string; network: string; pay_to: string };

/** The terms that are locked with an intent: exactly what every challenge of it repeats. Plain JSON. */
export type PaymentTerms = { requirement: PaymentRequirements; quote: PaymentQuote };

/** Whether trials can be sold now. `missing` says in words for operators what is wrong. */
export type PaymentAvailability = { available: true; terms: PaymentTerms } | { available: false; missing: string[] };

/** What a `PAYMENT-SIGNATURE` presents. Network, asset, payer and nonce name it on the chain, all in lower case. */
export type PresentedPayment = {
  payload: PaymentPayload;
  network: string;
  asset: string;
  payer: string;
  nonce: string;
  /** Unix seconds. */
  validAfter: number;
  /** Unix seconds; from then on the chain refuses the payment. */
  validBefore: number;
};

export type ReadPaymentResult =
  | { kind: "payment"; payment: PresentedPayment }
  /** No payment payload of x402 version 2 at all. */
  | { kind: "malformed" }
  /** A payment, but not one on these terms: `reason` goes into a new challenge. */
  | { kind: "unacceptable"; reason: string };

export type VerifyOutcome = { valid: true } | { valid: false; reason: string };

export type SettleOutcome =
  | { kind: "settled"; transaction: string; response: SettleResponse }
  /** The facilitator says no. Whether the payment can still happen only the chain knows. */
  | { kind: "refused"; reason: string; response: SettleResponse }
  /** Time-out, failure, or an answer that cannot be believed. */
  | { kind: "unclear"; cause: string };

/** What is asked of the chain: one authorization, and the transfer that was agreed. */
export type AttemptOnChain = {
  network: string;
  asset: string;
  payTo: string;
  amountAtomic: string;
  payer: string;
  nonce: string;
  validBefore: number;
  startBlock: bigint;
};

export type DeathEvidence = "cancelled" | "expired_unused" | "other_transfer";

export type ChainVerdict =
  | { kind: "settled"; transaction: string }
  /** Proven never to be paid; `block` is the number of the block that proves it. */
  | { kind: "dead"; evidence: DeathEvidence; block: string }
  | { kind: "unknown"; cause: string };

export type Challenge = { header: string; body: PaymentRequired };

/** Everything that selling a trial needs of x402. One for the environment's configuration, others in tests. */
export type Payments = {
  /** Kept for some seconds. Never throws. */
  readAvailability: () => Promise<PaymentAvailability>;
  /**
   * The block from which the logs of a payment are searched. Taken before the payment is verified.
   *
   * @throws AppError `payment_unavailable`
   */
  readStartBlock: () => Promise<bigint>;
  /**
   * Whether the chain shows that an authorization was spent already, pending transactions included where the node
   * tells. Asked before a payment is handed over: what is spent then was not spent by this service.
   *
   * @throws AppError `payment_unavailable`
   */
  readIsSpent: (payment: Pick<PresentedPayment, "asset" | "payer" | "nonce">) => Promise<boolean>;
  /** @throws AppError `facilitator_error`, `payment_unavailable` (time-out); nothing was submitted then */
  verifyPayment: (payment: PresentedPayment, terms: PaymentTerms) => Promise<VerifyOutcome>;
  /** Submits a payment. Ends within `X402_SETTLE_TIMEOUT_S` or when `signal` fires, and never throws. */
  settlePayment: (payment: PresentedPayment, terms: PaymentTerms, signal?: AbortSignal) => Promise<SettleOutcome>;
  /** What the chain says of an authorization. Never throws. */
  readChainVerdict: (attempt: AttemptOnChain) => Promise<ChainVerdict>;
};

import type { PaymentPayload, PaymentRequired, PaymentRequirements, SettleResponse } from "@x402/core/types";

/** The price as the catalog shows it. */
export type PaymentQuote = { amount_atomic: string; asset: string; network: string; pay_to: string };

/** The terms that are locked with an intent and repeated by each of its challenges. Plain JSON. */
export type PaymentTerms = { requirement: PaymentRequirements; quote: PaymentQuote };

/** `missing` tells operators what prevents sales. */
export type PaymentAvailability = { available: true; terms: PaymentTerms } | { available: false; missing: string[] };

/** A decoded `PAYMENT-SIGNATURE`. Network, asset, payer and nonce identify it on the chain, all in lower case. */
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
  /** Not a payment payload of x402 version 2; `message` says why. */
  | { kind: "malformed"; message: string }
  /** A payment, but not one on these terms: `reason` goes into a new challenge. */
  | { kind: "unacceptable"; reason: string };

/** `first` is the one of the configuration, `fallback` the one that verifies while the first cannot. */
export type FacilitatorRole = "first" | "fallback";

export type VerifyOutcome = { valid: true; by: FacilitatorRole } | { valid: false; reason: string };

/** A facilitator as operators are told of it. */
export type FacilitatorState = {
  name: string;
  /** Undefined when it did not answer. */
  supports: string | undefined;
  faults: string[];
};

export type SettleOutcome =
  | { kind: "settled"; transaction: string; response: SettleResponse }
  /** The facilitator refused. Only the chain shows whether the payment can still happen. */
  | { kind: "refused"; reason: string; response: SettleResponse }
  /** Timeout, failure, or an implausible answer. */
  | { kind: "unclear"; cause: string };

/** One authorization and the agreed transfer, to be verified on the chain. */
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

export type NonPaymentEvidence = "cancelled" | "expired_unused" | "other_transfer";

export type ChainVerdict =
  /** `isFinal`: no reorganisation can take it back any more. */
  | { kind: "settled"; transaction: string; isFinal: boolean }
  /** Proven never to be paid; `block` is the number of the block that proves it. */
  | { kind: "dead"; evidence: NonPaymentEvidence; block: string }
  | { kind: "unknown"; cause: string };

export type Challenge = { header: string; body: PaymentRequired };

/** The x402 operations that selling a trial needs. */
export type Payments = {
  /** Cached for some seconds. Never throws. */
  readAvailability: () => Promise<PaymentAvailability>;
  /**
   * The block from which the logs of a payment are searched. Taken before the payment is verified.
   *
   * @throws AppError `payment_unavailable`
   */
  readStartBlock: () => Promise<bigint>;
  /**
   * Whether an authorization is spent on the chain, pending transactions included where the node reports them. Called
   * before a payment is submitted: what is spent then was not spent by this service.
   *
   * @throws AppError `payment_unavailable`
   */
  readIsSpent: (payment: Pick<PresentedPayment, "asset" | "payer" | "nonce">) => Promise<boolean>;
  /** @throws AppError `facilitator_error`, `payment_unavailable` after a timeout; nothing was submitted then */
  verifyPayment: (payment: PresentedPayment, terms: PaymentTerms) => Promise<VerifyOutcome>;
  /**
   * Submits a payment by the facilitator that verified it, and by no other: what became of a submission is asked of the
   * chain. Ends within `X402_SETTLE_TIMEOUT_S` or when `signal` fires, and never throws.
   */
  settlePayment: (
    payment: PresentedPayment,
    terms: PaymentTerms,
    options?: { by?: FacilitatorRole; signal?: AbortSignal },
  ) => Promise<SettleOutcome>;
  /** Asks each facilitator what it serves. Never throws. */
  describeFacilitators: () => Promise<FacilitatorState[]>;
  /** Never throws. */
  readChainVerdict: (attempt: AttemptOnChain) => Promise<ChainVerdict>;
};

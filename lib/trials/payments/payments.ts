import type { PaymentPayload, PaymentRequired, PaymentRequirements, SettleResponse } from "@x402/core/types";

/** The price as shown in the catalog. */
export type PaymentQuote = { amount_atomic: string; asset: string; network: string; pay_to: string };

/** The terms that are locked with an intent and repeated in each of its challenges. Plain JSON. */
export type PaymentTerms = { requirement: PaymentRequirements; quote: PaymentQuote };

/** `missing` tells operators what prevents sales. */
export type PaymentAvailability = { available: true; terms: PaymentTerms } | { available: false; missing: string[] };

/** A decoded `PAYMENT-SIGNATURE`. Network, asset, payer and nonce, all in lower case, identify it on the chain. */
export type PresentedPayment = {
  payload: PaymentPayload;
  network: string;
  asset: string;
  payer: string;
  nonce: string;
  /** Unix seconds. */
  validAfter: number;
  /** Unix seconds; from then on the chain rejects the payment. */
  validBefore: number;
};

export type ReadPaymentResult =
  | { kind: "payment"; payment: PresentedPayment }
  /** Not a payment payload of x402 version 2; `message` says why. */
  | { kind: "malformed"; message: string }
  /** A payment, but not on these terms: `reason` goes into a new challenge. */
  | { kind: "unacceptable"; reason: string };

/** `first` is the primary facilitator; `fallback` verifies while the first cannot. */
export type FacilitatorRole = "first" | "fallback";

export type VerifyOutcome = { valid: true; by: FacilitatorRole } | { valid: false; reason: string };

/** A facilitator as shown to operators. */
export type FacilitatorState = {
  name: string;
  /** Undefined if it did not answer. */
  supports: string | undefined;
  faults: string[];
};

export type SettleOutcome =
  | { kind: "settled"; transaction: string; response: SettleResponse }
  /** The facilitator refused. Only the chain shows whether the payment can still happen. */
  | { kind: "refused"; reason: string; response: SettleResponse }
  /** Timeout, failure, or an implausible response. */
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
  /** `isFinal`: no reorganisation can undo it any more. */
  | { kind: "settled"; transaction: string; isFinal: boolean }
  /** Proven never to be paid; `block` is the number of the block that proves it. */
  | { kind: "dead"; evidence: NonPaymentEvidence; block: string }
  | { kind: "unknown"; cause: string };

export type Challenge = { header: string; body: PaymentRequired };

/** The x402 operations needed to sell a trial. */
export type Payments = {
  /** Cached for some seconds. Never throws. */
  readAvailability: () => Promise<PaymentAvailability>;
  /**
   * The first block to search for a payment's logs. Must be read before the payment is verified.
   *
   * @throws AppError `payment_unavailable`
   */
  readStartBlock: () => Promise<bigint>;
  /**
   * Whether an authorization is spent on the chain, including pending transactions if the node reports them. Called before a
   * payment is submitted: if it is spent by then, this service did not spend it.
   *
   * @throws AppError `payment_unavailable`
   */
  readIsSpent: (payment: Pick<PresentedPayment, "asset" | "payer" | "nonce">) => Promise<boolean>;
  /** @throws AppError `facilitator_error`, `payment_unavailable` after a timeout; then nothing was submitted */
  verifyPayment: (payment: PresentedPayment, terms: PaymentTerms) => Promise<VerifyOutcome>;
  /**
   * Submits a payment through the facilitator that verified it, and no other: the outcome of a submission is read from the
   * chain. Ends within `X402_SETTLE_TIMEOUT_S` or when `signal` is aborted, and never throws.
   */
  settlePayment: (
    payment: PresentedPayment,
    terms: PaymentTerms,
    options?: { by?: FacilitatorRole; signal?: AbortSignal },
  ) => Promise<SettleOutcome>;
  /** Asks each facilitator what it supports. Never throws. */
  describeFacilitators: () => Promise<FacilitatorState[]>;
  /** Never throws. */
  readChainVerdict: (attempt: AttemptOnChain) => Promise<ChainVerdict>;
};

/**
 * What the sandbox can do to a seller. Names as in public batteries for hostile facilitators where they have one.
 * The first group happens at `/settle`, the second at `/verify`, the last to whole services.
 */
export const FAULTS = [
  /** Settles, then never answers. */
  "accept_then_timeout",
  /** Settles, then answers 500. */
  "5xx_after_settle",
  /** Settles, and answers `slowAnswerMs` later. */
  "slow_answer",
  /** Is gone right after the transaction left it, until `revive` is called. */
  "kill_after_broadcast",
  /** The node takes the transaction, and its answer to the facilitator is lost: the facilitator says "failed". */
  "rpc_answer_lost",
  /** Settles, then says that nothing was paid. */
  "declared_safe",
  /** Answers nonsense after settling. */
  "malformed_answer",
  /** Says that it is paid and submits nothing. */
  "lying_success",
  /** The same, and names the newest transaction of the chain, which is another payment's. */
  "lying_success_with_last",
  /** The transaction waits unmined until mining is set on again. */
  "unmined",
  /** The buyer cancels the authorization before the facilitator submits it; the answer is a 500. */
  "cancelled",
  /** Another authorization with the same nonce is used first; the answer is a 500. */
  "other_transfer",
  /** Submits nothing and answers 500. */
  "expired_unused",

  "verify_5xx",
  "verify_timeout",
  "verify_malformed",
  "verify_echoes_payment",

  /** The facilitator refuses every connection. */
  "facilitator_down",
  /** The seller's node refuses every connection; the facilitator's works. */
  "reconcile_unavailable",
] as const;

export type Fault = (typeof FAULTS)[number];

/**
 * Faults that the sandbox can inject. Names follow public test suites for hostile facilitators where they have one. The
 * first group applies to `/settle`, the second to `/verify`, the last to whole services.
 */
export const FAULTS = [
  /** Settles, then never answers. */
  "accept_then_timeout",
  /** Settles, then responds with 500. */
  "5xx_after_settle",
  /** Settles, and responds `slowAnswerMs` later. */
  "slow_answer",
  /** Becomes unreachable right after broadcasting the transaction, until `revive` is called. */
  "kill_after_broadcast",
  /**
   * The node accepts the transaction, but its response to the facilitator is lost, so the facilitator reports "failed".
   */
  "rpc_answer_lost",
  /** Settles, then says that nothing was paid. */
  "declared_safe",
  /** Responds with garbage after settling. */
  "malformed_answer",
  /** Reports success and submits nothing. */
  "lying_success",
  /** The same, returning the newest transaction of the chain, which belongs to another payment. */
  "lying_success_with_last",
  /** The transaction stays unmined until mining is switched on again. */
  "unmined",
  /** The buyer cancels the authorization before the facilitator submits it; the response is a 500. */
  "cancelled",
  /** Another authorization with the same nonce is used first; the response is a 500. */
  "other_transfer",
  /** Submits nothing and responds with 500. */
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

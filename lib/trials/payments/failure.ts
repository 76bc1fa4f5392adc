/**
 * The name of a failure, without its message: messages of the x402 and chain libraries quote URLs, which may contain
 * access keys, and responses, which may echo the payment.
 */
export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "failure");

/** A failure that is safe to log. */
export const withoutDetail = (party: "facilitator" | "RPC", error: unknown): Error =>
  new Error(`The ${party} failed: ${nameOf(error)}`);

/**
 * The name of a failure, without its message: messages of the x402 and chain libraries quote URLs, which may hold
 * access keys, and answers, which may echo the payment.
 */
export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "failure");

/** A failure as it may be logged. */
export const withoutDetail = (party: "facilitator" | "RPC", error: unknown): Error =>
  new Error(`The ${party} failed: ${nameOf(error)}`);

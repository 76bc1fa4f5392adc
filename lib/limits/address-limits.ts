import type { AddressLimit } from "@/lib/contract/operation";
import type { Limit } from "./domain/gcra";

/** Limits per client address; an IPv6 /64 counts as one address. */
export const ADDRESS_LIMITS: Record<AddressLimit, Limit> = {
  challenge: { name: "challenge", ratePerSecond: 10, burst: 40 },
  submission: { name: "submission", ratePerSecond: 10, burst: 40 },
  catalog: { name: "catalog", ratePerSecond: 10, burst: 20 },
  failedAuthentication: { name: "failed-authentication", ratePerSecond: 0.5, burst: 30 },
};

/** The rate of one API key: its plan's requests a second, a second's worth at once. */
export const keyLimit = (requestsPerSecond: number): Limit => ({
  name: "key",
  ratePerSecond: requestsPerSecond,
  burst: requestsPerSecond,
});

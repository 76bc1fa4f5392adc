import { usableBurst } from "./domain/gcra";
import type { Decision } from "./take-permit";

/**
 * `RateLimit-Policy` and `RateLimit` for a request's decisions: the burst of each limit, and the remainder of the
 * tightest.
 * Source: draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4.
 */
export function rateLimitHeaders(decisions: readonly Decision[]): Record<string, string> {
  const tightest = decisions.reduce<Decision | undefined>(
    (least, next) =>
      least === undefined || !next.allowed || (least.allowed && next.remaining < least.remaining) ? next : least,
    undefined,
  );
  if (!tightest) return {};
  const policy = decisions.map(({ limit }) => {
    const quota = usableBurst(limit);
    const windowSeconds = Math.max(1, Math.round(quota / limit.ratePerSecond));
    return `"${limit.name}";q=${quota};w=${windowSeconds}`;
  });
  const seconds = tightest.allowed
    ? Math.max(1, Math.ceil(1 / tightest.limit.ratePerSecond))
    : tightest.retryAfterSeconds;
  return {
    "RateLimit-Policy": policy.join(", "),
    RateLimit: `"${tightest.limit.name}";r=${tightest.remaining};t=${seconds}`,
  };
}

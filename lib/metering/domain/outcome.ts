import { type ErrorCode, ERRORS, isAppError } from "@/lib/contract/errors";

/**
 * Outcomes of a call: first delivery of a Report, re-read, any other success, not found, or refused because of rate,
 * quota, origin, plan or anything else. `failed` is an error of the service.
 */
export const USAGE_OUTCOMES = [
  "delivered",
  "reread",
  "served",
  "missing",
  "rate",
  "quota",
  "origin",
  "plan",
  "refused",
  "failed",
] as const;
export type UsageOutcome = (typeof USAGE_OUTCOMES)[number];

const BY_CODE: Partial<Record<ErrorCode, UsageOutcome>> = {
  rate_limited: "rate",
  quota_exhausted: "quota",
  request_limit_reached: "quota",
  origin_not_allowed: "origin",
  history_not_allowed: "plan",
  account_map_not_allowed: "plan",
  grant_expired: "plan",
  grant_revoked: "plan",
  report_not_found: "missing",
};

/** The outcome of a call that failed with `error`. */
export function outcomeOf(error: unknown): UsageOutcome {
  if (!isAppError(error)) return "failed";
  return BY_CODE[error.code] ?? (ERRORS[error.code].status >= 500 ? "failed" : "refused");
}

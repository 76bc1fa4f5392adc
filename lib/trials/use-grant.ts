import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import type { Delivery } from "@/lib/metering";
import { countUse, findGrant, useUnit } from "./queries-grants";

/** Trials have no period that could renew. */
const TRIAL_USED_UP =
  "All report units of this trial are used, and they do not renew. Reports that were read before stay readable; for more, buy another trial";

async function grantStatusOf(db: Db, workspaceId: string) {
  return (await findGrant(db, workspaceId))?.status ?? "revoked";
}

async function refuseEnded(db: Db, workspaceId: string): Promise<never> {
  throw new AppError((await grantStatusOf(db, workspaceId)) === "expired" ? "grant_expired" : "grant_revoked");
}

/**
 * Counts a Report request of a trial, regardless of its outcome.
 *
 * @throws AppError `grant_expired`, `grant_revoked`, `request_limit_reached`
 */
export async function useReportRequest(db: Db, workspaceId: string): Promise<void> {
  const use = await countUse(db, workspaceId, "reportRequest");
  if (use === "used_up") throw new AppError("request_limit_reached");
  if (use === "ended") await refuseEnded(db, workspaceId);
}

/**
 * Uses a report unit for the first delivery of an imprint and stores the delivery, atomically.
 *
 * @throws AppError `grant_expired`, `grant_revoked`, `quota_exhausted`
 */
export async function meterTrialDelivery(db: Db, delivery: Delivery): Promise<"delivered" | "repeated"> {
  const outcome = await useUnit(db, delivery);
  if (outcome === "used_up") throw new AppError("quota_exhausted", { message: TRIAL_USED_UP });
  return outcome === "ended" ? await refuseEnded(db, delivery.workspaceId) : outcome;
}

/**
 * Counts an accepted submission of a trial, in the transaction that accepts it.
 *
 * @throws AppError `environment_disabled`, `request_limit_reached`
 */
export async function useSubmission(tx: Db, workspaceId: string): Promise<void> {
  const use = await countUse(tx, workspaceId, "submission");
  if (use === "used_up") throw new AppError("request_limit_reached");
  if (use === "ended") throw new AppError("environment_disabled");
}

/**
 * The remaining limits of a trial's environment.
 *
 * @throws AppError `environment_disabled`
 */
export async function requireLiveTrial(
  db: Db,
  workspaceId: string,
): Promise<{ requestsPerSecond: number; submissionsLeft: number }> {
  const grant = await findGrant(db, workspaceId);
  if (grant?.status !== "active") throw new AppError("environment_disabled");
  const { requestsPerSecond, submitRequests, submitRequestsUsed } = grant;
  return { requestsPerSecond, submissionsLeft: submitRequests - submitRequestsUsed };
}

/** Requests per second of a trial's key. */
export async function readTrialRate(db: Db, workspaceId: string): Promise<number> {
  const grant = await findGrant(db, workspaceId);
  if (!grant) throw new Error(`the trial workspace ${workspaceId} has no grant`);
  return grant.requestsPerSecond;
}

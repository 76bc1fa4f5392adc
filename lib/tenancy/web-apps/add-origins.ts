import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "@/lib/tenancy/workspaces";
import { countOrigins, deleteExpiredOrigins, insertOrigins, listOriginRows } from "./queries";
import { lockStoredWebApp } from "./read-stored";
import { sortOrigins } from "./sort-origins";

/** Origins of one Web App; each submission reads the list. */
export const MAX_ORIGINS = 200;

type AddOrigins = {
  workspaceId: string;
  webAppId: string;
  origins: readonly string[];
  /** Without it they are allowed for good. */
  expiresAfterSeconds?: number | undefined;
};

const MIN_LIFETIME_SECONDS = 60;
const MAX_LIFETIME_SECONDS = 366 * 24 * 3600;

/** @throws AppError `invalid_request` */
function requireLifetime(seconds: number | undefined): void {
  if (seconds === undefined || (seconds >= MIN_LIFETIME_SECONDS && seconds <= MAX_LIFETIME_SECONDS)) return;
  throw new AppError("invalid_request", {
    message: "An origin is allowed for one minute at least and 366 days at most, or for good",
  });
}

/**
 * Adds origins to the list of a Web App. Invalid texts are returned with the reason, the valid ones are added. Takes
 * effect with the next submission.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `conflict` when the list is full
 */
export async function addOrigins(context: Context, input: AddOrigins) {
  const { workspaceId, webAppId, expiresAfterSeconds } = input;
  await authorize(context, workspaceId, "origin.manage");
  if (input.origins.length > 2 * MAX_ORIGINS) {
    throw new AppError("invalid_request", { message: `At most ${2 * MAX_ORIGINS} origins can be added at once` });
  }
  requireLifetime(expiresAfterSeconds);
  const { origins, refused } = sortOrigins(input.origins);
  return await context.db.transaction(async (tx) => {
    await lockStoredWebApp(tx, workspaceId, webAppId);
    await deleteExpiredOrigins(tx, { workspaceId, webAppId });
    const added = await insertOrigins(tx, { workspaceId, webAppId }, origins, expiresAfterSeconds);
    if ((await countOrigins(tx, { workspaceId, webAppId })) > MAX_ORIGINS) {
      throw new AppError("conflict", { message: `A Web App has at most ${MAX_ORIGINS} origins` });
    }
    if (added.length > 0) {
      await recordAudit(tx, context, {
        workspaceId,
        action: "origin.add",
        target: webAppId,
        detail: { origins: added, ...(expiresAfterSeconds !== undefined && { expiresAfterSeconds }) },
      });
    }
    const listed = await listOriginRows(tx, workspaceId, [webAppId]);
    return {
      added,
      alreadyListed: origins.filter((origin) => !added.includes(origin)),
      refused,
      allowed: listed.filter(({ origin }) => origins.includes(origin)),
    };
  });
}

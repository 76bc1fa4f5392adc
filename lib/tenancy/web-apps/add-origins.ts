import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "@/lib/tenancy/workspaces";
import { countOrigins, deleteExpiredOrigins, insertOrigins, listOriginRows } from "./queries";
import { lockStoredWebApp } from "./read-stored";
import { sortOrigins } from "./sort-origins";

/** Maximum origins per Web App; each submission reads the list. */
export const MAX_ORIGINS = 200;

type AddOrigins = {
  workspaceId: string;
  webAppId: string;
  origins: readonly string[];
  /** Permanent if omitted. */
  expiresAfterSeconds?: number | undefined;
};

const MIN_LIFETIME_SECONDS = 60;
const MAX_LIFETIME_SECONDS = 366 * 24 * 3600;

/** @throws AppError `invalid_request` */
function requireLifetime(seconds: number | undefined): void {
  if (seconds === undefined || (seconds >= MIN_LIFETIME_SECONDS && seconds <= MAX_LIFETIME_SECONDS)) return;
  throw new AppError("invalid_request", {
    message: "An origin must be allowed for at least one minute and at most 366 days, or permanently",
  });
}

/**
 * Adds origins to the list of a Web App. Valid ones are added; invalid ones are returned with the reason. Takes effect with
 * the next submission.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `conflict` if the list is full
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
      throw new AppError("conflict", { message: `A Web App can have at most ${MAX_ORIGINS} origins` });
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

import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "@/lib/tenancy/workspaces";
import { countOrigins, insertOrigins } from "./queries";
import { lockStoredWebApp } from "./read-stored";
import { sortOrigins } from "./sort-origins";

/** Origins of one Web App; each submission reads the list. */
export const MAX_ORIGINS = 200;

type AddOrigins = { workspaceId: string; webAppId: string; origins: readonly string[] };

/**
 * Adds origins to the list of a Web App. Invalid texts are returned with the reason, the valid ones are added. Takes
 * effect with the next submission.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `conflict` when the list is full
 */
export async function addOrigins(context: Context, input: AddOrigins) {
  const { workspaceId, webAppId } = input;
  await authorize(context, workspaceId, "webApp.manage");
  if (input.origins.length > 2 * MAX_ORIGINS) {
    throw new AppError("invalid_request", { message: `At most ${2 * MAX_ORIGINS} origins can be added at once` });
  }
  const { origins, refused } = sortOrigins(input.origins);
  return await context.db.transaction(async (tx) => {
    await lockStoredWebApp(tx, workspaceId, webAppId);
    const added = await insertOrigins(tx, workspaceId, webAppId, origins);
    if ((await countOrigins(tx, workspaceId, webAppId)) > MAX_ORIGINS) {
      throw new AppError("conflict", { message: `A Web App has at most ${MAX_ORIGINS} origins` });
    }
    if (added.length > 0) {
      await recordAudit(tx, context, {
        workspaceId,
        action: "origin.add",
        target: webAppId,
        detail: { origins: added },
      });
    }
    return { added, alreadyListed: origins.filter((origin) => !added.includes(origin)), refused };
  });
}

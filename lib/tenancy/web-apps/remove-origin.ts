import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "@/lib/tenancy/workspaces";
import { parseOrigin } from "./domain/origin";
import { deleteOrigin } from "./queries";
import { lockStoredWebApp } from "./read-stored";

/**
 * Removes an origin from the list of a Web App. Takes effect with the next submission.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function removeOrigin(context: Context, input: { workspaceId: string; webAppId: string; origin: string }) {
  const { workspaceId, webAppId } = input;
  await authorize(context, workspaceId, "origin.manage");
  const parsed = parseOrigin(input.origin);
  const origin = parsed.ok ? parsed.origin : input.origin;
  await context.db.transaction(async (tx) => {
    await lockStoredWebApp(tx, workspaceId, webAppId);
    if (!(await deleteOrigin(tx, workspaceId, webAppId, origin))) {
      throw new AppError("not_found", { message: "That origin is not on the list of this Web App" });
    }
    await recordAudit(tx, context, { workspaceId, action: "origin.remove", target: webAppId, detail: { origin } });
  });
  return { origin };
}

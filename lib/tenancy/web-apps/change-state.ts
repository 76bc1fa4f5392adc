import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "@/lib/tenancy/workspaces";
import { WEB_APP_TRANSITIONS, type WebAppChange } from "./domain/web-app-state";
import { updateWebAppState } from "./queries";
import { lockStoredWebApp } from "./read-stored";

type WebAppKey = { workspaceId: string; webAppId: string };

async function changeState(context: Context, { workspaceId, webAppId }: WebAppKey, change: WebAppChange) {
  await authorize(context, workspaceId, "webApp.manage");
  return await context.db.transaction(async (tx) => {
    const { state: from } = await lockStoredWebApp(tx, workspaceId, webAppId);
    const state = WEB_APP_TRANSITIONS[change][from];
    if (!state)
      throw new AppError("conflict", { message: `A Web App that is ${from} cannot ${change}; create a new one` });
    if (state !== from) {
      await updateWebAppState(tx, workspaceId, webAppId, state);
      await recordAudit(tx, context, {
        workspaceId,
        action: `web_app.${change}`,
        target: webAppId,
        detail: { from, to: state },
      });
    }
    return { webAppId, state };
  });
}

/**
 * Refuses submissions of a Web App until it is resumed. Its reports stay readable.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict` when it is archived
 */
export const pauseWebApp = (context: Context, input: WebAppKey) => changeState(context, input, "pause");

/**
 * Accepts submissions of a paused Web App again.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict` when it is archived
 */
export const resumeWebApp = (context: Context, input: WebAppKey) => changeState(context, input, "resume");

/**
 * Refuses submissions of a Web App permanently. Its reports stay readable.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export const archiveWebApp = (context: Context, input: WebAppKey) => changeState(context, input, "archive");

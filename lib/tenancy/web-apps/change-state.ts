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
      throw new AppError("conflict", { message: `Cannot ${change} a Web App that is ${from}; create a new one` });
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
 * Refuses a Web App's submissions until it is resumed. Its reports stay readable.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict` if it is archived
 */
export const pauseWebApp = (context: Context, input: WebAppKey) => changeState(context, input, "pause");

/**
 * Accepts a paused Web App's submissions again.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict` if it is archived
 */
export const resumeWebApp = (context: Context, input: WebAppKey) => changeState(context, input, "resume");

/**
 * Refuses a Web App's submissions permanently. Its reports stay readable.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export const archiveWebApp = (context: Context, input: WebAppKey) => changeState(context, input, "archive");

import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { requireId } from "@/lib/tenancy/workspaces";
import { lockWebApp } from "./queries";

const MESSAGE = "There is no such Web App in this workspace";

export const unknownWebApp = () => new AppError("not_found", { message: MESSAGE });

/**
 * The Web App, locked until the end of the transaction.
 *
 * @throws AppError `not_found`
 */
export async function lockStoredWebApp(tx: Db, workspaceId: string, webAppId: string) {
  const webApp = await lockWebApp(tx, workspaceId, requireId("webApp", webAppId, MESSAGE));
  if (!webApp) throw unknownWebApp();
  return webApp;
}

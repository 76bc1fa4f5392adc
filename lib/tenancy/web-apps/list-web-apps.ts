import type { Context } from "@/lib/platform/context";
import { authorize, requireId } from "@/lib/tenancy/workspaces";
import { findWebApp, listOriginRows, listWebAppRows } from "./queries";
import { unknownWebApp } from "./read-stored";

/**
 * The Web Apps of a workspace with their origins, oldest first.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listWebApps({ db, actor }: Context, { workspaceId }: { workspaceId: string }) {
  await authorize({ db, actor }, workspaceId, "webApp.read");
  const rows = await listWebAppRows(db, workspaceId);
  const origins = await listOriginRows(
    db,
    workspaceId,
    rows.map((row) => row.webAppId),
  );
  return rows.map((row) => ({
    ...row,
    origins: origins.filter((origin) => origin.webAppId === row.webAppId).map(({ origin }) => origin),
  }));
}

/**
 * One Web App with its origins.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readWebApp(
  { db, actor }: Context,
  { workspaceId, webAppId }: { workspaceId: string; webAppId: string },
) {
  await authorize({ db, actor }, workspaceId, "webApp.read");
  const row = await findWebApp(db, workspaceId, requireId("webApp", webAppId, unknownWebApp().message));
  if (!row) throw unknownWebApp();
  const origins = await listOriginRows(db, workspaceId, [webAppId]);
  return { ...row, origins: origins.map(({ origin }) => origin) };
}

import type { Context } from "@/lib/platform/context";
import { authorize, requireId } from "@/lib/tenancy/workspaces";
import { findWebApp, listOriginRows, listWebAppNames, listWebAppRows } from "./queries";
import { unknownWebApp } from "./read-stored";

type OriginRow = Awaited<ReturnType<typeof listOriginRows>>[number];

/** The origins of a Web App, as plain texts and with their expiry. */
function originsOf(ofWebAppId: string, rows: readonly OriginRow[]) {
  const own = rows.filter(({ webAppId }) => webAppId === ofWebAppId);
  return {
    origins: own.map(({ origin }) => origin),
    allowedOrigins: own.map(({ origin, expiresAt }) => ({ origin, expiresAt })),
  };
}

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
  return rows.map((row) => ({ ...row, ...originsOf(row.webAppId, origins) }));
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
  return { ...row, ...originsOf(webAppId, origins) };
}

/**
 * The names of those of `webAppIds` that are Web Apps of the workspace.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function nameWebApps(context: Context, input: { workspaceId: string; webAppIds: readonly string[] }) {
  await authorize(context, input.workspaceId, "webApp.read");
  return await listWebAppNames(context.db, input.workspaceId, input.webAppIds);
}

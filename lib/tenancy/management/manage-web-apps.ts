import type { z } from "zod";

import { isAppError } from "@/lib/contract/errors";
import type {
  addManagedOriginOperation,
  createManagedWebAppOperation,
  updateManagedWebAppOperation,
} from "@/lib/contract/manage";
import type { Context } from "@/lib/platform/context";
import {
  addOrigins,
  archiveWebApp,
  createWebAppWithoutKey,
  listWebApps,
  pauseWebApp,
  readWebApp,
  removeOrigin,
  renameWebApp,
  requireOrigins,
  resumeWebApp,
} from "@/lib/tenancy/web-apps";
import type { ManagementPrincipal } from "./authenticate-management-key";

type Stored = Awaited<ReturnType<typeof readWebApp>>;
type WebAppKey = { workspaceId: string; webAppId: string };

const shown = ({ webAppId, environmentId, name, state, allowedOrigins }: Stored) => ({
  web_app_id: webAppId,
  environment_id: environmentId,
  name,
  state,
  origins: allowedOrigins.map(({ origin, expiresAt }) => ({ origin, expires_at: expiresAt?.toISOString() ?? null })),
});

/** The Web Apps of the caller's workspace. @throws AppError `forbidden` */
export async function listManagedWebApps(context: Context, { workspaceId }: ManagementPrincipal) {
  return { web_apps: (await listWebApps(context, { workspaceId })).map(shown) };
}

/** Creates a Web App without origins. @throws AppError `forbidden`, `invalid_request` */
export async function createManagedWebApp(
  context: Context,
  { workspaceId }: ManagementPrincipal,
  { name }: z.output<typeof createManagedWebAppOperation.body>,
) {
  const { webAppId } = await createWebAppWithoutKey(context, { workspaceId, name });
  return shown(await readWebApp(context, { workspaceId, webAppId }));
}

const CHANGES = { active: resumeWebApp, paused: pauseWebApp, archived: archiveWebApp } as const;

/** @throws AppError `forbidden`, `not_found`, `invalid_request`, `conflict` */
export async function updateManagedWebApp(
  context: Context,
  webApp: WebAppKey,
  { name, state }: z.output<typeof updateManagedWebAppOperation.body>,
) {
  await context.db.transaction(async (tx) => {
    await CHANGES[state]({ ...context, db: tx }, webApp);
    await renameWebApp({ ...context, db: tx }, { ...webApp, name });
  });
  return shown(await readWebApp(context, webApp));
}

/** @throws AppError `forbidden`, `not_found`, `invalid_origin`, `conflict` */
export async function addManagedOrigin(
  context: Context,
  webApp: WebAppKey,
  input: z.output<typeof addManagedOriginOperation.body>,
) {
  const origins = requireOrigins([input.origin]);
  const { allowed } = await addOrigins(context, {
    ...webApp,
    origins,
    expiresAfterSeconds: input.expires_in_seconds,
  });
  const [stored] = allowed;
  if (!stored) throw new Error("the inserted origin was not found");
  return {
    web_app_id: webApp.webAppId,
    origin: stored.origin,
    expires_at: stored.expiresAt?.toISOString() ?? null,
  };
}

/**
 * Removes an origin. A malformed origin is an error: reporting it as removed would leave the intended one allowed.
 *
 * @throws AppError `forbidden`, `invalid_origin`, `not_found` for an unknown Web App
 */
export async function removeManagedOrigin(context: Context, webApp: WebAppKey, origin: string) {
  await readWebApp(context, webApp);
  try {
    const removed = await removeOrigin(context, { ...webApp, origin });
    return { web_app_id: webApp.webAppId, origin: removed.origin, removed: true };
  } catch (error) {
    if (!isAppError(error) || error.code !== "not_found") throw error;
    const [missing = origin] = requireOrigins([origin]);
    return { web_app_id: webApp.webAppId, origin: missing, removed: false };
  }
}

import { createKey, type KeyKind } from "@/lib/tenancy/api-keys";
import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { authorize, requireName } from "@/lib/tenancy/workspaces";
import { MAX_ORIGINS } from "./add-origins";
import { insertOrigins, insertWebApp } from "./queries";
import { requireOrigins } from "./sort-origins";

type CreateWebApp = {
  workspaceId: string;
  name: string;
  origins?: readonly string[] | undefined;
  keyKind?: KeyKind;
  /** A public id and a key's secret that were generated before. */
  environmentId?: string | undefined;
  keySecret?: string | undefined;
};

/**
 * Creates a Web App with its environment and a server key, in one transaction. The key's secret is
 * returned here only. With an invalid origin nothing is created.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `invalid_origin`, `conflict`
 */
export async function createWebApp(context: Context, input: CreateWebApp) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, "webApp.manage");
  await authorize(context, workspaceId, "apiKey.issue");
  const name = requireName(input.name);
  const origins = requireOrigins(input.origins ?? []);
  if (origins.length > MAX_ORIGINS)
    throw new AppError("conflict", { message: `A Web App has at most ${MAX_ORIGINS} origins` });
  const environmentId = input.environmentId ?? newId("environment");
  const webApp = { workspaceId, webAppId: newId("webApp"), environmentId, name };
  return await context.db.transaction(async (tx) => {
    await insertWebApp(tx, webApp);
    await insertOrigins(tx, workspaceId, webApp.webAppId, origins);
    await recordAudit(tx, context, {
      workspaceId,
      action: "web_app.create",
      target: webApp.webAppId,
      detail: { name, environmentId: webApp.environmentId, origins },
    });
    const { keyId, apiKey } = await createKey(
      { ...context, db: tx },
      { workspaceId, name: `${name.slice(0, 70)} server`, kind: input.keyKind ?? "live", secret: input.keySecret },
    );
    return { ...webApp, origins, keyId, apiKey };
  });
}

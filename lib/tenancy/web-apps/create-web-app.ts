import type { Db } from "@/db/client";
import { createKey, type KeyKind } from "@/lib/tenancy/api-keys";
import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { authorize, requireName } from "@/lib/tenancy/workspaces";
import { MAX_ORIGINS } from "./add-origins";
import { insertOrigins, insertWebApp } from "./queries";
import { requireOrigins } from "./sort-origins";

type NewWebApp = {
  workspaceId: string;
  name: string;
  origins?: readonly string[] | undefined;
  /** A previously generated public id. */
  environmentId?: string | undefined;
};

/** @throws AppError `invalid_request`, `invalid_origin`, `conflict` */
function requireWebApp({
  workspaceId,
  origins: texts = [],
  environmentId = newId("environment"),
  ...input
}: NewWebApp) {
  const name = requireName(input.name);
  const origins = requireOrigins(texts);
  if (origins.length > MAX_ORIGINS)
    throw new AppError("conflict", { message: `A Web App can have at most ${MAX_ORIGINS} origins` });
  return { workspaceId, webAppId: newId("webApp"), environmentId, name, origins };
}

async function storeWebApp(tx: Db, context: Context, webApp: ReturnType<typeof requireWebApp>): Promise<void> {
  const { workspaceId, webAppId, environmentId, name, origins } = webApp;
  await insertWebApp(tx, { workspaceId, webAppId, environmentId, name });
  await insertOrigins(tx, { workspaceId, webAppId }, origins);
  await recordAudit(tx, context, {
    workspaceId,
    action: "web_app.create",
    target: webAppId,
    detail: { name, environmentId, origins },
  });
}

/**
 * Creates a Web App with its environment, but no key.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function createWebAppWithoutKey(context: Context, input: NewWebApp) {
  await authorize(context, input.workspaceId, "webApp.manage");
  const webApp = requireWebApp(input);
  await context.db.transaction((tx) => storeWebApp(tx, context, webApp));
  return webApp;
}

type CreateWebApp = NewWebApp & {
  keyKind?: KeyKind;
  /** A previously generated secret for the key. */
  keySecret?: string | undefined;
};

const MAX_CHARACTERS = 70;

/** The name of a Web App's first key. Half of a character that is cut in two would be refused. */
const keyName = (webApp: string): string => `${webApp.slice(0, MAX_CHARACTERS).replace(/\p{Cs}$/u, "")} server`;

/**
 * Creates a Web App with its environment and a server key, in one transaction. The key's secret is only ever returned
 * here. If any origin is invalid, nothing is created.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `invalid_origin`, `conflict`
 */
export async function createWebApp(context: Context, { keyKind = "live", keySecret, ...input }: CreateWebApp) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, "webApp.manage");
  await authorize(context, workspaceId, "apiKey.issue");
  const webApp = requireWebApp(input);
  return await context.db.transaction(async (tx) => {
    await storeWebApp(tx, context, webApp);
    const { keyId, apiKey } = await createKey(
      { ...context, db: tx },
      { workspaceId, name: keyName(webApp.name), kind: keyKind, secret: keySecret },
    );
    return { ...webApp, keyId, apiKey };
  });
}

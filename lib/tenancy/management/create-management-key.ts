import { actorId, recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { MANAGEMENT_SCOPES, type ManagementScope } from "@/lib/contract/manage";
import { newManagementSecret } from "@/lib/tenancy/api-keys";
import { authorize, lockWorkspace, requireName } from "@/lib/tenancy/workspaces";
import { countManagementKeys, insertManagementKey } from "./queries";

const DAY_SECONDS = 24 * 3600;
const MIN_LIFETIME_SECONDS = 60;
const MAX_LIFETIME_SECONDS = 366 * DAY_SECONDS;
const DEFAULT_LIFETIME_SECONDS = 90 * DAY_SECONDS;
const MAX_KEYS = 50;

const isScope = (text: string): text is ManagementScope => (MANAGEMENT_SCOPES as readonly string[]).includes(text);

/** @throws AppError `invalid_request` */
function requireScopes(texts: readonly string[]): ManagementScope[] {
  const scopes = [...new Set(texts)];
  const known = scopes.filter(isScope);
  if (known.length > 0 && known.length === scopes.length) return known;
  throw new AppError("invalid_request", { message: `Choose at least one scope of: ${MANAGEMENT_SCOPES.join(", ")}` });
}

/** @throws AppError `invalid_request` */
function requireLifetime(seconds: number): number {
  if (seconds >= MIN_LIFETIME_SECONDS && seconds <= MAX_LIFETIME_SECONDS) return seconds;
  throw new AppError("invalid_request", {
    message: "A management key must expire after at least one minute and at most 366 days",
  });
}

type CreateManagementKey = {
  workspaceId: string;
  name: string;
  scopes: readonly string[];
  expiresAfterSeconds?: number | undefined;
};

/**
 * Creates a key for managing the workspace from scripts. The secret is only ever returned here. The scope `keys` requires
 * that the actor may create API keys.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `conflict`
 */
export async function createManagementKey(context: Context, input: CreateManagementKey) {
  const { workspaceId, expiresAfterSeconds = DEFAULT_LIFETIME_SECONDS } = input;
  await authorize(context, workspaceId, "managementKey.manage");
  const [name, scopes, lifetime] = [
    requireName(input.name),
    requireScopes(input.scopes),
    requireLifetime(expiresAfterSeconds),
  ];
  if (scopes.includes("keys")) await authorize(context, workspaceId, "apiKey.issue");
  const { secret, ...stored } = newManagementSecret();
  const keyId = newId("managementKey");
  return await context.db.transaction(async (tx) => {
    // Serialised, so that the limit is exact.
    await lockWorkspace(tx, workspaceId);
    if ((await countManagementKeys(tx, workspaceId)) >= MAX_KEYS)
      throw new AppError("conflict", {
        message: `A workspace can have at most ${MAX_KEYS} management keys. Revoke one first`,
      });
    const createdBy = actorId(context.actor) || context.actor.kind;
    const row = { workspaceId, keyId, name, scopes, createdBy, ...stored };
    const expiresAt = await insertManagementKey(tx, row, lifetime);
    await recordAudit(tx, context, {
      workspaceId,
      action: "management_key.create",
      target: keyId,
      detail: { name, scopes, preview: stored.preview, expiresAt: expiresAt.toISOString() },
    });
    return { keyId, secret, name, scopes, expiresAt };
  });
}

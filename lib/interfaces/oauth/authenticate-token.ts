import type { Db } from "@/db/client";
import { AppError, isAppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";
import type { Access } from "@/lib/tenancy/workspaces";
import { recordHash } from "./adapter";
import { knownScopes, type Scope } from "./domain/scopes";
import { clientAccess, type ClientActor } from "./entitlement";
import { findConnectionOfGrant, findTokenConnection, touchConnection } from "./queries";
import { deleteGrant } from "./queries-records";
import { isMcpOn } from "./read-policy";

/** The person and client behind an access token, with the person's current access. */
export type TokenPrincipal = {
  actor: ClientActor;
  access: Access;
  grantId: string;
  /** Name that the client gave itself. */
  clientName: string;
  scopes: Scope[];
  /** The resource that the token was issued for. */
  audience: string;
  /** Unix time in seconds. */
  expiresAt: number;
};

const MAX_CHARACTERS = 200;

function recordUse(db: Db, workspaceId: string, grantId: string): void {
  touchConnection(db, workspaceId, grantId).catch((error: unknown) => {
    log.warn({ err: error, grantId }, "the use of a connected client was not recorded");
  });
}

/** The person's current access; the connection of a former member is deleted. */
async function currentAccess(db: Db, actor: ClientActor, grantId: string): Promise<Access> {
  try {
    return await clientAccess(db, actor);
  } catch (error) {
    if (!isAppError(error) || error.code !== "not_found") throw error;
    await deleteGrant(db, grantId);
    throw new AppError("auth_failed", { cause: error });
  }
}

/**
 * Authenticates an access token. Membership and plan are read on every call, so removing a member or revoking a client
 * takes effect on the next call.
 *
 * @throws AppError `auth_failed` for a token that is unknown, expired or revoked
 */
export async function authenticateToken(db: Db, token: string): Promise<TokenPrincipal> {
  const found = token.length > MAX_CHARACTERS ? undefined : await findTokenConnection(db, recordHash(token));
  if (!found) throw new AppError("auth_failed");
  const { workspaceId, userId, clientId, clientName, grantId, payload } = found;
  const actor = { kind: "oauthClient", clientId, userId, workspaceId } as const;
  const access = await currentAccess(db, actor, grantId);
  if (found.isUseStale) recordUse(db, workspaceId, grantId);
  const audience = payload["aud"];
  return {
    actor,
    access,
    grantId,
    clientName,
    scopes: knownScopes(typeof payload["scope"] === "string" ? payload["scope"] : ""),
    audience: String(Array.isArray(audience) ? audience[0] : audience),
    expiresAt: Number(payload["exp"]),
  };
}

/** Whether a grant is still connected, and its person a member. The connection of a former member is deleted. */
export async function isGrantLive(db: Db, grantId: string): Promise<boolean> {
  const connection = await findConnectionOfGrant(db, grantId);
  if (!connection) return false;
  try {
    await currentAccess(db, { kind: "oauthClient", ...connection }, grantId);
    return true;
  } catch (error) {
    if (isAppError(error) && error.code === "auth_failed") return false;
    throw error;
  }
}

/** Whether a client that was authenticated earlier may still call. Its token may have expired since. */
export const isStillConnected = async (db: Db, { grantId }: TokenPrincipal): Promise<boolean> =>
  (await isMcpOn()) && (await isGrantLive(db, grantId));

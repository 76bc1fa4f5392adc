import type { Database } from "@/db/client";
import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import type { SignedIn } from "@/lib/tenancy/sign-in";
import { recordHash } from "./adapter";
import { approveRedirect } from "./approved-redirect";
import { withExchange } from "./bridge";
import { consentPath } from "./configuration";
import { SCOPES } from "./domain/scopes";
import { GRANT_DAYS, insertConnection, listConnections } from "./queries";
import { deleteGrant, extendRegistration, storeDecision } from "./queries-records";
import { offerScopes } from "./read-consent";
import { readRequest, type PendingRequest } from "./read-request";
import { mcpResource } from "./resource";

/** Days for which a client's registration is kept after its grant ends. */
const REGISTRATION_MARGIN_DAYS = 30;

type Waiting = { uid: string; cookie: string };
type Allowed = Waiting & { workspaceId: string; scopes: readonly string[] };
type PersonContext = Context & { db: Database; actor: SignedIn };

/**
 * Refuses the client's request. The first decision counts: a double click sends two.
 *
 * @returns the URL where the browser continues
 * @throws AppError `not_found` when this browser has no pending request
 */
export async function denyConsent({ db }: Pick<Context, "db">, { uid, cookie }: Waiting): Promise<string> {
  const { returnTo } = await readRequest(uid, cookie);
  await storeDecision(db, recordHash(uid), { error: "access_denied", error_description: "The person refused" });
  return returnTo;
}

/**
 * Saves the library's grant. Scopes that are not granted are explicitly rejected, or the library would ask for them
 * again.
 */
function saveGrant(waiting: Waiting, request: PendingRequest, userId: string, granted: readonly string[]) {
  return withExchange({ path: consentPath(waiting.uid), cookie: waiting.cookie }, async (provider) => {
    const grant = new provider.Grant({ accountId: userId, clientId: request.clientId });
    if (request.wantsOfflineAccess) grant.addOIDCScope("offline_access");
    grant.addResourceScope(mcpResource(), granted.join(" "));
    const rejected = SCOPES.filter((scope) => !granted.includes(scope));
    if (rejected.length > 0) grant.rejectResourceScope(mcpResource(), rejected.join(" "));
    return grant.save();
  });
}

/**
 * Ends the connections that a new grant replaces. A client that registered itself has one connection per person and
 * workspace. A client with a metadata document may run on several of the person's machines, which all stay connected.
 */
async function endReplaced(tx: Context["db"], request: PendingRequest, workspaceId: string, userId: string) {
  if (request.verifiedHost !== undefined) return;
  for (const { clientId, grantId } of await listConnections(tx, workspaceId, userId)) {
    if (clientId === request.clientId) await deleteGrant(tx, grantId);
  }
}

type Connection = Omit<Allowed, "cookie"> & { userId: string; request: PendingRequest; grantId: string };

/** Connects the client, unless the request was decided meanwhile. */
async function storeConnection(
  tx: Context["db"],
  context: Context,
  { uid, workspaceId, scopes, userId, request, grantId }: Connection,
): Promise<void> {
  const { clientId, clientName, redirectTarget, redirectUri, verifiedHost = null } = request;
  const result = { login: { accountId: userId, remember: false }, consent: { grantId } };
  if (!(await storeDecision(tx, recordHash(uid), result))) {
    await deleteGrant(tx, grantId);
    return;
  }
  // Locks the registration, so that of two requests of one client the later decision sees the connection of the other.
  await extendRegistration(tx, clientId, GRANT_DAYS + REGISTRATION_MARGIN_DAYS);
  await endReplaced(tx, request, workspaceId, userId);
  await insertConnection(tx, {
    ...{ workspaceId, grantId, userId, clientId, clientName, verifiedHost, redirectTarget },
    scope: scopes.join(" "),
  });
  await approveRedirect(tx, { clientId, redirectUri, grantId, days: GRANT_DAYS });
  await recordAudit(tx, context, {
    workspaceId,
    action: "oauth_client.connect",
    target: clientId,
    detail: { name: clientName, scopes, grantId },
  });
}

/**
 * Connects a client to a workspace with the scopes that the person selected. The first decision counts: a double click
 * sends two.
 *
 * @returns the URL where the browser continues
 * @throws AppError `not_found` when this browser has no pending request or the person is not a member
 * @throws AppError `invalid_request` when no available scope is selected
 */
export async function allowConsent(context: PersonContext, input: Allowed): Promise<string> {
  const { uid, workspaceId } = input;
  const { userId } = context.actor;
  const request = await readRequest(uid, input.cookie);
  if (request.isDecided) return request.returnTo;
  const offers = await offerScopes(context, request, workspaceId);
  const scopes = offers.flatMap(({ scope, obstacle }) =>
    obstacle === undefined && input.scopes.includes(scope) ? [scope] : [],
  );
  if (scopes.length === 0) throw new AppError("invalid_request", { message: "Choose what the client may do" });
  const grantId = await saveGrant(input, request, userId, scopes);
  await context.db.transaction((tx) =>
    storeConnection(tx, context, { uid, workspaceId, scopes, userId, request, grantId }),
  );
  return request.returnTo;
}

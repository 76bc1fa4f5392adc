import type { Context } from "@/lib/platform/context";
import type { SignedIn } from "@/lib/tenancy/sign-in";
import { listWorkspacesOf, type Plan, type Role } from "@/lib/tenancy/workspaces";
import { obstacle, type Scope, SCOPE_TEXTS } from "./domain/scopes";
import { clientAccess, entitlementOf } from "./entitlement";
import { requireMcpOn } from "./read-policy";
import { expired, readRequest, type PendingRequest } from "./read-request";

export type Offer = {
  scope: Scope;
  title: string;
  text: string;
  /** Why the scope cannot be granted in the selected workspace. */
  obstacle: string | undefined;
};

export type Consent = {
  request: PendingRequest;
  workspaces: { workspaceId: string; name: string; plan: Plan; role: Role }[];
  /** The selected workspace; undefined if the person has none. */
  workspaceId: string | undefined;
  offers: Offer[];
};

/** The requested scopes, each with the reason if the person cannot grant it in the workspace. */
export async function offerScopes(
  { db, actor }: Pick<Context, "db"> & { actor: SignedIn },
  { clientId, scopes }: Pick<PendingRequest, "clientId" | "scopes">,
  workspaceId: string,
): Promise<Offer[]> {
  const access = await clientAccess(db, { kind: "oauthClient", clientId, userId: actor.userId, workspaceId });
  const entitlement = entitlementOf(access);
  return scopes.map((scope) => ({ scope, ...SCOPE_TEXTS[scope], obstacle: obstacle(scope, entitlement) }));
}

/**
 * Reads the contents of the consent page: client, workspace and available scopes.
 *
 * @throws AppError `not_found` when this browser has no pending request
 * @throws AppError `mcp_disabled`, `forbidden` for a redirect address that the operator's rules refuse
 */
export async function readConsent(
  context: Context & { actor: SignedIn },
  input: { uid: string; cookie: string; workspaceId: string | undefined },
): Promise<Consent> {
  await requireMcpOn();
  const request = await readRequest(input.uid, input.cookie);
  if (request.isDecided) throw expired();
  const memberships = await listWorkspacesOf(context, { userId: context.actor.userId });
  const workspaces = memberships.map(({ workspaceId, name, plan, role }) => ({ workspaceId, name, plan, role }));
  const chosen = workspaces.find(({ workspaceId }) => workspaceId === input.workspaceId) ?? workspaces[0];
  const offers = chosen ? await offerScopes(context, request, chosen.workspaceId) : [];
  return { request, workspaces, workspaceId: chosen?.workspaceId, offers };
}

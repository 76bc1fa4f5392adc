import type { Actor, Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { idPattern } from "@/lib/contract/ids";
import { credentialHas, holds, type Permission, type Role, roleHas, ruleOf, scopesHave } from "./domain/permissions";
import type { Plan } from "./domain/plans";
import { findAccess } from "./queries";

export type Access = {
  workspaceId: string;
  plan: Plan;
  /** The person's role; undefined for operators, keys and the system. */
  role: Role | undefined;
  /** Whether this actor may see IP addresses and locations. */
  canSeeAddresses: boolean;
  /** Whether the audit log records each Report that a person opens. */
  logsReportViews: boolean;
};

type StoredAccess = NonNullable<Awaited<ReturnType<typeof findAccess>>>;

const unknownWorkspace = () => new AppError("not_found", { message: "There is no such workspace" });

/** Undefined for actors to whom the workspace must appear not to exist. */
function visibleAccess(actor: Actor, workspaceId: string, stored: StoredAccess): Access | undefined {
  const access = { workspaceId, plan: stored.plan, logsReportViews: stored.logsReportViews };
  const unrestricted = { ...access, role: undefined, canSeeAddresses: true };
  const asMember = stored.role
    ? { ...access, role: stored.role, canSeeAddresses: stored.canSeeAddresses ?? false }
    : undefined;
  switch (actor.kind) {
    case "operator":
    case "system":
      return unrestricted;
    case "user":
      return asMember ?? (actor.isOperator ? unrestricted : undefined);
    case "apiKey":
    case "managementKey":
      return actor.workspaceId === workspaceId ? unrestricted : undefined;
    case "oauthClient":
      return actor.workspaceId === workspaceId ? asMember : undefined;
  }
}

function isPermitted(actor: Actor, access: Access, permission: Permission): boolean {
  switch (actor.kind) {
    case "operator":
    case "system":
      return true;
    case "user":
      return actor.isOperator || (access.role !== undefined && holds(access, permission));
    case "apiKey":
      return credentialHas(permission);
    case "managementKey":
      return scopesHave(actor.scopes, permission);
    case "oauthClient":
      return credentialHas(permission) && access.role !== undefined && holds(access, permission);
  }
}

function refusalOf({ role }: Access, permission: Permission): string {
  const { text, addressesBecause } = ruleOf(permission);
  const isOfRole = role !== undefined && roleHas(role, permission);
  if (isOfRole && addressesBecause !== undefined)
    return `Members who may not see addresses may not ${text}: ${addressesBecause}`;
  return `${role ? `The role ${role}` : "This credential"} may not ${text}`;
}

/**
 * Checks that the actor may see IP addresses and locations.
 *
 * @throws AppError `forbidden`
 */
export function requireAddresses({ canSeeAddresses }: Access): void {
  if (!canSeeAddresses)
    throw new AppError("forbidden", { message: "Your role does not include seeing addresses and places" });
}

/**
 * Checks the actor's permission in a workspace. To non-members, a workspace is indistinguishable from one that does not
 * exist.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function authorize(
  { db, actor }: Pick<Context, "db" | "actor">,
  workspaceId: string,
  permission: Permission,
): Promise<Access> {
  if (!idPattern("workspace").test(workspaceId)) throw unknownWorkspace();
  const userId = actor.kind === "user" || actor.kind === "oauthClient" ? actor.userId : undefined;
  const stored = await findAccess(db, workspaceId, userId);
  const access = stored && visibleAccess(actor, workspaceId, stored);
  if (!access) throw unknownWorkspace();
  if (!isPermitted(actor, access, permission)) {
    throw new AppError("forbidden", { message: refusalOf(access, permission) });
  }
  return access;
}

import type { Db } from "@/db/client";
import type { Actor } from "@/lib/platform/context";
import { type Access, authorize, PLAN_LIMITS, roleHas } from "@/lib/tenancy/workspaces";
import type { Entitlement } from "./domain/scopes";

export type ClientActor = Extract<Actor, { kind: "oauthClient" }>;

/**
 * The current access of a client's person as a member of the workspace, even if the person is an operator.
 *
 * @throws AppError `not_found` for a non-member
 */
export const clientAccess = (db: Db, actor: ClientActor): Promise<Access> =>
  authorize({ db, actor }, actor.workspaceId, "workspace.read");

export const entitlementOf = ({ role, plan }: Access): Entitlement => ({
  canReadReports: role !== undefined && roleHas(role, "report.read"),
  canReadUsage: role !== undefined && roleHas(role, "usage.read"),
  hasHistory: PLAN_LIMITS[plan].historyDays > 0,
  hasAccountMap: PLAN_LIMITS[plan].hasAccountMap,
});

import type { Db } from "@/db/client";
import type { Actor } from "@/lib/platform/context";
import { type Access, authorize, PLAN_LIMITS, roleHas } from "@/lib/tenancy/workspaces";
import type { Entitlement } from "./domain/scopes";

export type ClientActor = Extract<Actor, { kind: "oauthClient" }>;

/**
 * What the person behind a client may do in the workspace now; a client never has more than its person, also where
 * that person runs the instance.
 *
 * @throws AppError not_found for who is not a member
 */
export const clientAccess = (db: Db, actor: ClientActor): Promise<Access> =>
  authorize({ db, actor }, actor.workspaceId, "workspace.read");

export const entitlementOf = ({ role, plan, canSeeAddresses }: Access): Entitlement => ({
  canReadReports: role !== undefined && roleHas(role, "report.read"),
  canReadUsage: role !== undefined && roleHas(role, "usage.read"),
  canSeeAddresses,
  hasHistory: PLAN_LIMITS[plan].historyDays > 0,
  hasAccountMap: PLAN_LIMITS[plan].hasAccountMap,
});

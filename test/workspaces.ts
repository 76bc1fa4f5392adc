import type { Db } from "@/db/client";
import type { Actor, Context } from "@/lib/platform/context";
import { newId } from "@/lib/contract/ids";
import { addMember } from "@/lib/tenancy/workspaces/add-member";
import { createWorkspace } from "@/lib/tenancy/workspaces/create-workspace";
import type { Role } from "@/lib/tenancy/workspaces/domain/permissions";
import type { Plan } from "@/lib/tenancy/workspaces/domain/plans";

export const contextOf = (db: Db, actor: Actor): Context => ({
  db,
  now: new Date(),
  actor,
  requestId: newId("request"),
});

export const operatorContext = (db: Db): Context => contextOf(db, { kind: "operator" });

/** A person without any membership. */
export const strangerContext = (db: Db): Context =>
  contextOf(db, { kind: "user", userId: newId("user"), email: "stranger@example.com", isOperator: false });

export async function createTestWorkspace(db: Db, plan: Plan = "pro"): Promise<string> {
  const { workspaceId } = await createWorkspace(operatorContext(db), { name: "Test", plan });
  return workspaceId;
}

/** Creates a person with a role in a workspace. */
export async function memberContext(db: Db, workspaceId: string, role: Role) {
  const email = `${newId("user")}@example.com`;
  const { userId } = await addMember(operatorContext(db), { workspaceId, email, role });
  const actor = { kind: "user", userId, email, isOperator: false } as const;
  return { ...contextOf(db, actor), actor };
}

import { and, eq, inArray, type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { observedRules } from "@/db/schema";
import { idToUuid } from "@/lib/contract/ids";
import { SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";

/** Workspace id of instance-wide rule modes. */
export const INSTANCE = SYSTEM_WORKSPACE_ID;

/** SQL array of the rules in observe mode in a workspace, for the statement that resolves an environment. */
export const observedRulesIn = (workspace: SQL): SQL => sql`array(
    select r.rule_id from observed_rules r
    where r.workspace_id in (${workspace}, ${sql.raw(`'${idToUuid(INSTANCE)}'`)}::uuid))`;

/** Rules in observe mode in a workspace, set by itself or instance-wide. */
export function listObservedRules(db: Db, workspaceId: string) {
  return db
    .select({
      workspaceId: observedRules.workspaceId,
      ruleId: observedRules.ruleId,
      actorKind: observedRules.actorKind,
      createdBy: observedRules.createdBy,
      createdAt: observedRules.createdAt,
    })
    .from(observedRules)
    .where(inArray(observedRules.workspaceId, [workspaceId, INSTANCE]));
}

/** False if the rule was in observe mode already. */
export async function insertObservedRule(
  tx: Db,
  row: { workspaceId: string; ruleId: string; actorKind: string; createdBy: string },
): Promise<boolean> {
  const rows = await tx.insert(observedRules).values(row).onConflictDoNothing().returning({ id: observedRules.ruleId });
  return rows.length > 0;
}

/** False if the rule was not in observe mode. */
export async function deleteObservedRule(tx: Db, workspaceId: string, ruleId: string): Promise<boolean> {
  const rows = await tx
    .delete(observedRules)
    .where(and(eq(observedRules.workspaceId, workspaceId), eq(observedRules.ruleId, ruleId)))
    .returning({ id: observedRules.ruleId });
  return rows.length > 0;
}

import { actorId, recordAudit } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { deleteObservedRule, insertObservedRule, INSTANCE } from "./queries";

export type RuleMode = "enforce" | "observe";
/** A workspace, or the whole instance. */
export type RuleScope = { workspaceId: string } | "instance";

/**
 * Sets the mode of a rule. In mode `observe` its findings are stored as evidence but left out of Reports. Applies to later
 * visits only. The caller must have validated the rule id.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function setRuleMode(
  context: Context,
  { scope, ruleId, mode }: { scope: RuleScope; ruleId: string; mode: RuleMode },
) {
  if (scope === "instance") requireOperator(context);
  else await authorize(context, scope.workspaceId, "rule.manage");
  const workspaceId = scope === "instance" ? INSTANCE : scope.workspaceId;
  await context.db.transaction(async (tx) => {
    const { actor } = context;
    const row = { workspaceId, ruleId, actorKind: actor.kind, createdBy: actorId(actor) };
    const isChanged =
      mode === "observe" ? await insertObservedRule(tx, row) : await deleteObservedRule(tx, workspaceId, ruleId);
    if (isChanged) await recordAudit(tx, context, { workspaceId, action: `rule.${mode}`, target: ruleId });
  });
  return { ruleId, mode };
}

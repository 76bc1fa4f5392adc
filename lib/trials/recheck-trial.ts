import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { reconcile } from "./domain/flow";
import { runFlow, servicePorts, type TrialPorts } from "./run-flow";
import { requireIntentId } from "./show-trial";

/**
 * Reconciles an unresolved payment now. The chain decides, never the operator.
 *
 * @throws AppError `forbidden`, `not_found`, `intent_not_found`
 */
export async function recheckTrial(context: Context, input: { intentId: string }, ports: TrialPorts = servicePorts()) {
  requireOperator(context);
  const intentId = requireIntentId(input.intentId);
  const intent = await runFlow(reconcile("operator", ports.leaseSeconds), { context, intentId, ports });
  await recordAudit(context.db, context, {
    workspaceId: SYSTEM_WORKSPACE_ID,
    action: "trial.recheck",
    target: intentId,
    detail: { status: intent.status },
  });
  return { intentId, status: intent.status, nextReconcileAt: intent.nextReconcileAt };
}

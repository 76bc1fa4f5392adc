import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { applyEvent } from "./apply-event";
import { isUnresolved } from "./domain/intent";
import { requireReason } from "./require-reason";
import { requireIntentId } from "./show-trial";

/**
 * Ends a purchase or its trial. Refused while a payment is unresolved, since the buyer's money could be lost. Idempotent.
 *
 * @throws AppError `forbidden`, `not_found`, `intent_not_found`, `invalid_request`, `conflict`
 */
export async function revokeTrial(context: Context, input: { intentId: string; reason?: string | undefined }) {
  requireOperator(context);
  const intentId = requireIntentId(input.intentId);
  const reason = requireReason(input.reason);
  return await context.db.transaction(async (tx) => {
    const { intent } = await applyEvent({ ...context, db: tx }, intentId, { kind: "revoked", reason });
    if (isUnresolved(intent)) {
      throw new AppError("conflict", {
        message: "A payment is unresolved; revoke the purchase when it is settled or has failed",
      });
    }
    await recordAudit(tx, context, {
      workspaceId: intent.trial?.workspaceId ?? SYSTEM_WORKSPACE_ID,
      action: "trial.revoke",
      target: intentId,
      detail: { status: intent.status, reason: reason ?? null },
    });
    return { intentId, status: intent.status };
  });
}

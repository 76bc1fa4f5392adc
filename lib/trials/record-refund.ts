import { actorId, recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { TRANSACTION } from "./domain/purchase-search";
import { listAttemptRows } from "./queries-attempts";
import { findCreation } from "./queries-intents";
import { insertRefund } from "./queries-purchases";
import { requireReason } from "./require-reason";
import { requireIntentId } from "./show-trial";

type RecordRefund = { intentId: string; transaction: string; note?: string | undefined };

/**
 * Records that a payment was refunded. The service moves no money: the operator makes the transfer and records it here.
 * Idempotent.
 *
 * @throws AppError `forbidden`, `not_found`, `intent_not_found`, `invalid_request`, `conflict` if nothing was paid
 */
export async function recordRefund(context: Context, input: RecordRefund) {
  requireOperator(context);
  const intentId = requireIntentId(input.intentId);
  const transaction = input.transaction.trim().toLowerCase();
  if (!TRANSACTION.test(transaction))
    throw new AppError("invalid_request", { message: "A transaction hash is 0x and 64 hex digits" });
  const note = requireReason(input.note);
  await context.db.transaction(async (tx) => {
    if (!(await findCreation(tx, intentId))) throw new AppError("intent_not_found");
    const attempts = await listAttemptRows(tx, intentId);
    const settled = attempts.find(({ outcome }) => outcome === "settled");
    if (!settled) throw new AppError("conflict", { message: "No payment of this purchase was settled" });
    if (settled.transaction?.toLowerCase() === transaction)
      throw new AppError("invalid_request", { message: "That is the payment itself, not a refund" });
    const notedBy = actorId(context.actor) || context.actor.kind;
    if (!(await insertRefund(tx, { intentId, transaction, notedBy, note: note ?? null }))) return;
    await recordAudit(tx, context, {
      workspaceId: SYSTEM_WORKSPACE_ID,
      action: "trial.note_refund",
      target: intentId,
      detail: { payer: settled.payer, amountAtomic: settled.amountAtomic, note: note ?? null },
    });
  });
  return { intentId, transaction };
}

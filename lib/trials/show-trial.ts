import { type Context, requireOperator } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { requireId } from "@/lib/tenancy/workspaces";
import { applyEvent } from "./apply-event";
import { findGrant } from "./queries-grants";
import { findCreation, listIntentEvents } from "./queries-intents";
import { listAttemptRows } from "./queries-attempts";
import { listRefundRows } from "./queries-purchases";

export const requireIntentId = (intentId: string): string =>
  requireId("intent", intentId, "There is no such trial intent");

/**
 * One purchase with its payment attempts, refunds, full history and, once active, its grant.
 *
 * @throws AppError `forbidden`, `not_found`, `intent_not_found`
 */
export async function showTrial(context: Context, input: { intentId: string }) {
  requireOperator(context);
  const intentId = requireIntentId(input.intentId);
  const { db } = context;
  const { intent, now } = await applyEvent(context, intentId, { kind: "tick" });
  const [creation, attempts, events, refunds, grant] = await Promise.all([
    findCreation(db, intentId),
    listAttemptRows(db, intentId),
    listIntentEvents(db, intentId),
    listRefundRows(db, intentId),
    intent.trial ? findGrant(db, intent.trial.workspaceId) : undefined,
  ]);
  if (!creation) throw new AppError("intent_not_found");
  return { intent, ...creation, attempts, events, refunds, grant, now };
}

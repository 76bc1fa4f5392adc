import type { Db } from "@/db/client";
import type { IntentStatus } from "@/lib/contract/trial";
import type { WebhookEventType } from "@/lib/contract/webhooks";
import { announce } from "@/lib/tenancy/webhooks";
import type { Intent } from "./domain/intent";

type TrialEvent = Extract<WebhookEventType, `trial.${string}`>;

const EVENTS: Partial<Record<IntentStatus, TrialEvent>> = {
  payment_failed: "trial.payment_failed",
  reconciliation_pending: "trial.reconciliation_pending",
  active: "trial.activated",
  expired: "trial.expired",
  revoked: "trial.revoked",
};

/** Purchases that end unpaid are not announced: anyone can start one. */
function eventOf(before: Intent, { status, trial }: Intent): TrialEvent | undefined {
  if (status === before.status) return undefined;
  if ((status === "expired" || status === "revoked") && !trial) return undefined;
  return EVENTS[status];
}

/** Announces a change of a purchase to the operators' webhook endpoints. Call it in the transaction that makes the change. */
export async function announceTrial(tx: Db, origin: string, before: Intent, after: Intent): Promise<void> {
  const type = eventOf(before, after);
  if (type === undefined) return;
  const { intentId, trial } = after;
  const data = {
    intent_id: intentId,
    origin,
    trial_id: trial?.trialId ?? null,
    workspace_id: trial?.workspaceId ?? null,
    expires_at: trial?.expiresAt.toISOString() ?? null,
  };
  await announce(tx, { type, streamId: intentId, data }, "instance");
}

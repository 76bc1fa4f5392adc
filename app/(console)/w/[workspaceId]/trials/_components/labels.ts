import type { IntentStatus } from "@/lib/contract/trial";

/** Labels of the states of a purchase. */
export const STATUS_LABELS: Record<IntentStatus, string> = {
  payment_required: "waits for payment",
  payment_in_progress: "payment in progress",
  payment_failed: "payment failed",
  provisioning: "provisioning",
  reconciliation_pending: "reconciliation pending",
  active: "active",
  expired: "expired",
  revoked: "revoked",
};

const EVENTS: Record<string, string> = {
  challenged: "Terms locked, payment challenge sent",
  payment_presented: "Payment accepted for settlement and recorded",
  settled: "Payment settled",
  settle_unclear: "The settlement got an unclear answer; the chain is checked",
  dead: "The payment is proven never to settle",
  taken_back: "A reorganised chain has taken the settled payment back",
  unknown: "The chain does not show the outcome yet",
  undecided: "The buyer's request ended before the outcome was known",
  reconcile_due: "Checked again",
  provisioned: "Environment and key made",
  provision_failed: "Making environment and key failed; it is tried again",
  status_read: "Credentials read for the first time, the delivery window is open",
  tick: "Time limit reached",
  revoked: "Revoked by the operator",
};

export const eventLabel = (event: string): string => EVENTS[event] ?? event;

const EVIDENCE: Record<string, string> = {
  cancelled: "The payer cancelled the authorization on the chain.",
  expired_unused: "The authorization ended without being used.",
  other_transfer: "The authorization was used, but not for the agreed transfer.",
};

export const evidenceLabel = (evidence: string): string => EVIDENCE[evidence] ?? evidence;

const NAMES: Record<string, string> = { by: "by", reason: "reason", trialId: "trial", transaction: "transaction" };

/** Details of an event that are shown. */
export function detailEntries(detail: unknown): { name: string; value: string }[] {
  if (typeof detail !== "object" || detail === null) return [];
  return Object.entries(detail).flatMap(([key, value]) =>
    NAMES[key] !== undefined && typeof value === "string" ? [{ name: NAMES[key], value }] : [],
  );
}

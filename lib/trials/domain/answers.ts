import type { Activation } from "./flow";
import { type Intent, isUnresolved } from "./intent";

/** `pending` never requests another payment; `challenge` may. */
export type ActivationAnswer = "active" | "pending" | "challenge" | "used" | "expired" | "revoked";

/** The intent's state takes precedence: a payment used elsewhere matters only while a payment can be accepted. */
export function answerActivation({ intent, isUsedElsewhere }: Activation): ActivationAnswer {
  if (isUnresolved(intent)) return "pending";
  const { status } = intent;
  if (status === "active" || status === "expired" || status === "revoked") return status;
  return isUsedElsewhere ? "used" : "challenge";
}

/** Whether the trial's key may be shown at `now`. */
export const isKeyDeliverable = ({ status, trial }: Intent, now: Date): boolean =>
  status === "active" &&
  trial !== undefined &&
  trial.isKeySealed &&
  trial.deliverUntil !== undefined &&
  now < trial.deliverUntil;

/** Maximum time from an authorization's expiry to the payment's outcome: one block and one reconciliation. */
const DECISION_MARGIN_MS = 60_000;
/** The `expires_at` of an unresolved purchase is at least this far in the future. */
const MIN_PENDING_MS = 15_000;

/** The `expires_at` of an intent that is not active. */
export function pendingUntil(intent: Intent, now: Date): Date {
  if (intent.endedAt) return intent.endedAt;
  if (!isUnresolved(intent) || !intent.attempt) return intent.payUntil;
  const decided = intent.attempt.validBefore.getTime() + DECISION_MARGIN_MS;
  return new Date(Math.max(decided, now.getTime() + MIN_PENDING_MS));
}

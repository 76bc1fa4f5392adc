import type { Activation } from "./flow";
import { type Intent, isUnresolved } from "./intent";

/** What the buyer is told: `pending` never asks for another payment, `challenge` always may. */
export type ActivationAnswer = "active" | "pending" | "challenge" | "used" | "expired" | "revoked";

/** The state of the intent decides; that a payment was used elsewhere counts only where a payment is wanted at all. */
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

/** A payment is decided at the latest this long after its authorization ended: the time for a block and a look. */
const DECISION_MARGIN_MS = 60_000;
/** An unresolved purchase never says that it ends at once or did. */
const LEAST_AHEAD_MS = 15_000;

/** The `expires_at` of an intent that is not active. */
export function pendingUntil(intent: Intent, now: Date): Date {
  if (intent.endedAt) return intent.endedAt;
  if (!isUnresolved(intent) || !intent.attempt) return intent.payUntil;
  const decided = intent.attempt.validBefore.getTime() + DECISION_MARGIN_MS;
  return new Date(Math.max(decided, now.getTime() + LEAST_AHEAD_MS));
}

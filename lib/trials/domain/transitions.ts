import type { IntentStatus } from "@/lib/contract/trial";
import { TRIAL_HOURS } from "@/lib/contract/product";
import type { Attempt, Effect, EventKind, Intent, IntentEvent, Transition } from "./intent";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

export const PAY_WINDOW_MS = 30 * MINUTE_MS;
export const DELIVERY_WINDOW_MS = 60 * MINUTE_MS;
export const TRIAL_MS = TRIAL_HOURS * 60 * MINUTE_MS;

/** An authorization is resubmitted only if it stays valid for longer than this; the facilitator requires 6 s. */
const RESETTLE_MARGIN_MS = 8 * SECOND_MS;
/** Minimum interval between reconciliations triggered by polls. */
const MIN_POLL_INTERVAL_MS = SECOND_MS;
const MIN_RETRY_MS = 5 * SECOND_MS;
const MAX_RETRY_MS = MINUTE_MS;

/** Undefined if the event does not apply. */
type Rule<K extends EventKind> = (intent: Intent, event: IntentEvent<K>, now: Date) => Transition | undefined;
export type Rules = { [K in EventKind]?: Rule<K> };
export type TransitionTable = { readonly [S in IntentStatus]: Readonly<Rules> };

const later = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);
const earlier = (one: Date, other: Date) => (one < other ? one : other);

const move = (intent: Intent, change: Partial<Intent>, ...effects: Effect[]): Transition => ({
  state: { ...intent, ...change },
  effects,
});

const idle = {
  leaseUntil: undefined,
  lastReconciledAt: undefined,
  nextReconcileAt: undefined,
  reconcileAttempts: 0,
} as const;

/** The attempt that an outcome belongs to; undefined for outcomes of earlier attempts, which are ignored. */
const attemptOf = ({ attempt }: Intent, { attemptId }: { attemptId: string }): Attempt | undefined =>
  attempt?.attemptId === attemptId ? attempt : undefined;

/** Releases the lease and schedules the next reconciliation, with exponential backoff. */
function scheduleRetry(intent: Intent, now: Date, status: IntentStatus = intent.status): Transition {
  const delay = Math.min(MIN_RETRY_MS * 2 ** Math.min(intent.reconcileAttempts, 10), MAX_RETRY_MS);
  return move(intent, {
    status,
    leaseUntil: undefined,
    nextReconcileAt: later(now, delay),
    reconcileAttempts: intent.reconcileAttempts + 1,
  });
}

const present: Rule<"payment_presented"> = (intent, { attempt, payload, leaseSeconds }, now) =>
  move(
    intent,
    {
      ...idle,
      status: "payment_in_progress",
      attempt,
      leaseUntil: later(now, leaseSeconds * SECOND_MS),
      lastReconciledAt: now,
    },
    { kind: "record_attempt", attempt, payload },
    { kind: "settle", attempt },
  );

const presentInTime: Rule<"payment_presented"> = (intent, event, now) =>
  now < intent.payUntil ? present(intent, event, now) : undefined;

const expireUnpaid: Rule<"tick"> = (intent, _event, now) =>
  now < intent.payUntil ? undefined : move(intent, { status: "expired", endedAt: intent.payUntil });

const revokeUnpaid: Rule<"revoked"> = (intent, _event, now) => move(intent, { status: "revoked", endedAt: now });

const settle: Rule<"settled"> = (intent, event) =>
  attemptOf(intent, event) &&
  move(
    intent,
    { status: "provisioning", reconcileAttempts: 0 },
    { kind: "record_settlement", attemptId: event.attemptId, settlement: event.settlement },
    { kind: "provision" },
  );

const failAttempt: Rule<"dead"> = (intent, event) =>
  attemptOf(intent, event) &&
  move(
    intent,
    { ...idle, status: "payment_failed" },
    { kind: "record_failure", attemptId: event.attemptId, proof: event.proof },
  );

/** The trial is not ended: whether it continues without a payment is the operator's decision. */
const recordTakenBack: Rule<"taken_back"> = (intent, event) =>
  intent.trial &&
  attemptOf(intent, event) &&
  move(intent, {}, { kind: "record_taken_back", attemptId: event.attemptId, proof: event.proof });

/** A failed settlement proves nothing, so read the chain. */
const verifyOnChain: Rule<"settle_unclear"> = (intent, event) => {
  const attempt = attemptOf(intent, event);
  return attempt && move(intent, {}, { kind: "read_chain", attempt, mayResettle: false });
};

/** Submitting the same authorization again is safe: its nonce can only be spent once. */
const resettleOrRetry: Rule<"unknown"> = (intent, event, now) => {
  const attempt = attemptOf(intent, event);
  if (!attempt) return undefined;
  const isValid = now.getTime() + RESETTLE_MARGIN_MS < attempt.validBefore.getTime();
  return event.mayResettle && isValid ? move(intent, {}, { kind: "settle", attempt }) : scheduleRetry(intent, now);
};

/** Whether the clock was set back since the last reconciliation, so that the times after it lie too far ahead. */
const wasSetBack = ({ lastReconciledAt }: Intent, now: Date): boolean =>
  lastReconciledAt !== undefined && lastReconciledAt.getTime() - now.getTime() > MINUTE_MS;

const isDue = (intent: Intent, { by }: IntentEvent<"reconcile_due">, now: Date): boolean => {
  if (wasSetBack(intent, now)) return true;
  if (intent.leaseUntil && now < intent.leaseUntil) return false;
  switch (by) {
    case "timer":
      return !intent.nextReconcileAt || now >= intent.nextReconcileAt;
    case "poll":
      return !intent.lastReconciledAt || now.getTime() >= intent.lastReconciledAt.getTime() + MIN_POLL_INTERVAL_MS;
    case "operator":
      return true;
  }
};

const startReconciliation: Rule<"reconcile_due"> = (intent, event, now) => {
  const { attempt } = intent;
  if (!attempt || !isDue(intent, event, now)) return undefined;
  return move(
    intent,
    { status: "reconciliation_pending", leaseUntil: later(now, event.leaseSeconds * SECOND_MS), lastReconciledAt: now },
    { kind: "read_chain", attempt, mayResettle: true },
  );
};

const retryProvisioning: Rule<"reconcile_due"> = (intent, event, now) =>
  isDue(intent, event, now)
    ? move(
        intent,
        { leaseUntil: later(now, event.leaseSeconds * SECOND_MS), lastReconciledAt: now },
        { kind: "provision" },
      )
    : undefined;

const activate: Rule<"provisioned"> = (intent, { trialId, workspaceId }, now) => {
  const trial = { trialId, workspaceId, expiresAt: later(now, TRIAL_MS), deliverUntil: undefined, isKeySealed: true };
  return move(intent, { ...idle, status: "active", trial }, { kind: "create_trial", trial });
};

const openDelivery: Rule<"status_read"> = (intent, _event, now) => {
  const { trial } = intent;
  if (!trial || trial.deliverUntil) return undefined;
  return move(intent, {
    trial: { ...trial, deliverUntil: earlier(later(now, DELIVERY_WINDOW_MS), trial.expiresAt) },
  });
};

const endTrial = (intent: Intent, as: "expired" | "revoked", at: Date): Transition | undefined => {
  const { trial } = intent;
  return (
    trial &&
    move(
      intent,
      { status: as, endedAt: at, trial: { ...trial, isKeySealed: false } },
      { kind: "end_trial", trial, as, at },
      { kind: "erase_key" },
    )
  );
};

const applyDeadlines: Rule<"tick"> = (intent, _event, now) => {
  const { trial } = intent;
  if (!trial) return undefined;
  if (now >= trial.expiresAt) return endTrial(intent, "expired", trial.expiresAt);
  const isWindowOver = trial.isKeySealed && trial.deliverUntil !== undefined && now >= trial.deliverUntil;
  return isWindowOver ? move(intent, { trial: { ...trial, isKeySealed: false } }, { kind: "erase_key" }) : undefined;
};

/**
 * State machine of a purchase. An event without a rule is ignored in that status. A payment is accepted only in states where
 * none can have been taken before. An unresolved payment neither expires nor can be revoked: it ends only by proof.
 */
export const TRANSITIONS: TransitionTable = {
  payment_required: {
    tick: expireUnpaid,
    challenged: (intent, { terms }) =>
      intent.isQuoteLocked ? undefined : move(intent, { isQuoteLocked: true }, { kind: "lock_terms", terms }),
    payment_presented: presentInTime,
    revoked: revokeUnpaid,
  },
  payment_failed: { tick: expireUnpaid, payment_presented: presentInTime, revoked: revokeUnpaid },
  payment_in_progress: {
    settled: settle,
    settle_unclear: verifyOnChain,
    dead: failAttempt,
    unknown: (intent, event, now) => attemptOf(intent, event) && scheduleRetry(intent, now, "reconciliation_pending"),
    undecided: (intent) => move(intent, { status: "reconciliation_pending" }),
    reconcile_due: startReconciliation,
  },
  reconciliation_pending: {
    settled: settle,
    settle_unclear: verifyOnChain,
    dead: failAttempt,
    unknown: resettleOrRetry,
    reconcile_due: startReconciliation,
  },
  provisioning: {
    provisioned: activate,
    provision_failed: (intent, _event, now) => scheduleRetry(intent, now),
    reconcile_due: retryProvisioning,
  },
  active: {
    tick: applyDeadlines,
    status_read: openDelivery,
    revoked: (intent, _event, now) => endTrial(intent, "revoked", now),
    taken_back: recordTakenBack,
  },
  expired: { taken_back: recordTakenBack },
  revoked: { taken_back: recordTakenBack },
};

/** If the event does not apply, returns the identical state object and no effects. */
export function transition<K extends EventKind>(
  intent: Intent,
  event: IntentEvent<K>,
  now: Date,
  table: TransitionTable = TRANSITIONS,
): Transition {
  const rules: Readonly<Rules> = table[intent.status];
  return rules[event.kind]?.(intent, event, now) ?? { state: intent, effects: [] };
}

import type { IntentStatus } from "@/lib/contract/trial";
import { TRIAL_HOURS } from "@/lib/contract/product";
import type { Attempt, Effect, Intent, IntentEvent, Transition } from "./intent";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

export const PAY_WINDOW_MS = 30 * MINUTE_MS;
export const DELIVERY_WINDOW_MS = 60 * MINUTE_MS;
export const TRIAL_MS = TRIAL_HOURS * 60 * MINUTE_MS;

/** An authorization is submitted again only while it stays valid for longer than this: the facilitator wants 6 s. */
const RESETTLE_MARGIN_MS = 8 * SECOND_MS;
/** Least time between two looks that polls cause. */
const POLL_GAP_MS = SECOND_MS;
const FIRST_DELAY_MS = 5 * SECOND_MS;
const LONGEST_DELAY_MS = MINUTE_MS;

type EventOf<K extends IntentEvent["kind"]> = Extract<IntentEvent, { kind: K }>;
/** Nothing: the event does not apply. */
type Rule<K extends IntentEvent["kind"]> = (intent: Intent, event: EventOf<K>, now: Date) => Transition | undefined;
export type Rules = { [K in IntentEvent["kind"]]?: Rule<K> };
export type TransitionTable = { readonly [S in IntentStatus]: Readonly<Rules> };

const later = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);
const earlier = (one: Date, other: Date) => (one < other ? one : other);

const move = (intent: Intent, change: Partial<Intent>, ...effects: Effect[]): Transition => ({
  state: { ...intent, ...change },
  effects,
});

const idle = { leaseUntil: undefined, lookedAt: undefined, nextLookAt: undefined, looks: 0 } as const;

/** The attempt that an outcome is about; an outcome of another one changes nothing. */
const attemptOf = ({ attempt }: Intent, { attemptId }: { attemptId: string }): Attempt | undefined =>
  attempt?.attemptId === attemptId ? attempt : undefined;

/** The lease ends and the timer looks again, each time after a longer wait. */
function putOff(intent: Intent, now: Date, status: IntentStatus = intent.status): Transition {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** Math.min(intent.looks, 10), LONGEST_DELAY_MS);
  return move(intent, {
    status,
    leaseUntil: undefined,
    nextLookAt: later(now, delay),
    looks: intent.looks + 1,
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
      lookedAt: now,
    },
    { kind: "record_attempt", attempt, payload },
    { kind: "settle", attempt },
  );

const presentInTime: Rule<"payment_presented"> = (intent, event, now) =>
  now < intent.payUntil ? present(intent, event, now) : undefined;

const endUnpaid: Rule<"tick"> = (intent, _event, now) =>
  now < intent.payUntil ? undefined : move(intent, { status: "expired", endedAt: intent.payUntil });

const revokeUnpaid: Rule<"revoked"> = (intent, _event, now) => move(intent, { status: "revoked", endedAt: now });

const settle: Rule<"settled"> = (intent, event) =>
  attemptOf(intent, event) &&
  move(
    intent,
    { status: "provisioning", looks: 0 },
    { kind: "record_settlement", attemptId: event.attemptId, settlement: event.settlement },
    { kind: "provision" },
  );

const bury: Rule<"dead"> = (intent, event) =>
  attemptOf(intent, event) &&
  move(
    intent,
    { ...idle, status: "payment_failed" },
    { kind: "record_death", attemptId: event.attemptId, death: event.death },
  );

/** No failure of a settlement is believed: the chain is asked. */
const askChain: Rule<"settle_unclear"> = (intent, event) => {
  const attempt = attemptOf(intent, event);
  return attempt && move(intent, {}, { kind: "read_chain", attempt, mayResettle: false });
};

/** Presenting the same authorization again is safe: its nonce can be spent once. */
const tryAgainOrWait: Rule<"unknown"> = (intent, event, now) => {
  const attempt = attemptOf(intent, event);
  if (!attempt) return undefined;
  const isValid = now.getTime() + RESETTLE_MARGIN_MS < attempt.validBefore.getTime();
  return event.mayResettle && isValid ? move(intent, {}, { kind: "settle", attempt }) : putOff(intent, now);
};

const isDue = (intent: Intent, { by }: EventOf<"reconcile_due">, now: Date): boolean => {
  if (intent.leaseUntil && now < intent.leaseUntil) return false;
  switch (by) {
    case "timer":
      return !intent.nextLookAt || now >= intent.nextLookAt;
    case "poll":
      return !intent.lookedAt || now.getTime() >= intent.lookedAt.getTime() + POLL_GAP_MS;
    case "operator":
      return true;
  }
};

const look: Rule<"reconcile_due"> = (intent, event, now) => {
  const { attempt } = intent;
  if (!attempt || !isDue(intent, event, now)) return undefined;
  return move(
    intent,
    { status: "reconciliation_pending", leaseUntil: later(now, event.leaseSeconds * SECOND_MS), lookedAt: now },
    { kind: "read_chain", attempt, mayResettle: true },
  );
};

const provisionAgain: Rule<"reconcile_due"> = (intent, event, now) =>
  isDue(intent, event, now)
    ? move(intent, { leaseUntil: later(now, event.leaseSeconds * SECOND_MS), lookedAt: now }, { kind: "provision" })
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

const age: Rule<"tick"> = (intent, _event, now) => {
  const { trial } = intent;
  if (!trial) return undefined;
  if (now >= trial.expiresAt) return endTrial(intent, "expired", trial.expiresAt);
  const isWindowOver = trial.isKeySealed && trial.deliverUntil !== undefined && now >= trial.deliverUntil;
  return isWindowOver ? move(intent, { trial: { ...trial, isKeySealed: false } }, { kind: "erase_key" }) : undefined;
};

/**
 * The whole life of a purchase. What is missing from a status does not apply there. A payment is accepted only where
 * nothing can have been taken before; an unresolved one neither expires nor is revoked nor ends in anything but proof.
 */
export const TRANSITIONS: TransitionTable = {
  payment_required: {
    tick: endUnpaid,
    challenged: (intent, { terms }) =>
      intent.isQuoteLocked ? undefined : move(intent, { isQuoteLocked: true }, { kind: "lock_terms", terms }),
    payment_presented: presentInTime,
    revoked: revokeUnpaid,
  },
  payment_failed: { tick: endUnpaid, payment_presented: presentInTime, revoked: revokeUnpaid },
  payment_in_progress: {
    settled: settle,
    settle_unclear: askChain,
    dead: bury,
    unknown: (intent, event, now) => attemptOf(intent, event) && putOff(intent, now, "reconciliation_pending"),
    undecided: (intent) => move(intent, { status: "reconciliation_pending" }),
    reconcile_due: look,
  },
  reconciliation_pending: {
    settled: settle,
    settle_unclear: askChain,
    dead: bury,
    unknown: tryAgainOrWait,
    reconcile_due: look,
  },
  provisioning: {
    provisioned: activate,
    provision_failed: (intent, _event, now) => putOff(intent, now),
    reconcile_due: provisionAgain,
  },
  active: {
    tick: age,
    status_read: openDelivery,
    revoked: (intent, _event, now) => endTrial(intent, "revoked", now),
  },
  expired: {},
  revoked: {},
};

/** What `event` makes of `intent`. An event that does not apply leaves the very same state and no effects. */
export function transition(
  intent: Intent,
  event: IntentEvent,
  now: Date,
  table: TransitionTable = TRANSITIONS,
): Transition {
  const rule = table[intent.status][event.kind];
  // safe: the key of the rule and the kind of the event are the same word.
  return rule?.(intent, event as never, now) ?? { state: intent, effects: [] };
}

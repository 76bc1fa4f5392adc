import {
  type Attempt,
  type Call,
  type Death,
  type Effect,
  type Intent,
  type IntentEvent,
  isOpen,
  isUnresolved,
  type Settlement,
} from "./intent";

/** The stored intent after an event; `conflict` when the payment's nonce was presented before. */
export type Applied = {
  intent: Intent;
  effects: Effect[];
  /** When the event was applied, by the clock of the store. */
  now: Date;
  conflict?: "own" | "other";
};

export type Outcome = { kind: "settled"; settlement: Settlement } | { kind: "unclear" };
export type Verdict =
  | { kind: "settled"; settlement: Settlement }
  | { kind: "dead"; death: Death }
  | { kind: "unknown" };

/** A payment that passed every check, or why it is refused. */
export type Checked =
  | { kind: "acceptable"; attempt: Attempt; payload: unknown }
  | { kind: "unacceptable"; reason: string }
  | { kind: "used"; by: "own" | "other" };

/**
 * What a flow asks of its dependencies, and what it gets back. Between two steps anything else may happen,
 * or the process may end.
 */
export type Steps = {
  /** One transaction. */
  apply: { ask: { kind: "apply"; event: IntentEvent }; get: Applied };
  /** Local checks and the facilitator's verification: submits nothing. */
  check: { ask: { kind: "check"; intent: Intent }; get: Checked };
  settle: { ask: { kind: "settle"; attempt: Attempt }; get: Outcome };
  read_chain: { ask: { kind: "read_chain"; attempt: Attempt }; get: Verdict };
  /** Identifiers of a new trial. */
  name_trial: { ask: { kind: "name_trial" }; get: { trialId: string; workspaceId: string } };
  /** Waits a moment; false when the request has waited as long as it may. */
  wait: { ask: { kind: "wait" }; get: boolean };
};

export type Step = Steps[keyof Steps]["ask"];
export type StepResult = Steps[keyof Steps]["get"];
export type Flow<Result> = Generator<Step, Result, StepResult>;

function* ask<K extends keyof Steps>(step: Steps[K]["ask"] & { kind: K }): Flow<Steps[K]["get"]> {
  const result: Steps[K]["get"] = yield step; // whoever runs a flow answers each step by its kind
  return result;
}

const apply = (event: IntentEvent) => ask<"apply">({ kind: "apply", event });

const isCall = (effect: Effect): effect is Call =>
  effect.kind === "settle" || effect.kind === "read_chain" || effect.kind === "provision";

/** Does what a transition asked for outside of its transaction; the event that came of it. */
function* perform(call: Call): Flow<IntentEvent> {
  if (call.kind === "provision") return { kind: "provisioned", ...(yield* ask<"name_trial">({ kind: "name_trial" })) };
  const { attempt } = call;
  const { attemptId } = attempt;
  const outcome =
    call.kind === "settle"
      ? yield* ask<"settle">({ kind: "settle", attempt })
      : yield* ask<"read_chain">({ kind: "read_chain", attempt });
  switch (outcome.kind) {
    case "settled":
      return { kind: "settled", attemptId, settlement: outcome.settlement };
    case "dead":
      return { kind: "dead", attemptId, death: outcome.death };
    case "unclear":
      return { kind: "settle_unclear", attemptId };
    case "unknown":
      return { kind: "unknown", attemptId, mayResettle: call.kind === "read_chain" && call.mayResettle };
  }
}

/** A provisioning that fails leaves the paid intent as it is: it is tried again until it succeeds. */
function* applyOutcome(event: IntentEvent): Flow<Applied> {
  if (event.kind !== "provisioned") return yield* apply(event);
  try {
    return yield* apply(event);
  } catch {
    return yield* apply({ kind: "provision_failed" });
  }
}

function* carryOn(first: Applied): Flow<Intent> {
  let applied = first;
  for (;;) {
    const call = applied.effects.find(isCall);
    if (!call) return applied.intent;
    applied = yield* applyOutcome(yield* perform(call));
  }
}

/** Applies an event and does all that follows from it. */
export function* drive(event: IntentEvent): Flow<Intent> {
  return yield* carryOn(yield* apply(event));
}

/** Finds out what became of an unresolved payment, unless somebody else is at it or it is too early. */
export const reconcile = (by: "timer" | "poll" | "operator", leaseSeconds: number): Flow<Intent> =>
  drive({ kind: "reconcile_due", by, leaseSeconds });

/** The intent as a status read shows it. It opens the delivery window, and helps an unresolved payment along. */
export function* readStatus(leaseSeconds: number): Flow<Applied> {
  const applied = yield* apply({ kind: "status_read" });
  if (!isUnresolved(applied.intent)) return applied;
  yield* reconcile("poll", leaseSeconds);
  return yield* apply({ kind: "status_read" });
}

export type Activation = {
  intent: Intent;
  /** Why a new payment is needed, when one was presented. */
  reason?: string;
  isUsedElsewhere?: boolean;
};

const REUSED = "This authorization was presented before and was not paid; sign a new one";

/** Waits for a payment that another request has submitted; what stays undecided is left to the reconciler. */
function* waitForOther(intent: Intent): Flow<Intent> {
  let at = intent;
  while (at.status === "payment_in_progress") {
    const mayWait = yield* ask<"wait">({ kind: "wait" });
    at = (yield* apply(mayWait ? { kind: "tick" } : { kind: "undecided" })).intent;
  }
  return at;
}

function* submit(intent: Intent, leaseSeconds: number): Flow<Activation> {
  const checked = yield* ask<"check">({ kind: "check", intent });
  if (checked.kind === "acceptable") {
    const { attempt, payload } = checked;
    const applied = yield* apply({ kind: "payment_presented", attempt, payload, leaseSeconds });
    if (applied.conflict === undefined) return { intent: yield* carryOn(applied), reason: "The payment was not made" };
    return { intent: applied.intent, reason: REUSED, isUsedElsewhere: applied.conflict === "other" };
  }
  // Another request may have got further meanwhile: what it did decides the answer.
  const { intent: at } = yield* apply({ kind: "tick" });
  return checked.kind === "used"
    ? { intent: at, reason: REUSED, isUsedElsewhere: checked.by === "other" }
    : { intent: at, reason: checked.reason };
}

/** Takes one payment at most. With nothing presented, or while something is unresolved, it submits nothing. */
export function* activate(hasPayment: boolean, leaseSeconds: number): Flow<Activation> {
  const { intent } = yield* apply({ kind: "tick" });
  const activation = hasPayment && isOpen(intent) ? yield* submit(intent, leaseSeconds) : { intent };
  return { ...activation, intent: yield* waitForOther(activation.intent) };
}

import {
  type Attempt,
  type Call,
  type NonPaymentProof,
  type Effect,
  type Intent,
  type IntentEvent,
  isOpen,
  isUnresolved,
  type Settlement,
} from "./intent";

/** The stored intent after an event; `conflict` if the payment's nonce was presented before. */
export type Applied = {
  intent: Intent;
  effects: Effect[];
  /** Database time at which the event was applied. */
  now: Date;
  conflict?: "own" | "other";
};

export type Outcome = { kind: "settled"; settlement: Settlement } | { kind: "unclear" };
export type Verdict =
  | { kind: "settled"; settlement: Settlement }
  | { kind: "dead"; proof: NonPaymentProof }
  | { kind: "unknown" };

export type Checked =
  | { kind: "acceptable"; attempt: Attempt; payload: unknown }
  | { kind: "unacceptable"; reason: string }
  | { kind: "used"; by: "own" | "other" };

/**
 * Requests that a flow yields to its runner, and their results. Between two steps other requests may run, or the process
 * may crash.
 */
type Steps = {
  /** One transaction. */
  apply: { request: { kind: "apply"; event: IntentEvent }; result: Applied };
  /** Local checks and the facilitator's verification. Submits nothing. */
  check: { request: { kind: "check"; intent: Intent }; result: Checked };
  settle: { request: { kind: "settle"; attempt: Attempt }; result: Outcome };
  read_chain: { request: { kind: "read_chain"; attempt: Attempt }; result: Verdict };
  /** Generates the ids of a new trial. */
  name_trial: { request: { kind: "name_trial" }; result: { trialId: string; workspaceId: string } };
  /** Waits for one poll interval; false if the request has timed out. */
  wait: { request: { kind: "wait" }; result: boolean };
};

export type Step = Steps[keyof Steps]["request"];
export type StepResult = Steps[keyof Steps]["result"];
export type Flow<Result> = Generator<Step, Result, StepResult>;

function* request<K extends keyof Steps>(step: Steps[K]["request"] & { kind: K }): Flow<Steps[K]["result"]> {
  const result: Steps[K]["result"] = yield step; // the runner answers each step by its kind
  return result;
}

const apply = (event: IntentEvent) => request<"apply">({ kind: "apply", event });

const isCall = (effect: Effect): effect is Call =>
  effect.kind === "settle" || effect.kind === "read_chain" || effect.kind === "provision";

/** Runs a transition's call outside its transaction, and returns the event for its outcome. */
function* perform(call: Call): Flow<IntentEvent> {
  if (call.kind === "provision")
    return { kind: "provisioned", ...(yield* request<"name_trial">({ kind: "name_trial" })) };
  const { attempt } = call;
  const { attemptId } = attempt;
  const outcome =
    call.kind === "settle"
      ? yield* request<"settle">({ kind: "settle", attempt })
      : yield* request<"read_chain">({ kind: "read_chain", attempt });
  switch (outcome.kind) {
    case "settled":
      return { kind: "settled", attemptId, settlement: outcome.settlement };
    case "dead":
      return { kind: "dead", attemptId, proof: outcome.proof };
    case "unclear":
      return { kind: "settle_unclear", attemptId };
    case "unknown":
      return { kind: "unknown", attemptId, mayResettle: call.kind === "read_chain" && call.mayResettle };
  }
}

/** If provisioning fails, the paid intent stays as it is and provisioning is retried until it succeeds. */
function* applyOutcome(event: IntentEvent): Flow<Applied> {
  if (event.kind !== "provisioned") return yield* apply(event);
  try {
    return yield* apply(event);
  } catch {
    return yield* apply({ kind: "provision_failed" });
  }
}

function* runCalls(first: Applied): Flow<Intent> {
  let applied = first;
  for (;;) {
    const call = applied.effects.find(isCall);
    if (!call) return applied.intent;
    applied = yield* applyOutcome(yield* perform(call));
  }
}

/** Applies an event and runs the resulting calls. */
export function* drive(event: IntentEvent): Flow<Intent> {
  return yield* runCalls(yield* apply(event));
}

/** Reconciles an unresolved payment, unless it is leased or not due. */
export const reconcile = (by: "timer" | "poll" | "operator", leaseSeconds: number): Flow<Intent> =>
  drive({ kind: "reconcile_due", by, leaseSeconds });

/** A status read opens the delivery window and reconciles an unresolved payment. */
export function* readStatus(leaseSeconds: number): Flow<Applied> {
  const applied = yield* apply({ kind: "status_read" });
  if (!isUnresolved(applied.intent)) return applied;
  yield* reconcile("poll", leaseSeconds);
  return yield* apply({ kind: "status_read" });
}

export type Activation = {
  intent: Intent;
  /** Why another payment is needed, if one was presented. */
  reason?: string;
  isUsedElsewhere?: boolean;
};

const REUSED = "This authorization was presented before and was not paid; sign a new one";

/** Waits for a payment submitted by another request; after the timeout the reconciler takes over. */
function* waitForOther(intent: Intent): Flow<Intent> {
  let current = intent;
  while (current.status === "payment_in_progress") {
    const mayWait = yield* request<"wait">({ kind: "wait" });
    current = (yield* apply(mayWait ? { kind: "tick" } : { kind: "undecided" })).intent;
  }
  return current;
}

function* submit(intent: Intent, leaseSeconds: number): Flow<Activation> {
  const checked = yield* request<"check">({ kind: "check", intent });
  if (checked.kind === "acceptable") {
    const { attempt, payload } = checked;
    const applied = yield* apply({ kind: "payment_presented", attempt, payload, leaseSeconds });
    if (applied.conflict === undefined) return { intent: yield* runCalls(applied), reason: "The payment was not made" };
    return { intent: applied.intent, reason: REUSED, isUsedElsewhere: applied.conflict === "other" };
  }
  // Another request may have changed the intent meanwhile, so answer from its current state.
  const { intent: current } = yield* apply({ kind: "tick" });
  return checked.kind === "used"
    ? { intent: current, reason: REUSED, isUsedElsewhere: checked.by === "other" }
    : { intent: current, reason: checked.reason };
}

/** Takes at most one payment. Submits nothing without a presented payment, or while one is unresolved. */
export function* activate(hasPayment: boolean, leaseSeconds: number): Flow<Activation> {
  const { intent } = yield* apply({ kind: "tick" });
  const activation = hasPayment && isOpen(intent) ? yield* submit(intent, leaseSeconds) : { intent };
  return { ...activation, intent: yield* waitForOther(activation.intent) };
}

import { activate, type Activation, type Flow, type StepResult } from "@/lib/trials/domain/flow";
import type { Intent, IntentEvent } from "@/lib/trials/domain/intent";
import { type Rules, TRANSITIONS, type TransitionTable } from "@/lib/trials/domain/transitions";
import type { IntentStatus } from "@/lib/contract/trial";
import type { Bug } from "./schedule";

const withRules = (...changes: [IntentStatus, Rules][]): TransitionTable =>
  changes.reduce<TransitionTable>(
    (table, [status, rules]) => ({ ...table, [status]: { ...table[status], ...rules } }),
    TRANSITIONS,
  );

function without(status: IntentStatus, kind: IntentEvent["kind"]): TransitionTable {
  const rules = Object.entries(TRANSITIONS[status]).filter(([name]) => name !== kind);
  return { ...TRANSITIONS, [status]: Object.fromEntries(rules) as Rules }; // safe: some of the same rules
}

const failAtOnce = (intent: Intent) => ({
  state: { ...intent, status: "payment_failed" as const, leaseUntil: undefined },
  effects: [
    {
      kind: "record_failure" as const,
      attemptId: intent.attempt?.attemptId ?? "",
      proof: { evidence: "expired_unused", block: "0" },
    },
  ],
});

const expireAnyway: Rules = {
  tick: (intent, _event, now) =>
    now < intent.payUntil ? undefined : { state: { ...intent, status: "expired", endedAt: now }, effects: [] },
};

const revokeAnyway: Rules = {
  revoked: (intent, _event, now) => ({ state: { ...intent, status: "revoked", endedAt: now }, effects: [] }),
};

/** Requests the settlement before the attempt is stored. */
function* settleFirst(hasPayment: boolean, leaseSeconds: number): Flow<Activation> {
  const flow = activate(hasPayment, leaseSeconds);
  let early: StepResult | undefined;
  let turn = flow.next();
  while (!turn.done) {
    const step = turn.value;
    if (step.kind === "apply" && step.event.kind === "payment_presented") {
      early = yield { kind: "settle", attempt: step.event.attempt };
      turn = flow.next(yield step);
    } else if (step.kind === "settle" && early !== undefined) {
      turn = flow.next(early);
      early = undefined;
    } else turn = flow.next(yield step);
  }
  return turn.value;
}

/** Asks for another payment while one is unresolved. */
function* challengeWhilePending(hasPayment: boolean, leaseSeconds: number): Flow<Activation> {
  const activation = yield* activate(hasPayment, leaseSeconds);
  const { intent } = activation;
  const isHidden = hasPayment && intent.status === "reconciliation_pending";
  return isHidden ? { ...activation, intent: { ...intent, status: "payment_failed" } } : activation;
}

const presentAnyway = TRANSITIONS.payment_required.payment_presented;
const activateAgain = TRANSITIONS.provisioning.provisioned;

/** Bugs that the simulation must find, by description. */
export const BUGS: Readonly<Record<string, Bug>> = {
  "settles before the attempt is written down": { activate: settleFirst },
  "asks for another payment while one is unclear": { activate: challengeWhilePending },
  "takes an unclear settlement for a failure": {
    table: withRules(["payment_in_progress", { settle_unclear: failAtOnce }]),
  },
  "takes waiting too long for a failure": {
    table: withRules(["payment_in_progress", { undecided: failAtOnce }]),
  },
  "takes a payment that the chain does not know yet for dead": { chain: "impatient" },
  "takes a used authorization for a paid one": { chain: "usedMeansPaid" },
  "accepts a payment beside an unresolved one": {
    table: withRules(["reconciliation_pending", presentAnyway ? { payment_presented: presentAnyway } : {}]),
  },
  "accepts one payment for two intents": { store: "noNonceUnique" },
  "provisions an active intent again": {
    table: withRules(["active", activateAgain ? { provisioned: activateAgain } : {}]),
  },
  "provisions in two transactions": { store: "splitProvision" },
  "expires an unresolved payment": {
    table: withRules(["payment_in_progress", expireAnyway], ["reconciliation_pending", expireAnyway]),
  },
  "revokes while a payment is in flight": {
    table: withRules(
      ["payment_in_progress", revokeAnyway],
      ["reconciliation_pending", revokeAnyway],
      ["provisioning", revokeAnyway],
    ),
  },
  "forgets a payment whose process died": { table: without("payment_in_progress", "reconcile_due") },
  "forgets a paid intent whose process died": { table: without("provisioning", "reconcile_due") },
  "does not believe a late settlement": { table: without("reconciliation_pending", "settled") },
  "opens the delivery window again at each read": {
    table: withRules([
      "active",
      {
        status_read: (intent, _event, now) =>
          intent.trial && {
            state: { ...intent, trial: { ...intent.trial, deliverUntil: new Date(now.getTime() + 3_600_000) } },
            effects: [],
          },
      },
    ]),
  },
  "keeps the key after the trial": { store: "keyOutlivesTrial" },
  "keeps the grant after the trial": { store: "grantOutlivesTrial" },
  "never ends a trial": { table: without("active", "tick") },
  "never lets go of a lease": {
    table: withRules(["reconciliation_pending", { reconcile_due: () => undefined }]),
  },
};

import { expect, test } from "vitest";

import { INTENT_STATUSES } from "@/lib/contract/trial";
import { type Attempt, type Intent, type IntentEvent, isUnresolved } from "./intent";
import { DELIVERY_WINDOW_MS, PAY_WINDOW_MS, transition, TRIAL_MS } from "./transitions";

const start = new Date("2026-01-01T00:00:00Z");
const after = (milliseconds: number) => new Date(start.getTime() + milliseconds);

const attempt: Attempt = {
  attemptId: "one",
  network: "eip155:31337",
  asset: "0xa",
  payer: "0xb",
  nonce: "0xc",
  validBefore: after(60_000),
  startBlock: 1n,
};
const open: Intent = {
  intentId: "ati",
  status: "payment_required",
  payUntil: after(PAY_WINDOW_MS),
  isQuoteLocked: true,
  attempt: undefined,
  leaseUntil: undefined,
  lastReconciledAt: undefined,
  nextReconcileAt: undefined,
  reconcileAttempts: 0,
  trial: undefined,
  endedAt: undefined,
};
const trial = {
  trialId: "t",
  workspaceId: "w",
  expiresAt: after(TRIAL_MS),
  deliverUntil: undefined,
  isKeySealed: true,
};
const inStatus = (status: Intent["status"]): Intent => ({
  ...open,
  status,
  attempt,
  ...(status === "active" ? { trial } : {}),
});
const presented: IntentEvent = { kind: "payment_presented", attempt, payload: {}, leaseSeconds: 40 };

test("a payment is accepted only if none can have been taken before, and is stored before it is submitted", () => {
  for (const status of INTENT_STATUSES) {
    const { state, effects } = transition(inStatus(status), presented, start);
    const isAccepted = status === "payment_required" || status === "payment_failed";
    expect([status, state.status === "payment_in_progress" && effects.length === 2]).toEqual([
      status,
      isAccepted || false,
    ]);
    if (isAccepted) expect(effects.map(({ kind }) => kind)).toEqual(["record_attempt", "settle"]);
  }
  expect(transition(open, presented, open.payUntil).effects).toEqual([]);
});

test("an unresolved payment neither expires nor can be revoked, at any time", () => {
  for (const status of INTENT_STATUSES.filter((each) => isUnresolved({ status: each }))) {
    for (const event of [{ kind: "tick" }, { kind: "revoked" }] as const) {
      expect(transition(inStatus(status), event, after(10 * TRIAL_MS)).state.status).toBe(status);
    }
  }
});

test("the outcome of an earlier attempt changes nothing", () => {
  const outcomes: IntentEvent[] = [
    { kind: "settled", attemptId: "two", settlement: { transaction: "0x1", response: {} } },
    { kind: "dead", attemptId: "two", proof: { evidence: "cancelled", block: "1" } },
    { kind: "unknown", attemptId: "two", mayResettle: true },
    { kind: "settle_unclear", attemptId: "two" },
  ];
  for (const status of INTENT_STATUSES) {
    for (const event of outcomes) {
      const intent = inStatus(status);
      expect(transition(intent, event, start).state).toBe(intent);
    }
  }
});

test("an authorization is resubmitted only while it stays valid for long enough", () => {
  const pending = inStatus("reconciliation_pending");
  const unknown = { kind: "unknown", attemptId: "one", mayResettle: true } as const;
  expect(transition(pending, unknown, after(51_999)).effects).toMatchObject([{ kind: "settle" }]);
  expect(transition(pending, unknown, after(52_000)).effects).toEqual([]);
});

test("inconclusive reconciliations back off, up to a minute", () => {
  let intent = inStatus("reconciliation_pending");
  const waits = [1, 2, 3, 4, 5, 6].map(() => {
    intent = transition(intent, { kind: "unknown", attemptId: "one", mayResettle: false }, start).state;
    return (intent.nextReconcileAt?.getTime() ?? 0) - start.getTime();
  });
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

test("a leased payment is not reconciled again, not even by an operator", () => {
  const leased = { ...inStatus("reconciliation_pending"), leaseUntil: after(1) };
  for (const by of ["timer", "poll", "operator"] as const) {
    const due = { kind: "reconcile_due", by, leaseSeconds: 1 } as const;
    expect(transition(leased, due, start).state).toBe(leased);
    expect(transition(leased, due, after(1)).effects).toMatchObject([{ kind: "read_chain" }]);
  }
});

test("a payment that was leased and delayed while the clock was ahead is reconciled once the clock is set back", () => {
  const day = 86_400_000;
  const ahead = { leaseUntil: after(day + 40_000), lastReconciledAt: after(day), nextReconcileAt: after(day + 60_000) };
  for (const by of ["timer", "poll", "operator"] as const)
    expect(
      transition(
        { ...inStatus("payment_in_progress"), ...ahead },
        { kind: "reconcile_due", by, leaseSeconds: 40 },
        start,
      ),
    ).toMatchObject({ state: { leaseUntil: after(40_000) }, effects: [{ kind: "read_chain" }] });
});

test("the first read opens the delivery window, later ones do not move it, and it ends with the trial", () => {
  const active = inStatus("active");
  const read = transition(active, { kind: "status_read" }, start).state;
  expect(read.trial?.deliverUntil).toEqual(after(DELIVERY_WINDOW_MS));
  expect(transition(read, { kind: "status_read" }, after(1_000)).state).toBe(read);
  const late = transition(active, { kind: "status_read" }, after(TRIAL_MS - 1)).state;
  expect(late.trial?.deliverUntil).toEqual(trial.expiresAt);
  expect(transition(read, { kind: "tick" }, after(DELIVERY_WINDOW_MS)).effects).toEqual([{ kind: "erase_key" }]);
});

test("an ended intent never changes", () => {
  for (const status of ["expired", "revoked"] as const) {
    for (const event of [presented, { kind: "tick" }, { kind: "revoked" }, { kind: "status_read" }] as const) {
      const ended = inStatus(status);
      expect(transition(ended, event, after(TRIAL_MS)).state).toBe(ended);
    }
  }
});

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import { env } from "@/lib/platform/env";
import { newId } from "@/lib/contract/ids";
import { open } from "@/lib/platform/sealed";
import {
  type FacilitatorRole,
  payments,
  type Payments,
  type PaymentTerms,
  type PresentedPayment,
} from "@/lib/trials/payments";
import { applyEvent, type EventContext } from "./apply-event";
import type { Checked, Flow, Outcome, Step, StepResult, Verdict } from "./domain/flow";
import type { Attempt, Intent } from "./domain/intent";
import { findAttempt } from "./queries-attempts";
import { findTerms } from "./queries-intents";

/** External dependencies of the purchase use cases. */
export type TrialPorts = {
  payments: Payments;
  /** Longer than the longest settlement. If a lease ends too early, work is repeated, but nothing is paid twice. */
  leaseSeconds: number;
  /** How long a request waits for the outcome of a payment. */
  responseTimeoutMs: number;
};

const SETTLE_MARGIN_SECONDS = 10;
const RESPONSE_TIMEOUT_MS = 15_000;
const POLL_INTERVAL_MS = 100;

export const servicePorts = (): TrialPorts => ({
  payments: payments(),
  // One settlement, one read of the chain, one more settlement.
  leaseSeconds: 2 * env.X402_SETTLE_TIMEOUT_S + SETTLE_MARGIN_SECONDS,
  responseTimeoutMs: RESPONSE_TIMEOUT_MS,
});

/** A payment as presented, and the facilitator that verified it. */
export type Presented = { payment: PresentedPayment; by: FacilitatorRole };

type Dependencies = {
  context: EventContext;
  intentId: string;
  ports: TrialPorts;
  /** Validates the payment that a request presents. */
  check?: (intent: Intent) => Promise<Checked>;
  /** The payments presented by this request, by attempt. */
  presented?: Map<string, Presented>;
};

/** Associated data of a sealed payload. */
export const payloadPlace = (attemptId: string): string => `payment_attempts.sealed_payload ${attemptId}`;

async function requireAttempt({ context, intentId }: Dependencies, { attemptId }: Attempt) {
  const stored = await findAttempt(context.db, intentId, attemptId);
  if (!stored) throw new Error(`the attempt ${attemptId} is not stored`);
  return stored;
}

/** The payment as presented; undefined once its outcome is known, since the payload is erased then. */
async function findPayment(dependencies: Dependencies, attempt: Attempt): Promise<Presented | undefined> {
  const known = dependencies.presented?.get(attempt.attemptId);
  if (known) return known;
  const { sealedPayload, validAfter, validBefore, facilitator } = await requireAttempt(dependencies, attempt);
  if (sealedPayload === null) return undefined;
  const payload = JSON.parse(open(sealedPayload, payloadPlace(attempt.attemptId))) as PresentedPayment["payload"];
  const { network, asset, payer, nonce } = attempt;
  const payment = { payload, network, asset, payer, nonce, validAfter, validBefore };
  return { payment, by: facilitator ?? "first" };
}

/** The terms locked with the intent. */
export async function requireTerms({ db }: Pick<EventContext, "db">, intentId: string): Promise<PaymentTerms> {
  const terms = await findTerms(db, intentId);
  if (terms === undefined) throw new Error(`the quote of ${intentId} is not locked`);
  return terms as PaymentTerms; // safe: `lockTerms` stored PaymentTerms
}

async function settle(dependencies: Dependencies, attempt: Attempt): Promise<Outcome> {
  const found = await findPayment(dependencies, attempt);
  if (!found) return { kind: "unclear" };
  const { payment, by } = found;
  const terms = await requireTerms(dependencies.context, dependencies.intentId);
  const outcome = await dependencies.ports.payments.settlePayment(payment, terms, { by });
  if (outcome.kind !== "settled") return { kind: "unclear" };
  return { kind: "settled", settlement: { transaction: outcome.transaction, response: outcome.response } };
}

async function readChain(dependencies: Dependencies, attempt: Attempt): Promise<Verdict> {
  const { network, asset, payer, nonce, startBlock } = attempt;
  const { payTo, amountAtomic, validBefore } = await requireAttempt(dependencies, attempt);
  const verdict = await dependencies.ports.payments.readChainVerdict({
    ...{ network, asset, payer, nonce, startBlock },
    ...{ payTo, amountAtomic, validBefore },
  });
  switch (verdict.kind) {
    case "settled": {
      const { transaction } = verdict;
      const response = { success: true, transaction, network, payer, amount: amountAtomic };
      return { kind: "settled", settlement: { transaction, response } };
    }
    case "dead":
      return { kind: "dead", proof: { evidence: verdict.evidence, block: verdict.block } };
    case "unknown":
      return { kind: "unknown" };
  }
}

async function answerStep(dependencies: Dependencies, startedAt: number, step: Step): Promise<StepResult> {
  switch (step.kind) {
    case "apply":
      return await applyEvent(dependencies.context, dependencies.intentId, step.event);
    case "check":
      return (await dependencies.check?.(step.intent)) ?? { kind: "unacceptable", reason: "No payment" };
    case "settle":
      return await settle(dependencies, step.attempt);
    case "read_chain":
      return await readChain(dependencies, step.attempt);
    case "name_trial":
      return { trialId: newId("trial"), workspaceId: newId("workspace") };
    case "wait":
      await delay(POLL_INTERVAL_MS);
      return performance.now() - startedAt < dependencies.ports.responseTimeoutMs;
  }
}

/** Runs a flow against the database and the payments of its dependencies. */
export async function runFlow<Result>(flow: Flow<Result>, dependencies: Dependencies): Promise<Result> {
  const startedAt = performance.now();
  let turn = flow.next();
  while (!turn.done) {
    let result: StepResult;
    try {
      result = await answerStep(dependencies, startedAt, turn.value);
    } catch (error) {
      turn = flow.throw(error);
      continue;
    }
    turn = flow.next(result);
  }
  return turn.value;
}

export const newAttemptId = (): string => randomUUID();

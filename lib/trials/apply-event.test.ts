import { randomUUID } from "node:crypto";

import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { seal } from "@/lib/platform/sealed";
import { SANDBOX_TOKEN } from "@/scripts/sandbox/chain";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { applyEvent } from "./apply-event";
import type { AttemptTerms } from "./queries-attempts";
import { payloadPlace } from "./run-flow";
import { sandboxPorts, startPurchase } from "@/test/trials";

const { db } = await createTestDatabase();
const sandbox = await startSandbox();
const ports = sandboxPorts(sandbox);
afterAll(() => sandbox.close());

/** An accepted payment as presented. */
function aPayment() {
  const [attemptId, validBefore] = [randomUUID(), new Date(Date.now() + 60_000)];
  const nonce = `0x${randomUUID().replaceAll("-", "").padStart(64, "0")}`;
  const payload: AttemptTerms = {
    payTo: sandbox.variables.X402_PAY_TO,
    amountAtomic: sandbox.variables.X402_AMOUNT_ATOMIC,
    validAfter: 0,
    sealedPayload: seal("{}", payloadPlace(attemptId)),
    facilitator: "first",
  };
  const { X402_NETWORK: network } = sandbox.variables;
  const attempt = { attemptId, network, asset: SANDBOX_TOKEN, payer: "0x1", nonce, validBefore, startBlock: 0n };
  return { kind: "payment_presented", attempt, payload, leaseSeconds: 1 } as const;
}

test("an event that waited for a payment to be stored sees that payment", { timeout: 60_000 }, async () => {
  const { intentId } = await startPurchase(db, sandbox, ports);
  const payment = aPayment();
  const waiting = await db.transaction(async (tx) => {
    await applyEvent({ db: tx }, intentId, payment);
    const applied = applyEvent({ db }, intentId, { kind: "undecided" });
    applied.catch(() => undefined); // awaited below
    await expect
      .poll(
        async () => {
          const [row] = await db.execute<{ waits: number }>(sql`
            select count(*)::int as waits from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`);
          return row?.waits;
        },
        { interval: 10, timeout: 8_000 },
      )
      .toBe(1);
    return { applied };
  });
  const { intent } = await waiting.applied;
  expect(intent).toMatchObject({
    status: "reconciliation_pending",
    attempt: { attemptId: payment.attempt.attemptId },
  });
});

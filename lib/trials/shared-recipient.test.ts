import { decodePaymentResponseHeader } from "@x402/fetch";
import { afterAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import type { TrialPorts } from "./run-flow";
import { moneyOf, sandboxPorts, startPurchase } from "@/test/trials";

const [{ db }, { db: otherDb }] = [await createTestDatabase(), await createTestDatabase()];
const sandbox = await startSandbox();
afterAll(() => sandbox.close());

const ports = sandboxPorts(sandbox);

/** A facilitator that returns the original settlement for a payment that it settled for someone else. */
function idempotent({ payments, ...rest }: TrialPorts, transaction: string): TrialPorts {
  return {
    ...rest,
    payments: {
      ...payments,
      verifyPayment: () => Promise.resolve({ valid: true, by: "first" }),
      settlePayment: ({ network, payer }) =>
        Promise.resolve({
          kind: "settled",
          transaction,
          response: { success: true, transaction, network: network as `${string}:${string}`, payer },
        }),
    },
  };
}

test(
  "a payment settled by another installation with the same recipient buys nothing here, whatever the facilitator says",
  { timeout: 60_000 },
  async () => {
    const first = await startPurchase(db, sandbox, ports);
    const signature = await first.sign();
    const income = sandbox.income();
    const paid = await first.activate(signature);
    expect(paid.status).toBe(200);
    const { transaction } = decodePaymentResponseHeader(paid.headers["PAYMENT-RESPONSE"] ?? "");
    const second = await startPurchase(otherDb, sandbox, idempotent(ports, transaction));
    await second.activate();
    const reply = await second.activate(signature);
    expect(reply).toMatchObject({ status: 402, body: { error: expect.stringContaining("already used") as string } });
    expect(await moneyOf(otherDb, second.intentId)).toMatchObject({ settled: 0, failed: 0, open: 0, grants: 0 });
    expect(sandbox.income() - income).toBe(1_000_000n);
    // The payment is valid where it was made: presenting it again there returns the same trial.
    expect((await first.activate(signature)).status).toBe(200);
  },
);

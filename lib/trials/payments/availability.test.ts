import { expect, test } from "vitest";

import { createAvailability } from "./availability";
import type { PaymentAvailability } from "./index";
import { createTestPayments, testTerms } from "@/test/payments";

const good: PaymentAvailability = { available: true, terms: testTerms() };
const bad: PaymentAvailability = { available: false, missing: ["the facilitator is unavailable"] };

/** A check whose results the test releases, and a clock that the test advances. */
function observe() {
  let elapsedMs = 0;
  const waiting: ((answer: PaymentAvailability) => void)[] = [];
  const read = createAvailability(
    () => new Promise((resolve) => waiting.push(resolve)),
    () => elapsedMs,
  );
  return {
    read,
    waiting,
    pass: (ms: number) => (elapsedMs += ms),
    /** Resolves the oldest check, then lets everything that waits for it run. */
    answer: async (availability: PaymentAvailability) => {
      waiting.shift()?.(availability);
      await new Promise(setImmediate);
    },
  };
}

test("concurrent callers share one check, and later ones its result", async () => {
  const { read, waiting, answer } = observe();
  const both = Promise.all([read(), read()]);
  expect(waiting).toHaveLength(1);
  await answer(good);
  expect(await both).toEqual([good, good]);
  expect(await read()).toEqual(good);
  expect(waiting).toHaveLength(0);
});

test("a stale positive result is served while it is refreshed, a much older one is not", async () => {
  const { read, waiting, pass, answer } = observe();
  void read();
  await answer(good);
  pass(20_000);
  expect(await read()).toEqual(good);
  expect(waiting).toHaveLength(1);
  await answer(bad);
  expect(await read()).toEqual(bad);
  pass(5_000);
  const recovered = read();
  await answer(good);
  expect(await recovered).toEqual(good);
  pass(200_000);
  const late = read();
  await answer(bad);
  expect(await late).toEqual(bad);
});

test("a failing check makes payments unavailable and does not throw", async () => {
  const read = createAvailability(() => Promise.reject(new Error("secret")));
  expect(await read()).toEqual({ available: false, missing: ["The payment configuration cannot be checked"] });
});

test("an unresponsive facilitator and RPC are both named", async () => {
  expect(await createTestPayments().readAvailability()).toEqual({
    available: false,
    missing: [
      expect.stringMatching(/^X402_FACILITATOR_URL does not answer/),
      expect.stringMatching(/^X402_RPC_URL does not answer/),
    ],
  });
});

test("without a configuration nothing is submitted and no payment is declared dead", async () => {
  const payments = createTestPayments({ X402_PAY_TO: undefined });
  expect(await payments.readAvailability()).toEqual({ available: false, missing: ["X402_PAY_TO is not set"] });
  await expect(payments.readStartBlock()).rejects.toMatchObject({ code: "payment_unavailable" });
  const attempt = {
    network: "eip155:31337",
    asset: "0x00000000000000000000000000000000000e3009",
    payTo: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
    amountAtomic: "1",
    payer: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    nonce: `0x${"00".repeat(32)}`,
    validBefore: 1,
    startBlock: 0n,
  };
  expect(await payments.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
});

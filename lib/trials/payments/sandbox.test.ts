import { inspect } from "node:util";

import { afterAll, afterEach, expect, test } from "vitest";

import { createBuyer } from "@/scripts/sandbox/buyer";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { composeChallenge, type PresentedPayment, readPayment } from "./index";
import { createTestPayments, testTerms } from "@/test/payments";

const sandbox = await startSandbox();
afterEach(() => sandbox.heal());
afterAll(() => sandbox.close());

const activateUrl = `http://localhost/api/v1/agent/trial-intents/ati_${"1".repeat(32)}/activate`;
const payments = createTestPayments({ ...sandbox.variables, X402_SETTLE_TIMEOUT_S: 1 });
const patient = createTestPayments({ ...sandbox.variables, X402_SETTLE_TIMEOUT_S: 60 });

const POLLING = { timeout: 15_000 };
const terms = testTerms(sandbox.variables);

/** A payment that the official client made for a challenge of ours, with what is asked of the chain about it. */
const present = () => presentFrom(sandbox.createAccount());

async function presentFrom(account: ReturnType<typeof sandbox.createAccount>) {
  const startBlock = await payments.readStartBlock();
  const { header, payload } = await createBuyer(account).sign(
    (await composeChallenge(terms, { resource: activateUrl })).body,
  );
  const read = readPayment(header, terms, new Date());
  if (read.kind !== "payment") throw new Error(read.kind);
  return { payload, payment: read.payment, attempt: attemptOf(read.payment, startBlock) };
}

function attemptOf({ network, asset, payer, nonce, validBefore }: PresentedPayment, startBlock: bigint) {
  const { payTo, amount } = terms.requirement;
  return { network, asset, payTo, amountAtomic: amount, payer, nonce, validBefore, startBlock };
}

test("a sandbox makes payments available on the terms of its variables", async () => {
  expect(await patient.readAvailability()).toEqual({ available: true, terms });
});

test("a payment of the official client is verified and settled, and the chain shows the same transaction", async () => {
  const { payment, attempt } = await present();
  const before = sandbox.income();
  expect(await patient.verifyPayment(payment, terms)).toEqual({ valid: true, by: "first" });
  expect(await patient.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
  const outcome = await patient.settlePayment(payment, terms);
  expect(outcome).toMatchObject({ kind: "settled", response: { success: true, network: "eip155:31337" } });
  expect(sandbox.income() - before).toBe(1_000_000n);
  const { transaction } = outcome as { transaction: string };
  expect(await patient.readChainVerdict(attempt)).toEqual({ kind: "settled", transaction, isFinal: true });
});

test("of several payments at once each is settled by its own transaction", async () => {
  const before = sandbox.income();
  const presented = await Promise.all(Array.from({ length: 6 }, () => present()));
  const outcomes = await Promise.all(presented.map(({ payment }) => patient.settlePayment(payment, terms)));
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => "settled"));
  expect(new Set(outcomes.map((outcome) => (outcome.kind === "settled" ? outcome.transaction : ""))).size).toBe(6);
  expect(sandbox.income() - before).toBe(6_000_000n);
});

test("the same payment settled twice at once is paid once", async () => {
  const { payment, attempt } = await present();
  const before = sandbox.income();
  const outcomes = await Promise.all([patient.settlePayment(payment, terms), patient.settlePayment(payment, terms)]);
  expect(outcomes.map(({ kind }) => kind)).toContain("settled");
  expect(await patient.readChainVerdict(attempt)).toMatchObject({ kind: "settled" });
  expect(sandbox.income() - before).toBe(1_000_000n);
});

test("a settled payment that is settled again is refused, and the chain still says settled", async () => {
  const { payment, attempt } = await present();
  await patient.settlePayment(payment, terms);
  const before = sandbox.income();
  expect(await patient.settlePayment(payment, terms)).toMatchObject({ kind: "refused" });
  expect(await patient.verifyPayment(payment, terms)).toMatchObject({ valid: false });
  expect(await patient.readChainVerdict(attempt)).toMatchObject({ kind: "settled" });
  expect(sandbox.income()).toBe(before);
});

test.each([
  ["accept_then_timeout", payments, "unclear"],
  ["5xx_after_settle", patient, "unclear"],
  ["malformed_answer", patient, "unclear"],
  ["kill_after_broadcast", patient, "unclear"],
  ["rpc_answer_lost", patient, "refused"],
  ["declared_safe", patient, "refused"],
] as const)("after %s the chain proves that the payment took place", async (fault, port, kind) => {
  const { payment, attempt } = await present();
  const before = sandbox.income();
  sandbox.inject(fault);
  expect(await port.settlePayment(payment, terms)).toMatchObject({ kind });
  await expect.poll(() => port.readChainVerdict(attempt), POLLING).toMatchObject({ kind: "settled" });
  expect(sandbox.income() - before).toBe(1_000_000n);
});

test("a slow answer before the timeout counts, and an aborted call is unclear at once", async () => {
  sandbox.setSlowAnswer(200);
  sandbox.inject("slow_answer");
  const slow = await present();
  expect(await patient.settlePayment(slow.payment, terms)).toMatchObject({ kind: "settled" });
  sandbox.setSlowAnswer(60_000);
  const abandoned = await present();
  const caller = new AbortController();
  const settling = patient.settlePayment(abandoned.payment, terms, { signal: caller.signal });
  await expect.poll(() => patient.readChainVerdict(abandoned.attempt), POLLING).toMatchObject({ kind: "settled" });
  caller.abort();
  expect(await settling).toEqual({ kind: "unclear", cause: "no answer in time" });
});

test("an unmined transaction is unclear on every side until it is mined", async () => {
  const { payment, attempt } = await present();
  sandbox.inject("unmined");
  expect(await payments.settlePayment(payment, terms)).toMatchObject({ kind: "unclear" });
  expect(await payments.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
  await sandbox.heal();
  await expect.poll(() => payments.readChainVerdict(attempt), POLLING).toMatchObject({ kind: "settled" });
});

test("a settlement that only the facilitator claims is none, and the payment is not dead for it", async () => {
  const { payment, attempt } = await present();
  sandbox.inject("lying_success");
  expect(await patient.settlePayment(payment, terms)).toMatchObject({ kind: "unclear" });
  expect(await patient.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
});

test("the transfer of another payment does not pass for this one's", async () => {
  const [first, second] = [await present(), await present()];
  await patient.settlePayment(first.payment, terms);
  sandbox.inject("lying_success_with_last");
  expect(await patient.settlePayment(second.payment, terms)).toMatchObject({ kind: "unclear" });
});

test.each(["cancelled", "other_transfer"] as const)("%s is proof that nothing will be paid", async (fault) => {
  const { payment, attempt } = await present();
  const before = sandbox.income();
  sandbox.inject(fault);
  expect(await patient.settlePayment(payment, terms)).toMatchObject({ kind: "unclear" });
  expect(await patient.readChainVerdict(attempt)).toMatchObject({ kind: "dead", evidence: fault });
  await sandbox.heal();
  expect(await patient.settlePayment(payment, terms)).toMatchObject({ kind: "refused" });
  expect(sandbox.income()).toBe(before);
});

test("an unused authorization is dead only when a final block is past its time, and cannot be settled then", async () => {
  const { payment, attempt } = await present();
  sandbox.inject("expired_unused");
  expect(await patient.settlePayment(payment, terms)).toMatchObject({ kind: "unclear" });
  expect(await patient.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
  sandbox.chain.finalityBlocks = 5n;
  await sandbox.chain.advance(130);
  expect(await patient.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
  for (let block = 0; block < 5; block += 1) await sandbox.chain.mine();
  expect(await patient.readChainVerdict(attempt)).toMatchObject({ kind: "dead", evidence: "expired_unused" });
  sandbox.chain.finalityBlocks = 0n;
  await sandbox.heal();
  expect(await patient.settlePayment(payment, terms)).toMatchObject({ kind: "refused" });
});

test("nothing is verified by a facilitator that is unavailable, fails, answers nonsense or times out, and the cause is not disclosed", async () => {
  const { payment } = await present();
  for (const fault of ["facilitator_down", "verify_5xx", "verify_malformed", "verify_echoes_payment"] as const) {
    sandbox.inject(fault);
    const error: unknown = await patient.verifyPayment(payment, terms).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "facilitator_error" });
    expect(inspect(error, { depth: 9 })).not.toContain(payment.nonce.slice(2));
    await sandbox.heal();
  }
});

test("a verification that times out has another error code", async () => {
  const { payment } = await present();
  sandbox.inject("verify_timeout");
  await expect(payments.verifyPayment(payment, terms)).rejects.toMatchObject({ code: "payment_unavailable" });
});

test("while the seller's node is unavailable nothing is started and every verdict is unknown", async () => {
  const { attempt } = await present();
  sandbox.inject("reconcile_unavailable");
  expect(await payments.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
  await expect(payments.readStartBlock()).rejects.toMatchObject({ code: "payment_unavailable" });
});

test("a payment that no facilitator would take is refused with the reason of the protocol", async () => {
  const { payment, payload } = await present();
  const poor = await presentFrom(sandbox.createAccount(999_999n));
  expect(await patient.verifyPayment(poor.payment, terms)).toEqual({
    valid: false,
    reason: "invalid_exact_evm_insufficient_balance",
  });
  const forged = { ...payload, payload: { ...payload.payload, signature: `0x${"1b".repeat(65)}` } };
  const answer = await patient.verifyPayment({ ...payment, payload: forged }, terms);
  expect(answer).toMatchObject({ valid: false, reason: expect.stringMatching(/^invalid_exact_evm_/) as string });
});

test("a chain of another id, and a facilitator that does not serve the network, are named", async () => {
  const other = createTestPayments({
    ...sandbox.variables,
    X402_NETWORK: "eip155:8453",
    X402_ASSET: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  });
  expect(await other.readAvailability()).toEqual({
    available: false,
    missing: [
      "X402_FACILITATOR_URL does not serve x402 version 2, exact, eip155:8453: it serves exact on eip155:31337 (version 2)",
      "X402_RPC_URL serves chain 31337, not 8453",
    ],
  });
  const { attempt } = await present();
  expect(await other.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
  expect(await other.readChainVerdict({ ...attempt, network: "eip155:8453" })).toMatchObject({ kind: "unknown" });
});

test("confirmations stand in for a finalized block", async () => {
  const careful = createTestPayments({ ...sandbox.variables, X402_CONFIRMATIONS: 3 });
  const { payload, attempt } = await present();
  await sandbox.cancel(payload);
  expect(await careful.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
  for (let block = 0; block < 3; block += 1) await sandbox.chain.mine();
  expect(await careful.readChainVerdict(attempt)).toMatchObject({ kind: "dead", evidence: "cancelled" });
});

test("time that was moved on kills what was signed before, and breaks no payment after it", async () => {
  const [old, unseen] = [await present(), await present()];
  expect(await patient.verifyPayment(old.payment, terms)).toMatchObject({ valid: true });
  await sandbox.chain.advance(300);
  expect(await patient.verifyPayment(old.payment, terms)).toMatchObject({ valid: false });
  expect(await patient.readChainVerdict(old.attempt)).toMatchObject({ kind: "dead", evidence: "expired_unused" });
  for (const { payment, attempt } of [unseen, await present()]) {
    expect(await patient.verifyPayment(payment, terms)).toMatchObject({ valid: true });
    expect(await patient.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
    expect(await patient.settlePayment(payment, terms)).toMatchObject({ kind: "settled" });
  }
  expect(await patient.settlePayment(old.payment, terms)).toMatchObject({ kind: "refused" });
});

test("the sandbox's own buyer never runs out of money", async () => {
  const buyer = sandbox.createRefilledAccount();
  const before = sandbox.chain.token.balanceOf(buyer.address);
  for (let purchase = 0; purchase < 12; purchase += 1) {
    const { payment } = await presentFrom(buyer);
    expect(await patient.settlePayment(payment, terms)).toMatchObject({ kind: "settled" });
  }
  expect(sandbox.chain.token.balanceOf(buyer.address)).toBe(before);
});

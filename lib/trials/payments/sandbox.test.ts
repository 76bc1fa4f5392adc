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

/** A payment made by the official client for one of our challenges, with what to look up on the chain. */
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

test("a sandbox makes payments available on the configured terms", async () => {
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

test("several concurrent payments are each settled by their own transaction", async () => {
  const before = sandbox.income();
  const presented = await Promise.all(Array.from({ length: 6 }, () => present()));
  const outcomes = await Promise.all(presented.map(({ payment }) => patient.settlePayment(payment, terms)));
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => "settled"));
  expect(new Set(outcomes.map((outcome) => (outcome.kind === "settled" ? outcome.transaction : ""))).size).toBe(6);
  expect(sandbox.income() - before).toBe(6_000_000n);
});

test("a payment settled twice concurrently is paid once", async () => {
  const { payment, attempt } = await present();
  const before = sandbox.income();
  const outcomes = await Promise.all([patient.settlePayment(payment, terms), patient.settlePayment(payment, terms)]);
  expect(outcomes.map(({ kind }) => kind)).toContain("settled");
  expect(await patient.readChainVerdict(attempt)).toMatchObject({ kind: "settled" });
  expect(sandbox.income() - before).toBe(1_000_000n);
});

test("settling a settled payment again is refused, and the chain still says settled", async () => {
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

test("a slow response before the timeout counts, and an aborted call is unclear at once", async () => {
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

test("an unmined transaction is unclear to everyone until it is mined", async () => {
  const { payment, attempt } = await present();
  sandbox.inject("unmined");
  expect(await payments.settlePayment(payment, terms)).toMatchObject({ kind: "unclear" });
  expect(await payments.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
  await sandbox.heal();
  await expect.poll(() => payments.readChainVerdict(attempt), POLLING).toMatchObject({ kind: "settled" });
});

test("a settlement claimed only by the facilitator does not count, but does not make the payment dead either", async () => {
  const { payment, attempt } = await present();
  sandbox.inject("lying_success");
  expect(await patient.settlePayment(payment, terms)).toMatchObject({ kind: "unclear" });
  expect(await patient.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
});

test("the transfer of another payment is not mistaken for this one's", async () => {
  const [first, second] = [await present(), await present()];
  await patient.settlePayment(first.payment, terms);
  sandbox.inject("lying_success_with_last");
  expect(await patient.settlePayment(second.payment, terms)).toMatchObject({ kind: "unclear" });
});

test.each(["cancelled", "other_transfer"] as const)("%s proves that the payment will never be made", async (fault) => {
  const { payment, attempt } = await present();
  const before = sandbox.income();
  sandbox.inject(fault);
  expect(await patient.settlePayment(payment, terms)).toMatchObject({ kind: "unclear" });
  expect(await patient.readChainVerdict(attempt)).toMatchObject({ kind: "dead", evidence: fault });
  await sandbox.heal();
  expect(await patient.settlePayment(payment, terms)).toMatchObject({ kind: "refused" });
  expect(sandbox.income()).toBe(before);
});

test("an unused authorization is dead only when a final block is past its expiry, and can no longer be settled", async () => {
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

test("nothing is verified by a facilitator that is unavailable, fails, returns garbage or times out, and the cause is not disclosed", async () => {
  const { payment } = await present();
  for (const fault of ["facilitator_down", "verify_5xx", "verify_malformed", "verify_echoes_payment"] as const) {
    sandbox.inject(fault);
    const error: unknown = await patient.verifyPayment(payment, terms).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "facilitator_error" });
    expect(inspect(error, { depth: 9 })).not.toContain(payment.nonce.slice(2));
    await sandbox.heal();
  }
});

test("a verification timeout has its own error code", async () => {
  const { payment } = await present();
  sandbox.inject("verify_timeout");
  await expect(payments.verifyPayment(payment, terms)).rejects.toMatchObject({ code: "payment_unavailable" });
});

test("while the seller's node is unavailable no payment is started, and every verdict is unknown", async () => {
  const { attempt } = await present();
  sandbox.inject("reconcile_unavailable");
  expect(await payments.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
  await expect(payments.readStartBlock()).rejects.toMatchObject({ code: "payment_unavailable" });
});

test("a payment that every facilitator would reject is refused with the protocol's reason", async () => {
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

test("a wrong chain id, and a facilitator that does not support the network, are reported", async () => {
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

test("a number of confirmations replaces the finalized block", async () => {
  const careful = createTestPayments({ ...sandbox.variables, X402_CONFIRMATIONS: 3 });
  const { payload, attempt } = await present();
  await sandbox.cancel(payload);
  expect(await careful.readChainVerdict(attempt)).toMatchObject({ kind: "unknown" });
  for (let block = 0; block < 3; block += 1) await sandbox.chain.mine();
  expect(await careful.readChainVerdict(attempt)).toMatchObject({ kind: "dead", evidence: "cancelled" });
});

test("advancing time kills earlier payments, and breaks no later ones", async () => {
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

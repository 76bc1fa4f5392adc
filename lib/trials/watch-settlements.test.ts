import { afterAll, afterEach, expect, test, vi } from "vitest";

import { log } from "@/lib/platform/log";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { createTestDatabase } from "@/test/database";
import { sandboxPorts, startPurchase } from "@/test/trials";
import { operatorContext } from "@/test/workspaces";
import { listTrials } from "./list-trials";
import { readTrialTotals } from "./read-trial-totals";
import { revokeTrial } from "./revoke-trial";
import { showTrial } from "./show-trial";
import { watchSettlements } from "./watch-settlements";

const { db } = await createTestDatabase();
const sandbox = await startSandbox();
const ports = sandboxPorts(sandbox);
const operator = operatorContext(db);
const noSignal = new AbortController().signal;
afterEach(() => {
  sandbox.chain.finalityBlocks = 0n;
});
afterAll(() => sandbox.close());

async function buy() {
  const purchase = await startPurchase(db, sandbox, ports);
  expect((await purchase.activate(await purchase.sign())).status).toBe(200);
  const { intentId } = purchase;
  const show = async () => {
    const shown = await showTrial(operator, { intentId });
    const [attempt] = shown.attempts;
    if (!attempt) throw new Error("there is no payment");
    return { ...shown, attempt };
  };
  return { ...purchase, show };
}

test("a settled payment is watched until it is final, and no longer", async () => {
  sandbox.chain.finalityBlocks = 5n;
  const { show } = await buy();
  await watchSettlements(db, noSignal, ports);
  expect((await show()).attempt).toMatchObject({ outcome: "settled", finalAt: null, takenBackAt: null });
  sandbox.chain.finalityBlocks = 0n;
  await watchSettlements(db, noSignal, ports);
  expect((await show()).attempt.finalAt).toBeInstanceOf(Date);
  const read = vi.spyOn(ports.payments, "readChainVerdict");
  await watchSettlements(db, noSignal, ports);
  expect(read).not.toHaveBeenCalled();
});

test("a payment undone by a chain reorganisation is reported with its proof, and the trial stays until it is revoked", async () => {
  const errors = vi.spyOn(log, "error").mockImplementation(() => undefined);
  const { intentId, show, poll } = await buy();
  const { transaction } = (await show()).attempt;
  const before = await readTrialTotals(operator, { days: 1 });
  await sandbox.chain.takeBack(transaction as `0x${string}`);
  await watchSettlements(db, noSignal, ports);
  expect((await show()).attempt.takenBackAt).toBeNull();
  await sandbox.chain.advance(300);
  for (const _ of [1, 2]) await watchSettlements(db, noSignal, ports);
  const shown = await show();
  expect(shown.attempt).toMatchObject({
    evidence: "expired_unused",
    finalAt: null,
    takenBackAt: expect.any(Date) as Date,
  });
  expect(shown.events.map(({ event }) => event).filter((event) => event === "taken_back")).toHaveLength(1);
  expect(errors).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ intentId, transaction }),
    expect.stringContaining("undone"),
  );
  expect((await listTrials(operator, { search: intentId })).items).toMatchObject([
    { status: "active", isTakenBack: true },
  ]);
  const after = await readTrialTotals(operator, { days: 1 });
  const paid = ({ income }: typeof before) => BigInt(income[0]?.paidAtomic ?? 0);
  expect(paid(before) - paid(after)).toBe(1_000_000n);
  expect(await poll()).toMatchObject({ status: "active" });
  await revokeTrial(operator, { intentId });
  expect(await poll()).toMatchObject({ status: "revoked" });
  errors.mockRestore();
});

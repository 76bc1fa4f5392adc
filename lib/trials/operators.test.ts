import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { readAuditPage, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { idToUuid, newId } from "@/lib/contract/ids";
import { operatorContext } from "@/test/workspaces";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { listTrials } from "./list-trials";
import { recordRefund } from "./record-refund";
import { readTrialTotals } from "./read-trial-totals";
import { revokeTrial } from "./revoke-trial";
import { showTrial } from "./show-trial";
import { buyTrial, ORIGIN, sandboxPorts, startPurchase } from "@/test/trials";

const { db } = await createTestDatabase();
const sandbox = await startSandbox();
const ports = sandboxPorts(sandbox);
const operator = { ...operatorContext(db), requestId: newId("request") };
afterAll(() => sandbox.close());

const ids = async (input: Parameters<typeof listTrials>[1]) =>
  (await listTrials(operator, input)).items.map(({ intentId }) => intentId);
const aTransaction = () => `0x${newId("intent").slice(-32)}${newId("intent").slice(-32)}`;

test("a purchase is found by its id, trial, transaction, payer and origin", async () => {
  const [trial, other] = [await buyTrial(db, sandbox, ports), await startPurchase(db, sandbox, ports)];
  const { items } = await listTrials(operator, { search: trial.intentId });
  const [row] = items;
  expect(items).toHaveLength(1);
  expect(row).toMatchObject({
    status: "active",
    amountAtomic: "1000000",
    unitsUsed: 0,
    unitsTotal: 100,
    isRefunded: false,
  });
  for (const search of [row?.trialId, row?.transaction, row?.payer?.toUpperCase().replace("0X", "0x")])
    expect(await ids({ search: search ?? "" })).toEqual([trial.intentId]);
  expect(await ids({ search: ORIGIN })).toEqual(expect.arrayContaining([trial.intentId, other.intentId]));
  expect(await ids({ search: "trial_another" })).toEqual([]);
  await expect(listTrials(operator, { search: "hello" })).rejects.toMatchObject({ code: "invalid_request" });
});

test("pages have no gaps and no duplicates, also among purchases of the same instant", async () => {
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) made.push((await startPurchase(db, sandbox, ports)).intentId);
  await db.execute(
    sql`update trial_intents set created_at = '2026-01-01' where intent_id in (${sql.join(
      made.map((id) => sql`${idToUuid(id)}::uuid`),
      sql`, `,
    )})`,
  );
  const seen: string[] = [];
  let before: string | undefined;
  do {
    const page = await listTrials(operator, { before, limit: 2 });
    seen.push(...page.items.map(({ intentId }) => intentId));
    before = page.before;
  } while (before !== undefined);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => made.includes(id))).toEqual([...made].sort().reverse());
  expect((await ids({ isOldestFirst: true, limit: 5 })).sort()).toEqual([...made].sort());
  expect(await ids({ statuses: ["revoked"] })).toEqual([]);
});

test("a refund is recorded once for a settled payment, changes nothing else, and counts in the totals", async () => {
  const unpaid = await startPurchase(db, sandbox, ports);
  const transaction = aTransaction();
  await expect(recordRefund(operator, { intentId: unpaid.intentId, transaction })).rejects.toMatchObject({
    code: "conflict",
  });
  const { intentId } = await buyTrial(db, sandbox, ports);
  const before = await readTrialTotals(operator, { days: 30 });
  const [payment] = (await showTrial(operator, { intentId })).attempts;
  for (const wrong of ["", "0x12", `0x${"g".repeat(64)}`, payment?.transaction ?? ""])
    await expect(recordRefund(operator, { intentId, transaction: wrong })).rejects.toMatchObject({
      code: "invalid_request",
    });
  await recordRefund(operator, {
    intentId,
    transaction: ` ${transaction.toUpperCase().replace("0X", "0x")} `,
    note: "asked\nby mail",
  });
  await recordRefund(operator, { intentId, transaction });
  const shown = await showTrial(operator, { intentId });
  expect(shown.refunds).toEqual([
    { transaction, note: "asked by mail", notedBy: "operator", notedAt: expect.any(Date) as Date },
  ]);
  expect(shown.intent.status).toBe("active");
  const after = await readTrialTotals(operator, { days: 30 });
  expect(after.days.at(-1)?.refunded).toBe((before.days.at(-1)?.refunded ?? 0) + 1);
  expect(after.days).toHaveLength(30);
  expect(BigInt(after.income[0]?.refundedAtomic ?? 0) - BigInt(before.income[0]?.refundedAtomic ?? 0)).toBe(1_000_000n);
  expect(after.income[0]?.paidAtomic).toBe(before.income[0]?.paidAtomic);
  const { entries } = await readAuditPage(db, SYSTEM_WORKSPACE_ID, { limit: 200 });
  expect(entries.filter(({ action, target }) => action === "trial.note_refund" && target === intentId)).toHaveLength(1);
});

test("the totals count purchases, payments and failures per day, and an invalid span is refused", async () => {
  const before = (await readTrialTotals(operator, { days: 1 })).days[0];
  await buyTrial(db, sandbox, ports);
  await startPurchase(db, sandbox, ports);
  const { days } = await readTrialTotals(operator, { days: 1 });
  expect(days).toHaveLength(1);
  if (days[0]?.date === before?.date)
    expect(days[0]).toMatchObject({ intents: (before?.intents ?? 0) + 2, paid: (before?.paid ?? 0) + 1 });
  for (const wrong of [0, 1.5, 401, Number.NaN])
    await expect(readTrialTotals(operator, { days: wrong })).rejects.toMatchObject({ code: "invalid_request" });
});

test("the history records why a trial was revoked and by which request", async () => {
  const { intentId } = await buyTrial(db, sandbox, ports);
  await expect(revokeTrial(operator, { intentId, reason: "x".repeat(301) })).rejects.toMatchObject({
    code: "invalid_request",
  });
  await revokeTrial(operator, { intentId, reason: " abuse " });
  const { events } = await showTrial(operator, { intentId });
  expect(events.at(-1)).toMatchObject({
    event: "revoked",
    detail: { reason: "abuse" },
    requestId: operator.requestId,
    toStatus: "revoked",
  });
});

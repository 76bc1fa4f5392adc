import { decodePaymentResponseHeader } from "@x402/fetch";
import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { idToUuid } from "@/lib/contract/ids";
import { call, readReport, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { endIntents, reconcileIntents } from "./reconcile-intents";
import { recheckTrial } from "./recheck-trial";
import { revokeTrial } from "./revoke-trial";
import { showTrial } from "./show-trial";
import { anAddress, buyTrial, moneyOf, sandboxPorts, startPurchase } from "@/test/trials";

const { db } = await createTestDatabase({ poolSize: 24 });
const sandbox = await startSandbox();
const ports = sandboxPorts(sandbox);
const operator = operatorContext(db);
const PAID = { settled: 1, failed: 0, open: 0, grants: 1, status: "active" };
const PRICE = 1_000_000n;

let incomeBefore = 0n;
const earned = () => sandbox.income() - incomeBefore;
beforeEach(async () => {
  await sandbox.heal();
  incomeBefore = sandbox.income();
});
afterAll(() => sandbox.close());

const noSignal = new AbortController().signal;

test("a paid trial delivers working credentials, and a Report is read with them", { timeout: 60_000 }, async () => {
  const purchase = await startPurchase(db, sandbox, ports);
  const paid = await purchase.activate(await purchase.sign());
  expect(paid.status).toBe(200);
  expect(paid.body).toEqual({ intent_id: purchase.intentId, status: "active", status_url: purchase.status_url });
  expect(decodePaymentResponseHeader(paid.headers["PAYMENT-RESPONSE"] ?? "")).toMatchObject({ success: true });
  expect(await moneyOf(db, purchase.intentId)).toEqual(PAID);
  const [status, again] = [await purchase.poll(), await purchase.poll()];
  expect(again).toEqual(status);
  expect(status).toMatchObject({ status: "active", quota: { used_reports: 0, remaining_reports: 100 } });
  expect(earned()).toBe(PRICE);
});

test(
  "a trial for an origin with its default port applies to the origin that browsers send",
  { timeout: 60_000 },
  async () => {
    const purchase = await startPurchase(db, sandbox, ports, { origin: "https://agent.example:443" });
    await purchase.activate(await purchase.sign());
    expect(await purchase.poll()).toMatchObject({ status: "active", allowed_origin: "https://agent.example" });
  },
);

test("visits and Reports of a trial use its grant, which the key can read", { timeout: 60_000 }, async () => {
  const trial = await buyTrial(db, sandbox, ports);
  const { imprint } = await visit(trial, { address: anAddress() });
  expect((await readReport(trial.apiKey, imprint)).status).toBe(200);
  expect((await readReport(trial.apiKey, imprint)).status).toBe(200);
  expect((await readReport(trial.apiKey, `imp_${"0".repeat(32)}`)).status).toBe(404);
  const answer = await call("/api/v1/agent/trial", { headers: { "x-api-key": trial.apiKey } });
  expect(await answer.json()).toMatchObject({
    status: "active",
    used_report_units: 1,
    remaining_report_units: 99,
    limits: { submit_requests_used: 1, report_requests_used: 3 },
    remaining_submit_requests: 299,
    remaining_report_requests: 997,
  });
});

test(
  "while the chain cannot be read, a payment stays pending and no other is requested",
  { timeout: 60_000 },
  async () => {
    const purchase = await startPurchase(db, sandbox, ports);
    const signature = await purchase.sign();
    sandbox.inject("unmined");
    expect((await purchase.activate(signature)).status).toBe(202);
    sandbox.inject("reconcile_unavailable");
    for (const present of [undefined, signature]) {
      const reply = await purchase.activate(present);
      expect(reply.status).toBe(202);
      expect(reply.headers["PAYMENT-REQUIRED"]).toBeUndefined();
    }
    expect(await purchase.poll()).toMatchObject({ status: "reconciliation_pending" });
    await expect(revokeTrial(operator, { intentId: purchase.intentId })).rejects.toMatchObject({ code: "conflict" });
    await sandbox.heal();
    await expect
      .poll(() => recheckTrial(operator, { intentId: purchase.intentId }, ports), { timeout: 30_000 })
      .toMatchObject({ status: "active" });
    expect(await moneyOf(db, purchase.intentId)).toEqual(PAID);
    expect(earned()).toBe(PRICE);
  },
);

test(
  "an authorization used for another transfer is dead, and another payment is accepted",
  { timeout: 60_000 },
  async () => {
    const purchase = await startPurchase(db, sandbox, ports);
    const dead = await purchase.sign();
    sandbox.inject("other_transfer");
    const reply = await purchase.activate(dead);
    await sandbox.heal();
    if (reply.status === 202) {
      await expect.poll(() => purchase.poll(), { timeout: 30_000 }).toMatchObject({ status: "payment_failed" });
    } else expect(reply.status).toBe(402);
    const { attempts } = await showTrial(operator, { intentId: purchase.intentId });
    expect(attempts).toMatchObject([{ outcome: "failed", evidence: "other_transfer", transaction: null }]);
    expect(await moneyOf(db, purchase.intentId)).toMatchObject({ failed: 1, grants: 0, status: "payment_failed" });
    expect((await purchase.activate(dead)).status).toBe(402);
    expect((await purchase.activate(await purchase.sign())).status).toBe(200);
    expect(await moneyOf(db, purchase.intentId)).toMatchObject({ settled: 1, failed: 1, grants: 1 });
    expect(earned()).toBe(PRICE);
  },
);

test(
  "a facilitator that fails during verification takes nothing and changes nothing",
  { timeout: 60_000 },
  async () => {
    const purchase = await startPurchase(db, sandbox, ports);
    const signature = await purchase.sign();
    for (const fault of ["facilitator_down", "verify_5xx", "verify_malformed"] as const) {
      sandbox.inject(fault);
      await expect(purchase.activate(signature)).rejects.toMatchObject({ code: "facilitator_error" });
      await sandbox.heal();
    }
    expect(await moneyOf(db, purchase.intentId)).toMatchObject({ settled: 0, open: 0, status: "payment_required" });
    expect((await purchase.activate(signature)).status).toBe(200);
    expect(earned()).toBe(PRICE);
  },
);

test("the first challenge locks the quote: a new price does not change it", { timeout: 60_000 }, async () => {
  const purchase = await startPurchase(db, sandbox, ports);
  const first = await purchase.activate();
  const dearer = sandboxPorts({ ...sandbox, variables: { ...sandbox.variables, X402_AMOUNT_ATOMIC: "999" } });
  Object.assign(ports, { payments: dearer.payments });
  try {
    expect((await purchase.activate()).body).toEqual(first.body);
  } finally {
    Object.assign(ports, { payments: sandboxPorts(sandbox).payments });
  }
});

test(
  "the reconciler completes the purchase of a killed process, whichever step it had reached",
  { timeout: 60_000 },
  async () => {
    const purchase = await startPurchase(db, sandbox, ports);
    sandbox.inject("unmined");
    expect((await purchase.activate(await purchase.sign())).status).toBe(202);
    await sandbox.heal();
    const due = sql`update trial_intents set next_look_at = now(), lease_until = null where intent_id = ${idToUuid(purchase.intentId)}::uuid`;
    await db.execute(due);
    await reconcileIntents(db, noSignal, ports);
    expect(await moneyOf(db, purchase.intentId)).toEqual(PAID);
    expect(earned()).toBe(PRICE);
  },
);

test(
  "the key is delivered for an hour from the first response that contained it, then erased",
  { timeout: 60_000 },
  async () => {
    const trial = await buyTrial(db, sandbox, ports);
    const intent = sql`${idToUuid(trial.intentId)}::uuid`;
    expect(await trial.poll()).toHaveProperty("api_key", trial.apiKey);
    await db.execute(sql`update trial_intents set deliver_until = now() where intent_id = ${intent}`);
    const late = await trial.poll();
    expect(late).toHaveProperty("credential_delivery_expired", true);
    expect(late).not.toHaveProperty("api_key");
    const [row] = await db.execute(sql`select sealed_key from trial_intents where intent_id = ${intent}`);
    expect(row?.["sealed_key"]).toBeNull();
    expect((await call("/api/v1/agent/trial", { headers: { "x-api-key": trial.apiKey } })).status).toBe(200);
  },
);

test.each(["expired", "revoked"] as const)(
  "a trial that is %s ends grant and environment together, and its key can still read the grant",
  { timeout: 60_000 },
  async (end) => {
    const trial = await buyTrial(db, sandbox, ports);
    const { imprint } = await visit(trial, { address: anAddress() });
    if (end === "revoked") await revokeTrial(operator, { intentId: trial.intentId });
    else {
      const intent = sql`${idToUuid(trial.intentId)}::uuid`;
      await db.execute(sql`update trial_grants set expires_at = now() where intent_id = ${intent}`);
      await db.execute(sql`update trial_intents set trial_expires_at = now() where intent_id = ${intent}`);
      await endIntents(db, noSignal);
    }
    expect(await trial.poll()).toMatchObject({ intent_id: trial.intentId, status: end });
    const grant = await call("/api/v1/agent/trial", { headers: { "x-api-key": trial.apiKey } });
    expect([grant.status, await grant.json()]).toMatchObject([200, { status: end }]);
    const report = await readReport(trial.apiKey, imprint);
    expect([report.status, await report.json()]).toMatchObject([403, { error: { code: `grant_${end}` } }]);
    const challenge = await call("/api/v1/imprints/challenge", {
      method: "POST",
      headers: { origin: trial.origin },
      body: JSON.stringify({ environment_id: trial.environmentId }),
    });
    expect([challenge.status, await challenge.json()]).toMatchObject([
      403,
      { error: { code: "environment_disabled" } },
    ]);
  },
);

test("an unpaid intent expires and accepts no payment", { timeout: 60_000 }, async () => {
  const purchase = await startPurchase(db, sandbox, ports);
  const signature = await purchase.sign();
  await db.execute(
    sql`update trial_intents set pay_until = now() where intent_id = ${idToUuid(purchase.intentId)}::uuid`,
  );
  await expect(purchase.activate(signature)).rejects.toMatchObject({ code: "intent_expired" });
  expect(await purchase.poll()).toMatchObject({ status: "expired" });
  await expect(purchase.activate()).rejects.toMatchObject({ code: "intent_expired" });
  const revoked = await startPurchase(db, sandbox, ports);
  await revokeTrial(operator, { intentId: revoked.intentId });
  await expect(revoked.activate()).rejects.toMatchObject({ code: "intent_revoked" });
  expect(earned()).toBe(0n);
});

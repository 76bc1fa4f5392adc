import { EventEmitter, once } from "node:events";

import { decodePaymentResponseHeader } from "@x402/fetch";
import { sql } from "drizzle-orm";
import { afterAll, expect, test, vi } from "vitest";

import { createTestDatabase } from "@/test/database";
import { idToUuid } from "@/lib/contract/ids";
import { moneyOf, sandboxPorts, startPurchase } from "@/test/trials";
import { operatorContext } from "@/test/workspaces";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { revokeTrial } from "./revoke-trial";

/** Answers of the facilitator and of the chain that arrive after a request was answered, or after its purchase ended. */

const { db } = await createTestDatabase({ poolSize: 24 });
const sandbox = await startSandbox();
afterAll(() => sandbox.close());

test(
  "a payment whose check outlasts its request is refused and never submitted, and may be presented again",
  { timeout: 60_000 },
  async () => {
    const ports = sandboxPorts(sandbox, { responseTimeoutMs: 200 });
    const { verifyPayment, readIsSpent } = ports.payments;
    const spent: Promise<boolean>[] = [];
    const gate = new EventEmitter();
    let isSlow = true;
    Object.assign(ports.payments, {
      async verifyPayment(...given: Parameters<typeof verifyPayment>) {
        if (isSlow) await once(gate, "open");
        return await verifyPayment(...given);
      },
      readIsSpent(...given: Parameters<typeof readIsSpent>) {
        const answer = readIsSpent(...given);
        spent.push(answer);
        return answer;
      },
    });
    const purchase = await startPurchase(db, sandbox, ports);
    const [signature, income] = [await purchase.sign(), sandbox.income()];
    await expect(purchase.activate(signature)).rejects.toMatchObject({ code: "payment_unavailable" });
    gate.emit("open");
    await vi.waitFor(() => {
      expect(spent).toHaveLength(1);
    });
    expect(await Promise.all(spent)).toEqual([false]);
    const untouched = { settled: 0, failed: 0, open: 0, grants: 0, status: "payment_required" };
    expect(await moneyOf(db, purchase.intentId)).toEqual(untouched);
    expect(sandbox.income()).toBe(income);

    [isSlow, ports.responseTimeoutMs] = [false, 15_000];
    expect((await purchase.activate(signature)).status).toBe(200);
    expect(await moneyOf(db, purchase.intentId)).toMatchObject({ settled: 1, grants: 1, status: "active" });
  },
);

test.each([
  [
    "intent_expired",
    (intentId: string) =>
      db.execute(sql`update trial_intents set pay_until = now() where intent_id = ${idToUuid(intentId)}::uuid`),
  ],
  ["intent_revoked", (intentId: string) => revokeTrial(operatorContext(db), { intentId })],
])("a purchase that ends while its terms are read is answered with %s", { timeout: 60_000 }, async (code, end) => {
  const ports = sandboxPorts(sandbox);
  const { readAvailability } = ports.payments;
  const purchase = await startPurchase(db, sandbox, ports);
  Object.assign(ports.payments, {
    async readAvailability() {
      await end(purchase.intentId);
      return await readAvailability();
    },
  });
  await expect(purchase.activate()).rejects.toMatchObject({ code });
});

test("a poll whose reconciliation fails answers with the stored state", { timeout: 60_000 }, async () => {
  const ports = sandboxPorts(sandbox);
  Object.assign(ports.payments, { settlePayment: () => Promise.resolve({ kind: "unclear" }) });
  const purchase = await startPurchase(db, sandbox, ports);
  expect((await purchase.activate(await purchase.sign())).status).toBe(202);
  await db.execute(sql`
    update trial_intents set looked_at = null, lease_until = null where intent_id = ${idToUuid(purchase.intentId)}::uuid`);
  const asked: string[] = [];
  for (const name of Object.keys(ports.payments))
    Object.assign(ports.payments, {
      [name]: () => {
        asked.push(name);
        throw new Error("no answer");
      },
    });
  expect(await purchase.poll()).toMatchObject({ intent_id: purchase.intentId, status: "reconciliation_pending" });
  expect(asked).not.toEqual([]);
});

// Spec: Endpoints, Agent Trial, rule 4.
test(
  "a settled payment is confirmed in PAYMENT-RESPONSE, even if nothing can be stored after the settlement",
  { timeout: 60_000 },
  async () => {
    const purchase = await startPurchase(db, sandbox, sandboxPorts(sandbox));
    const signature = await purchase.sign();
    await db.execute(
      sql.raw(`
        create function refuse_after_settlement() returns trigger language plpgsql as $$
        begin
          if old.intent_id = '${idToUuid(purchase.intentId)}' and old.status = 'provisioning' then raise 'refused'; end if;
          return new;
        end $$;
        create trigger refuse_after_settlement before update on trial_intents
          for each row execute function refuse_after_settlement()`),
    );
    const reply = await purchase.activate(signature);
    await db.execute(sql`drop trigger refuse_after_settlement on trial_intents`);
    expect(reply).toMatchObject({ status: 202, body: { error: { code: "settlement_pending" } } });
    expect(decodePaymentResponseHeader(reply.headers["PAYMENT-RESPONSE"] ?? "")).toMatchObject({ success: true });
    await expect.poll(() => purchase.poll(), { timeout: 20_000 }).toMatchObject({ status: "active" });
    expect((await purchase.activate()).headers["PAYMENT-RESPONSE"]).toBeDefined();
  },
);

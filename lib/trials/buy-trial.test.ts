import { randomBytes } from "node:crypto";

import { decodePaymentRequiredHeader } from "@x402/core/http";
import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { buyTrialOperation, EXAMPLE_CLAIM_TOKEN } from "@/lib/contract/trial-purchase";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { moneyOf, openDoor, sandboxPorts, startPurchase } from "@/test/trials";

const { db } = await createTestDatabase({ poolSize: 24 });
const sandbox = await startSandbox();
const ports = sandboxPorts(sandbox);
const PAID = { settled: 1, failed: 0, open: 0, grants: 1, status: "active" };
const PRICE = 1_000_000n;

let incomeBefore = 0n;
const earned = () => sandbox.income() - incomeBefore;
beforeEach(async () => {
  await sandbox.heal();
  incomeBefore = sandbox.income();
});
afterAll(() => sandbox.close());

const countIntents = async () => (await db.execute(sql`select 1 from trial_intents`)).length;

test("a probe gets the current terms, and nothing is stored for it", async () => {
  const door = openDoor(db, sandbox, ports);
  const before = await countIntents();
  const reply = await door.probe();
  expect(reply.status).toBe(402);
  expect(decodePaymentRequiredHeader(reply.headers["PAYMENT-REQUIRED"] ?? "")).toMatchObject({
    resource: { url: expect.stringMatching(/\/api\/v1\/agent\/trial$/) as string },
    accepts: [{ amount: PRICE.toString() }],
  });
  expect(await countIntents()).toBe(before);
});

test("one call is challenged, paid and answered; repeating it costs nothing and returns the same purchase", async () => {
  const door = openDoor(db, sandbox, ports);
  const signature = await door.sign();
  const bought = await door.call(signature);
  expect([bought.status, bought.body]).toMatchObject([
    200,
    { status: "active", message: expect.any(String) as string },
  ]);
  expect(bought.headers["PAYMENT-RESPONSE"]).toBeDefined();
  expect(JSON.stringify(bought)).not.toContain("svc_trial_");
  for (const again of [undefined, signature]) expect((await door.call(again)).body).toEqual(bought.body);
  const intentId = await door.intentId();
  expect(await door.poll()).toMatchObject({ status: "active", allowed_origin: "https://agent.example" });
  expect(await moneyOf(db, intentId)).toEqual(PAID);
  expect(earned()).toBe(PRICE);
});

test("a claim token has one purchase and one payment, regardless of concurrent calls", async () => {
  const door = openDoor(db, sandbox, ports);
  const first = await Promise.all(Array.from({ length: 8 }, () => door.call()));
  expect(first.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 402));
  const signatures = await Promise.all(Array.from({ length: 8 }, () => door.sign()));
  const answers = await Promise.all(signatures.map((signature) => door.call(signature)));
  expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 202)).toEqual([]);
  await expect.poll(() => door.poll(), { timeout: 20_000 }).toMatchObject({ status: "active" });
  expect(await moneyOf(db, await door.intentId())).toMatchObject({ settled: 1, grants: 1 });
  expect(earned()).toBe(PRICE);
});

test.each(["accept_then_timeout", "5xx_after_settle", "rpc_answer_lost", "malformed_answer"] as const)(
  "after %s, repeating the call never requires another payment, and ends with the trial",
  async (fault) => {
    const door = openDoor(db, sandbox, ports);
    const signature = await door.sign();
    sandbox.inject(fault);
    const answer = await door.call(signature);
    if (answer.status === 202)
      expect(answer.body).toMatchObject({
        message: expect.stringMatching(/already have moved.*no second intent/) as string,
      });
    await sandbox.heal();
    await expect.poll(async () => (await door.call()).status, { timeout: 20_000 }).toBe(200);
    expect(await moneyOf(db, await door.intentId())).toEqual(PAID);
    expect(earned()).toBe(PRICE);
  },
);

test("the token of an existing intent continues that intent in one call", async () => {
  const purchase = await startPurchase(db, sandbox, ports);
  const door = openDoor(db, sandbox, ports, { claimToken: purchase.claim_token });
  const bought = await door.call(await door.sign());
  expect(bought.body).toMatchObject({ intent_id: purchase.intentId, status: "active" });
  expect(await purchase.poll()).toMatchObject({ status: "active" });
  expect(earned()).toBe(PRICE);
});

test("a claim token is bound to one origin, and no payment is checked for another", async () => {
  const door = openDoor(db, sandbox, ports);
  const signature = await door.sign();
  await expect(door.call(signature, "https://other.example")).rejects.toMatchObject({ code: "conflict" });
  expect((await door.call(signature, "https://agent.example:443")).status).toBe(200);
  expect(earned()).toBe(PRICE);
});

test("a guessable token is refused: the documented example, a short one, a non-random one", () => {
  const parse = (claim_token: string) =>
    buyTrialOperation.body.safeParse({ origin: "https://agent.example", claim_token }).success;
  for (const token of [EXAMPLE_CLAIM_TOKEN, "a".repeat(64), "my-token", "0".repeat(43), "abcabcabc".repeat(6), ""])
    expect([token, parse(token)]).toEqual([token, false]);
  for (let index = 0; index < 200; index += 1)
    for (const encoding of ["hex", "base64url"] as const) expect(parse(randomBytes(32).toString(encoding))).toBe(true);
});

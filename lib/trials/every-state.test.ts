import { sql } from "drizzle-orm";
import { afterAll, expect, test, vi } from "vitest";

import { idToUuid } from "@/lib/contract/ids";
import type { Product } from "@/lib/contract/product";
import { readIntentOperation, TrialGrant } from "@/lib/contract/trial";
import type { Payments } from "@/lib/trials/payments";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { createTestDatabase } from "@/test/database";
import { anAddress, buyTrial, type Purchase, sandboxPorts, startPurchase } from "@/test/trials";
import { call, readReport, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { revokeTrial } from "./revoke-trial";

/** Statements of the specification about purchases, over HTTP. */

const outside = vi.hoisted((): { payments?: Payments } => ({}));
vi.mock(import("@/lib/trials/payments"), async (original) => {
  const feature = await original();
  return { ...feature, payments: () => outside.payments ?? feature.payments() };
});

const { db } = await createTestDatabase({ poolSize: 24 });
const sandbox = await startSandbox();
const ports = sandboxPorts(sandbox);
outside.payments = ports.payments;
afterAll(() => sandbox.close());

const HOURS_72_MS = 259_200_000;
const change = ({ intentId }: Pick<Purchase, "intentId">, what: ReturnType<typeof sql>) =>
  db.execute(sql`update trial_intents set ${what} where intent_id = ${idToUuid(intentId)}::uuid`);

const ask = (purchase: Purchase, path = "", headers: Record<string, string> = {}) =>
  call(`/api/v1/agent/trial-intents/${purchase.intentId}${path}`, {
    method: path === "" ? "GET" : "POST",
    headers: { authorization: `Bearer ${purchase.claim_token}`, ...headers },
    address: anAddress(),
  });
const activate = (purchase: Purchase, headers: Record<string, string> = {}) => ask(purchase, "/activate", headers);
const withKey = (path: string, apiKey: string) => call(path, { headers: { "x-api-key": apiKey } });
const begin = () => startPurchase(db, sandbox, ports);

/** A payment that was submitted, and whose outcome nobody knows. */
async function pay() {
  const purchase = await begin();
  const signature = await purchase.sign();
  sandbox.inject("unmined");
  await activate(purchase, { "payment-signature": signature });
  sandbox.inject("reconcile_unavailable");
  return purchase;
}

async function expire(purchase: Purchase) {
  await change(purchase, sql`trial_expires_at = now()`);
  return purchase;
}

async function revoke(purchase: Purchase) {
  await revokeTrial(operatorContext(db), purchase);
  return purchase;
}

const STATES: [status: string, make: () => Promise<Purchase>, activated: number, challenged: boolean][] = [
  ["payment_required", begin, 402, true],
  ["reconciliation_pending", pay, 202, false],
  ["active", () => buyTrial(db, sandbox, ports), 200, false],
  ["expired", async () => expire(await buyTrial(db, sandbox, ports)), 409, false],
  ["revoked", async () => revoke(await buyTrial(db, sandbox, ports)), 409, false],
  ["revoked", async () => revoke(await begin()), 409, false],
];

test.each(STATES)(
  "%s: the status has one of the specified shapes, and only an open purchase gets a challenge",
  { timeout: 60_000 },
  async (status, make, activated, challenged) => {
    const purchase = await make();
    const read = await ask(purchase);
    const body = readIntentOperation.responses[200].parse(await read.json());
    expect([read.status, body.status]).toEqual([200, status]);
    expect("api_key" in body).toBe(status === "active");
    // The state counts, not what is presented: a payload that nobody can read is refused only where a payment is accepted.
    for (const headers of [{}, { "payment-signature": "AAAA" }]) {
      const answer = await activate(purchase, headers);
      const isRefused = challenged && "payment-signature" in headers;
      expect(answer.status).toBe(isRefused ? 400 : activated);
      expect(answer.headers.has("payment-required")).toBe(challenged && !isRefused);
      expect(answer.headers.has("payment-response")).toBe(status === "active");
      expect(await answer.text()).not.toMatch(/svc_trial_|env_[0-9a-f]{32}/);
    }
    await sandbox.heal();
  },
);

test("the challenge has the terms of the catalog, the same in header and body", { timeout: 60_000 }, async () => {
  const catalog = await call("/api/v1/agent/products", { address: anAddress() });
  const { products } = (await catalog.json()) as { products: Product[] };
  const { amount_atomic: amount, pay_to: payTo, asset, network } = products[0]?.price ?? {};
  expect(amount).toMatch(/^[0-9]+$/);
  const challenge = await activate(await begin());
  const required = Buffer.from(challenge.headers.get("payment-required") ?? "", "base64").toString();
  expect(JSON.parse(required)).toEqual(await challenge.json());
  expect(JSON.parse(required)).toMatchObject({
    x402Version: 2,
    accepts: [{ scheme: "exact", amount, payTo, asset, network }],
  });
});

test(
  "a trial ends 72 hours after its activation, by its status and its grant, whose key has neither History nor Account Map",
  { timeout: 60_000 },
  async () => {
    const trial = await buyTrial(db, sandbox, ports);
    const { expires_at: end } = (await (await ask(trial)).json()) as { expires_at: string };
    expect(Math.abs(Date.parse(end) - HOURS_72_MS - Date.now())).toBeLessThan(60_000);
    const { imprint } = await visit(trial, { address: anAddress() });
    for (const [answer, code] of [
      [await withKey(`/api/v1/fingerprint/imprint/${imprint}/history`, trial.apiKey), "history_not_allowed"],
      [await readReport(trial.apiKey, imprint, { "x-account-ref": "42" }), "account_map_not_allowed"],
    ] as const)
      expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code } }]);
    const grant = TrialGrant.parse(await (await withKey("/api/v1/agent/trial", trial.apiKey)).json());
    expect(grant).toMatchObject({ expires_at: end, used_report_units: 0, remaining_report_units: 100 });
  },
);

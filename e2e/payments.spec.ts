import { createHash } from "node:crypto";

import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from "@x402/core/http";
import { PaymentRequiredV2Schema } from "@x402/core/schemas";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { buyTrial, drawClaimToken } from "@/examples/agent/buy-trial.mjs";
import { createTestDatabase } from "@/test/database";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { dumpRows, leaksIn } from "./leaks";
import { CLIENTS } from "./payment-clients";
import { type RunningService, startService, TEST_SECRETS, untilOnSale } from "./service";
import { bearer, createTrialBuyer, PRODUCT, type TrialBuyer } from "./trial-buyer";

const PRICE = 1_000_000n;
const PUBLIC_PAGES = [
  "/api/v1/agent/products",
  "/.well-known/api-catalog",
  "/openapi.json",
  "/llms.txt",
  "/docs/agent-trial",
  "/setup",
  "/readyz",
];

const { url: databaseUrl } = await createTestDatabase();
const sandbox = await startSandbox();
let service: RunningService;

beforeAll(async () => {
  const environment = {
    ...TEST_SECRETS,
    ...sandbox.variables,
    X402_SETTLE_TIMEOUT_S: "4",
    LOG_LEVEL: "debug",
    TRUSTED_PROXIES: "loopback",
  };
  service = await startService({ databaseUrl, environment });
  await untilOnSale(service);
});
afterEach(() => sandbox.heal());
afterAll(async () => {
  await service.stop();
  await sandbox.close();
});

const aBuyer = () => createTrialBuyer(sandbox, () => service.url);

describe.each(Object.entries(CLIENTS))("the official client %s, unmodified,", (_, buy) => {
  test("buys a trial for the price of the catalog, and its second call costs nothing", async () => {
    const [buyer, account, before] = [aBuyer(), sandbox.createAccount(), sandbox.income()];
    const intent = await buyer.create();
    const bought = await buy(account, intent.activate_url, bearer(intent));
    expect(bought.status).toBe(200);
    expect(decodePaymentResponseHeader(bought.settlement ?? "")).toMatchObject({
      success: true,
      network: "eip155:31337",
      payer: expect.stringMatching(new RegExp(`^${account.address}$`, "i")) as string,
    });
    const status = await buyer.until("active");
    expect(status.api_key).toMatch(/^svc_trial_/);
    expect(await buy(account, intent.activate_url, bearer(intent))).toEqual(bought);
    expect(sandbox.income() - before).toBe(PRICE);
  });
});

test("the challenge is valid for every protocol parser, and its body is the same object", async () => {
  const buyer = aBuyer();
  const intent = await buyer.create();
  const { response, text } = await buyer.activate();
  expect(response.status).toBe(402);
  const required = decodePaymentRequiredHeader(response.headers.get("payment-required") ?? "");
  expect(PaymentRequiredV2Schema.parse(required)).toEqual(required);
  expect(JSON.parse(text)).toEqual(required);
  expect(required).toMatchObject({ resource: { url: intent.activate_url }, extensions: { bazaar: {} } });
  const { products } = JSON.parse((await buyer.ask("/api/v1/agent/products")).text) as {
    products: { price: { amount_atomic: string; asset: string; network: string; pay_to: string } }[];
  };
  const [terms] = required.accepts;
  expect(products[0]?.price).toEqual({
    amount_atomic: terms?.amount,
    asset: terms?.asset,
    network: terms?.network,
    pay_to: terms?.payTo,
  });
});

/** Sends the API requests that could reveal a purchase's secrets, with the secrets in correct and incorrect places. */
async function askAround(buyer: TrialBuyer, other: TrialBuyer): Promise<void> {
  const { intent_id: id, claim_token: token } = buyer.intent();
  const place = `/api/v1/agent/trial-intents/${id}`;
  const { key = "", "payment 1": payment = "" } = buyer.secrets;
  const wrong: [string, RequestInit][] = [
    [place, {}],
    [`${place}?token=${token}&api_key=${key}`, {}],
    [place, { headers: bearer(other.intent()) }],
    [place, { method: "DELETE", headers: bearer(buyer.intent()) }],
    [`/api/v1/agent/trial-intents/${other.intent().intent_id}`, { headers: bearer(buyer.intent()) }],
    [`/api/v1/agent/trial-intents/${token}`, { headers: bearer(buyer.intent()) }],
    [`/api/v1/agent/${token}`, {}],
    ["/api/v1/agent/trial-intents", { method: "POST", body: JSON.stringify({ ...PRODUCT, claim_token: token }) }],
    ["/api/v1/agent/trial-intents", { method: "POST", body: JSON.stringify({ ...PRODUCT, origin: token }) }],
    ["/api/v1/agent/trial-intents", { method: "POST", body: `{"${payment}` }],
    [
      `${place}/activate`,
      { method: "POST", headers: { ...bearer(buyer.intent()), "payment-signature": `${payment}!` } },
    ],
    [`${place}/activate`, { method: "POST", headers: { "payment-signature": payment } }],
    ["/api/v1/agent/trial", { headers: { authorization: `Bearer ${key}` } }],
    ["/api/v1/agent/trial", { headers: { "x-api-key": `${key}x` } }],
    [`/api/v1/fingerprint/report/imp_${"0".repeat(32)}`, { headers: { "x-api-key": key } }],
    ["/mcp", { method: "POST", headers: bearer(buyer.intent()), body: "{}" }],
  ];
  for (const [path, init] of wrong) await buyer.ask(path, init);
  await buyer.readGrant(key);
}

test("payments, claim tokens and keys are in no log, other response or row, before and after the outcome", async () => {
  const [buyer, other] = [aBuyer(), aBuyer()];
  await Promise.all([buyer.create(), other.create()]);
  const signature = await buyer.sign();

  // A facilitator that echoes the payment in its failure, then a transaction that stays unmined.
  sandbox.inject("verify_echoes_payment");
  expect((await buyer.activate(signature)).response.status).toBe(502);
  await sandbox.heal();
  sandbox.inject("unmined");
  expect((await buyer.activate(signature)).response.status).toBe(202);
  const during = await dumpRows(databaseUrl);
  expect(during).toMatch(/"sealed_payload": "v1\./);
  expect(leaksIn(during, buyer.secrets)).toEqual([]);
  await askAround(buyer, other);

  await sandbox.heal();
  const { api_key: key } = await buyer.until("active");
  expect(key).toMatch(/^svc_trial_/);
  await askAround(buyer, other);
  for (const path of PUBLIC_PAGES) await buyer.ask(path);
  const { intent_id: id } = buyer.intent();
  const shown = await Promise.all([service.admin("trial", "list"), service.admin("trial", "show", "--intent", id)]);
  expect(JSON.stringify(shown)).toContain(id);
  expect(Object.keys(buyer.secrets)).toHaveLength(4);
  expect(leaksIn(JSON.stringify(shown), buyer.secrets)).toEqual([]);
  expect(leaksIn(await dumpRows(databaseUrl), buyer.secrets)).toEqual([]);
  expect(service.output()).toContain('"code":"facilitator_error"');
  expect(leaksIn(service.output(), buyer.secrets)).toEqual([]);
  expect(buyer.leaks()).toEqual([]);
});

test("the sealed payment is erased when its outcome is known", async () => {
  const sql = postgres(databaseUrl, { max: 1, fetch_types: false, onnotice: () => undefined });
  const rows = await sql<{ kept: number; attempts: number }[]>`
    select count(sealed_payload)::int as kept, count(*)::int as attempts from payment_attempts`;
  await sql.end({ timeout: 5 });
  expect(rows[0]?.attempts).toBeGreaterThan(0);
  expect(rows[0]?.kept).toBe(0);
});

test.each([
  ["no body", undefined],
  ["an empty object", "{}"],
  ["a body that is not JSON", "field=value"],
  ["null", "null"],
  ["a list", "[1]"],
  ["the fields of another service", JSON.stringify({ query: "weather" })],
])("a probe gets the challenge, whatever it sends: %s", async (_title, body) => {
  const { response, text } = await aBuyer().ask("/api/v1/agent/trial", {
    method: "POST",
    ...(body !== undefined && { body }),
  });
  expect([response.status, response.headers.has("payment-required")]).toEqual([402, true]);
  expect(decodePaymentRequiredHeader(response.headers.get("payment-required") ?? "")).toEqual(JSON.parse(text));
});

describe("the documented program", () => {
  const buy = (
    given: { account?: ReturnType<typeof sandbox.createAccount>; claimToken?: string; patienceMs?: number } = {},
  ) => {
    const { account = sandbox.createAccount(), claimToken = drawClaimToken(), patienceMs = 60_000 } = given;
    const fixed = { url: service.url, origin: PRODUCT.origin, privateKey: account.privateKey };
    return buyTrial({ ...fixed, claimToken, patienceMs });
  };
  const earned = async (work: () => Promise<unknown>) => {
    const before = sandbox.income();
    await work();
    return sandbox.income() - before;
  };

  test("buys, and pays only once when it is run again with the same claim token", async () => {
    const claimToken = drawClaimToken();
    const paid = await earned(async () => {
      for (const account of [sandbox.createAccount(), sandbox.createAccount()])
        expect(await buy({ account, claimToken })).toMatchObject({
          state: "active",
          api_key: expect.stringMatching(/^svc_trial_/) as string,
        });
    });
    expect(paid).toBe(PRICE);
  });

  test("ends as unfunded, and as refused for an invalid origin, with nothing paid", async () => {
    const paid = await earned(async () => {
      expect(await buy({ account: sandbox.createAccount(0n) })).toMatchObject({ state: "unfunded" });
      const given = { url: service.url, origin: "no origin", privateKey: sandbox.createAccount().privateKey };
      expect(await buyTrial({ ...given, claimToken: drawClaimToken() })).toMatchObject({ state: "refused" });
      expect(await buyTrial({ ...given, claimToken: drawClaimToken(), mostAtomic: "999" })).toMatchObject({
        state: "too_expensive",
      });
    });
    expect(paid).toBe(0n);
  });

  test("ends as failed for a blocked payer", async () => {
    const account = sandbox.createAccount();
    await service.admin("trial", "block", "--buyer", account.address);
    expect(await buy({ account })).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("Nothing is sold") as string,
    });
  });

  test("ends as unavailable while the product is off sale, and continues what was paid before", async () => {
    const claimToken = drawClaimToken();
    expect(await buy({ claimToken })).toMatchObject({ state: "active" });
    await service.admin("product", "disable");
    try {
      expect(await buy()).toMatchObject({ state: "unavailable" });
      expect(await buy({ claimToken })).toMatchObject({ state: "active" });
    } finally {
      await service.admin("product", "enable");
      await untilOnSale(service);
    }
  });

  test("ends as expired once the payment window has closed", async () => {
    const claimToken = drawClaimToken();
    const body = JSON.stringify({ origin: PRODUCT.origin, claim_token: claimToken });
    await aBuyer().ask("/api/v1/agent/trial", { method: "POST", body });
    const claimHash = createHash("sha256").update(claimToken).digest();
    const sql = postgres(databaseUrl, { max: 1, fetch_types: false });
    await sql`update trial_intents set pay_until = now() where claim_hash = ${claimHash}`;
    await sql.end();
    expect(await buy({ claimToken })).toMatchObject({ state: "expired" });
  });

  test("ends as pending while it is unknown whether the money moved, and continues with the same claim token", async () => {
    const [account, claimToken] = [sandbox.createAccount(), drawClaimToken()];
    const paid = await earned(async () => {
      sandbox.inject("unmined");
      expect(await buy({ account, claimToken, patienceMs: 2_000 })).toMatchObject({ state: "pending" });
      await sandbox.heal();
      expect(await buy({ account, claimToken })).toMatchObject({ state: "active" });
    });
    expect(paid).toBe(PRICE);
  });
});

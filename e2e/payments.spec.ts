import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from "@x402/core/http";
import { PaymentRequiredV2Schema } from "@x402/core/schemas";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { createTestDatabase } from "@/db/testing";
import { createBuyer } from "@/scripts/sandbox/buyer";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { CLIENTS } from "./payment-clients";
import { type RunningService, startService, TEST_SECRETS, untilOnSale } from "./service";

const PRICE = 1_000_000n;
const POLLING = { timeout: 60_000, interval: 100 };

const { url: databaseUrl } = await createTestDatabase();
const sandbox = await startSandbox();
let service: RunningService;

beforeAll(async () => {
  const environment = { ...TEST_SECRETS, ...sandbox.variables, X402_SETTLE_TIMEOUT_S: "4", LOG_LEVEL: "debug" };
  service = await startService({ databaseUrl, environment });
  await untilOnSale(service);
});
afterEach(() => sandbox.heal());
afterAll(async () => {
  await service.stop();
  await sandbox.close();
});

type Intent = { intent_id: string; claim_token: string; activate_url: string; status_url: string };
type Status = { status: string; api_key?: string; environment_id?: string };

/** Everything that the service answered in this file, by what was asked. */
const answers: { asked: string; text: string }[] = [];

async function ask(url: string, init: RequestInit = {}): Promise<{ response: Response; text: string }> {
  const response = await fetch(url, init);
  const text = await response.text();
  answers.push({ asked: `${init.method ?? "GET"} ${url}`, text: `${JSON.stringify([...response.headers])}\n${text}` });
  return { response, text };
}

async function createIntent(): Promise<Intent> {
  const { response, text } = await ask(`${service.url}/api/v1/agent/trial-intents`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ product_code: "agent_trial_lite_100", origin: "https://agent.example" }),
  });
  expect(response.status).toBe(201);
  return JSON.parse(text) as Intent;
}

const bearer = ({ claim_token }: Intent) => ({ authorization: `Bearer ${claim_token}` });

async function statusOf(intent: Intent): Promise<Status> {
  return JSON.parse((await ask(intent.status_url, { headers: bearer(intent) })).text) as Status;
}

const untilActive = async (intent: Intent): Promise<Status> => {
  await expect.poll(async () => (await statusOf(intent)).status, POLLING).toBe("active");
  return await statusOf(intent);
};

describe.each(Object.entries(CLIENTS))("the official client %s, unmodified,", (_, buy) => {
  test("buys a trial for the price of the catalog, and its second call costs nothing", async () => {
    const [intent, account, before] = [await createIntent(), sandbox.createAccount(), sandbox.income()];
    const bought = await buy(account, intent.activate_url, bearer(intent));
    expect(bought.status).toBe(200);
    expect(decodePaymentResponseHeader(bought.settlement ?? "")).toMatchObject({
      success: true,
      network: "eip155:31337",
      payer: expect.stringMatching(new RegExp(`^${account.address}$`, "i")) as string,
    });
    const status = await untilActive(intent);
    expect(status.api_key).toMatch(/^svc_trial_/);
    expect(await buy(account, intent.activate_url, bearer(intent))).toEqual(bought);
    expect(sandbox.income() - before).toBe(PRICE);
  });
});

test("the challenge that is sent is valid for every reader of the protocol, and its body is the same object", async () => {
  const intent = await createIntent();
  const { response, text } = await ask(intent.activate_url, { method: "POST", headers: bearer(intent) });
  expect(response.status).toBe(402);
  const required = decodePaymentRequiredHeader(response.headers.get("payment-required") ?? "");
  expect(PaymentRequiredV2Schema.parse(required)).toEqual(required);
  expect(JSON.parse(text)).toEqual(required);
  expect(required).toMatchObject({ resource: { url: intent.activate_url }, extensions: { bazaar: {} } });
  const { products } = JSON.parse((await ask(`${service.url}/api/v1/agent/products`)).text) as {
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

/** All rows of all tables as text, as a dump has them. */
async function dump(): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1, fetch_types: false, onnotice: () => undefined });
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  await sql.end({ timeout: 5 });
  return texts.join("\n");
}

/** A secret as text, and as the encodings in which it may leak. */
const formsOf = (secret: string) => [
  secret,
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  Buffer.from(secret).toString("hex"),
];
const holds = (text: string, secret: string) => formsOf(secret).some((form) => text.includes(form));

test("a payment, a claim token and a key are in no log, no other answer and no row, before and after the outcome", async () => {
  const intent = await createIntent();
  const challenge = await ask(intent.activate_url, { method: "POST", headers: bearer(intent) });
  const required = decodePaymentRequiredHeader(challenge.response.headers.get("payment-required") ?? "");
  const { header, payload } = await createBuyer(sandbox.createAccount()).sign(required);
  const signature = (payload.payload as { signature: string }).signature.slice(2);
  const headers = { ...bearer(intent), "payment-signature": header };
  const secrets = { header, signature, claim: intent.claim_token };

  // A facilitator that sends the payment back in its failure, then a transaction that waits unmined.
  sandbox.inject("verify_echoes_payment");
  expect((await ask(intent.activate_url, { method: "POST", headers })).response.status).toBe(502);
  await sandbox.heal();
  sandbox.inject("unmined");
  const unresolved = await ask(intent.activate_url, { method: "POST", headers });
  expect(unresolved.response.status).toBe(202);
  const during = await dump();
  expect(during).toMatch(/"sealed_payload": "v1\./);
  expect(Object.entries(secrets).filter(([, secret]) => holds(during, secret))).toEqual([]);

  await sandbox.heal();
  const { api_key: key = "" } = await untilActive(intent);
  expect(key).toMatch(/^svc_trial_/);
  const after = await dump();
  const all = { ...secrets, key };
  expect(
    Object.entries(all)
      .filter(([, secret]) => holds(after, secret))
      .map(([name]) => name),
  ).toEqual([]);
  expect(
    Object.entries(all)
      .filter(([, secret]) => holds(service.output(), secret))
      .map(([name]) => name),
  ).toEqual([]);
  const elsewhere = answers.filter(
    ({ asked }) => !asked.endsWith(intent.status_url) && !asked.endsWith("/trial-intents"),
  );
  const leaks = elsewhere.flatMap(({ asked, text }) =>
    Object.entries(all).flatMap(([name, secret]) => (holds(text, secret) ? [`${name} in ${asked}`] : [])),
  );
  expect(leaks).toEqual([]);
});

test("the sealed payment is erased when its outcome is known", async () => {
  const sql = postgres(databaseUrl, { max: 1, fetch_types: false, onnotice: () => undefined });
  const rows = await sql<{ kept: number; attempts: number }[]>`
    select count(sealed_payload)::int as kept, count(*)::int as attempts from payment_attempts`;
  await sql.end({ timeout: 5 });
  expect(rows[0]?.attempts).toBeGreaterThan(0);
  expect(rows[0]?.kept).toBe(0);
});

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

import type { PaymentRequired } from "@x402/core/types";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { connect } from "@/db/client";
import { createTestDatabase, databaseUrl, withConnection } from "@/test/database";
import { type ProxyKey, signVisitor } from "@/test/signed-visitor";
import { VISITOR_HEADER } from "@/lib/contract/visitor-text";
import { env } from "@/lib/platform/env";
import type { Payments } from "@/lib/trials/payments";
import { createPayments } from "@/lib/trials/payments/create-payments";
import { createSite, type Site, submissionBody } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { revokeTrial, switchProduct } from "@/lib/trials";
import { createManagedSite, MANAGE, managing } from "@/test/management";
import { anAddress } from "@/test/trials";
import { MANAGEMENT_SCOPES } from "@/lib/contract/manage";
import { newManagementSecret } from "@/lib/tenancy/api-keys";
import { createManagementKey } from "@/lib/tenancy/management";
import { addOrigins, pauseWebApp } from "@/lib/tenancy/web-apps";
import { createBuyer } from "@/scripts/sandbox/buyer";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { type OpenApiDocument, readPublished } from "@/test/published-api";
import { recordTraffic, type Sent, untilLimited } from "@/test/published-traffic";

const outside = vi.hoisted((): { payments?: Payments } => ({}));
vi.mock(import("@/lib/trials/payments"), async (original) => {
  const feature = await original();
  return { ...feature, payments: () => outside.payments ?? feature.payments() };
});

const published = readPublished(JSON.parse(readFileSync("docs/openapi.json", "utf8")) as OpenApiDocument);
const connection = await createTestDatabase();
const { db } = connection;
const [operator, sandbox] = [operatorContext(db), await startSandbox()];
const selling = createPayments({ ...env, ...sandbox.variables, X402_SETTLE_TIMEOUT_S: 1, X402_MAX_TIMEOUT_S: 60 });
outside.payments = selling;
const notSelling = createPayments(env);

const NOBODY = "0".repeat(32);
const CHALLENGE = "/api/v1/imprints/challenge";
const SUBMISSION = "/api/v1/imprints";
const INTENTS = "/api/v1/agent/trial-intents";
const reportOf = (imprint: string) => `/api/v1/fingerprint/report/${imprint}`;
const PROXY_KEY = "/api/v1/imprints/proxy-key";
const historyOf = (imprint: string, query = "") => `/api/v1/fingerprint/imprint/${imprint}/history${query}`;
const GRANT = "/api/v1/agent/trial";
const PRODUCTS = "/api/v1/agent/products";

const { seen, faults, ask, post, withKey, visitOf, saveExamples } = recordTraffic(published);
afterAll(() => Promise.all([sandbox.close(), saveExamples()]));

type Intent = { intent_id: string; claim_token: string };
const product = { product_code: "agent_trial_lite_100", origin: "https://agent.example" };
const createIntent = async () => (await post(INTENTS, product)).body as Intent;
const bearer = ({ claim_token }: Intent) => ({ authorization: `Bearer ${claim_token}` });
const at = ({ intent_id }: Intent) => `${INTENTS}/${intent_id}`;
const activate = (intent: Intent, headers: Record<string, string> = {}, from = anAddress()) =>
  ask(`${at(intent)}/activate`, { method: "POST", headers: { ...bearer(intent), ...headers }, from });

async function sign(intent: Intent) {
  const { body } = await activate(intent);
  const buyer = createBuyer(sandbox.createAccount());
  return { "payment-signature": (await buyer.sign(body as PaymentRequired)).header };
}

let site: Site;
let lite: Site;
beforeAll(async () => {
  site = await createSite(db, { plan: "enterprise" });
  lite = await createSite(db, { plan: "lite" });
});

test("visits: the component's requests and every response are valid against the published document", async () => {
  const { origin } = site;
  const { body, imprint, headers } = await visitOf(site);
  expect(imprint).toMatch(/^imp_/);
  for (const path of [CHALLENGE, SUBMISSION]) {
    const strangers = [
      [{ environment_id: "env_x" }, { origin }],
      [{ environment_id: `env_${NOBODY}` }, { origin }],
      [{ environment_id: site.environmentId }, { origin: "https://stranger.example" }],
      ["{", { origin }],
      ["x".repeat(20_000), { origin }],
    ] as const;
    for (const [sent, from] of strangers) await post(path, sent, from);
    await ask(path, { method: "PUT", headers: { origin } });
    const address = anAddress();
    await untilLimited(() => post(path, { environment_id: site.environmentId }, { origin }, address));
  }
  await post(SUBMISSION, body.replace('"total":80', '"total":81'), headers);
  const paused = await createSite(db);
  await pauseWebApp(operator, paused);
  expect((await post(CHALLENGE, { environment_id: paused.environmentId }, { origin })).status).toBe(403);
});

test("a proxy of the site: its signing secret, and what it signs, are valid against the published document", async () => {
  const headers = { "x-api-key": lite.apiKey };
  const key = (await ask(PROXY_KEY, { method: "POST", headers })).body as ProxyKey;
  const body = JSON.stringify({ environment_id: lite.environmentId });
  const signature = signVisitor(key, { path: CHALLENGE, body, payload: { address: anAddress(), token: "" } });
  const signed = { origin: lite.origin, [VISITOR_HEADER]: signature };
  expect((await post(CHALLENGE, body, signed)).body["token"]).toBeDefined();
  expect((await post(CHALLENGE, `${body} `, signed)).status).toBe(403);
  await ask(PROXY_KEY, { method: "POST" });
  await ask(PROXY_KEY, { headers });
  await ask(PROXY_KEY, { method: "POST", headers, body: "1" });
  await untilLimited(() => ask(PROXY_KEY, { method: "POST", headers }));
});

test("Reports and History: every response is valid against the published document", async () => {
  const [{ imprint }, { imprint: late }] = [await visitOf(site), await visitOf(site)];
  // A fresh key, since an earlier test brought the other one to its limit.
  const liteAtRest = await createSite(db, { plan: "lite" });
  const liteVisit = await visitOf(liteAtRest);
  await withKey(reportOf(imprint), site.apiKey, { "x-account-ref": "42" });
  await withKey(reportOf(imprint), site.apiKey, { "x-account-ref": "43" });
  await withKey(reportOf(late), site.apiKey, { "x-account-ref": "someone@shop.example" });
  await withKey(historyOf(imprint, "?days=7&recent=3"), site.apiKey);
  await withKey(historyOf(imprint, "?from=2026-01-01&to=2026-01-31"), site.apiKey);
  await withKey(historyOf(imprint, "?days=0"), site.apiKey);
  await withKey(reportOf(liteVisit.imprint), liteAtRest.apiKey, { "x-account-ref": "42" });
  await withKey(historyOf(liteVisit.imprint), liteAtRest.apiKey);
  for (const path of [reportOf, historyOf]) {
    await withKey(path(imprint), site.apiKey);
    await withKey(path(`imp_${NOBODY}`), site.apiKey);
    await withKey(path("imp_x"), site.apiKey);
    await ask(path(imprint));
    await ask(path(imprint), { method: "DELETE" });
    await withKey(path(imprint), site.apiKey, { "content-length": "1" });
    await untilLimited(() => withKey(path(liteVisit.imprint), liteAtRest.apiKey));
  }
});

test("purchases: every response from the catalog to the grant is valid against the published document", async () => {
  await ask(PRODUCTS);
  const paid = await createIntent();
  const payment = await sign(paid);
  await ask(at(paid), { headers: bearer(paid) });
  expect((await activate(paid, payment)).status).toBe(200);
  const { body } = await ask(at(paid), { headers: bearer(paid) });
  const trial = { environmentId: String(body["environment_id"]), origin: product.origin };
  const apiKey = String(body["api_key"]);
  const { imprint } = await visitOf(trial);
  expect((await withKey(reportOf(imprint), apiKey)).status).toBe(200);
  await withKey(GRANT, apiKey);
  await withKey(GRANT, site.apiKey);
  await untilLimited(() => withKey(GRANT, apiKey));
  const other = await createIntent();
  expect((await activate(other, payment)).status).toBe(409);
  await activate(other, { "payment-signature": "AAAA" });
  const unclear = await sign(other);
  sandbox.inject("unmined");
  expect((await activate(other, unclear)).status).toBe(202);
  await sandbox.heal();
});

const buy = (body: unknown, headers: Record<string, string> = {}, from = anAddress()) =>
  post(GRANT, body, headers, from);
const drawToken = () => randomBytes(32).toString("base64url");
const wanted = () => ({ origin: product.origin, claim_token: drawToken() });

async function signFor(body: ReturnType<typeof wanted>) {
  const buyer = createBuyer(sandbox.createAccount());
  return { "payment-signature": (await buyer.sign((await buy(body)).body as PaymentRequired)).header };
}

test("the single call: every response is valid against the published document", async () => {
  const body = wanted();
  expect((await ask(GRANT, { method: "POST" })).status).toBe(402);
  const payment = await signFor(body);
  expect((await buy(body, payment)).status).toBe(200);
  expect((await buy(body)).status).toBe(200);
  expect((await buy({ ...body, origin: "https://other.example" })).status).toBe(409);
  expect((await buy({ origin: product.origin }, payment)).status).toBe(400);
  for (const sent of [{ ...wanted(), origin: "shop.example" }, { claim_token: "short" }, { ...wanted(), extra: 1 }])
    expect((await buy(sent)).status).toBe(400);
  await buy("x".repeat(10_000));
  const unclear = wanted();
  const signed = await signFor(unclear);
  sandbox.inject("unmined");
  expect((await buy(unclear, signed)).status).toBe(202);
  await sandbox.heal();
});

test("purchases: every refusal is valid against the published document", async () => {
  const intent = await createIntent();
  for (const sent of [{ ...product, product_code: "other" }, { ...product, origin: "shop.example" }, {}])
    await post(INTENTS, sent);
  await post(INTENTS, "x".repeat(10_000));
  for (const path of [`${at(intent)}/activate`, at(intent), GRANT]) {
    const method = path.endsWith("activate") ? "POST" : "GET";
    const stranger = await ask(path, { method });
    if (path !== GRANT) expect(stranger.headers.get("www-authenticate")).toBe('Bearer realm="imprint"');
    await ask(path.replace(/[0-9a-f]{32}/, NOBODY), { method, headers: bearer(intent) });
    await ask(path, { method, headers: { ...bearer(intent), "content-length": "9000" } });
  }
  for (const path of [PRODUCTS, INTENTS, GRANT, at(intent), `${at(intent)}/activate`])
    await ask(path, { method: "PUT" });
  await ask(PRODUCTS, { headers: { "content-length": "1" } });
  const body = wanted();
  for (const [fault, status] of [
    ["facilitator_down", 502],
    ["verify_timeout", 503],
  ] as const) {
    const [signature, payment] = [await sign(intent), await signFor(body)];
    sandbox.inject(fault);
    for (const refused of [await activate(intent, signature), await buy(body, payment)]) {
      expect([refused.status, refused.headers.has("retry-after")]).toEqual([status, true]);
      expect(JSON.stringify(refused.body)).toMatch(
        /may already have moved: ask http\S+\/ati_[0-9a-f]{32} .*make no second intent/,
      );
    }
    await sandbox.heal();
  }
  await revokeTrial(operator, { intentId: intent.intent_id });
  expect((await activate(intent)).status).toBe(409);
  outside.payments = notSelling;
  expect((await post(INTENTS, product)).status).toBe(503);
  outside.payments = selling;
  await switchProduct(operator, { isEnabled: false });
  expect((await post(INTENTS, product)).status).toBe(409);
  await switchProduct(operator, { isEnabled: true });
});

test("purchases: every limit is valid against the published document", async () => {
  const [intent, address] = [await createIntent(), anAddress()];
  await untilLimited(() => post(INTENTS, product, {}, address));
  await untilLimited(() => buy(wanted(), {}, address));
  await untilLimited(() => activate(intent, {}, address));
  await untilLimited(() => ask(at(intent), { headers: bearer(intent), from: address }));
  await untilLimited(() => ask(PRODUCTS, { from: address }));
});

/** A management key of a new workspace, and requests with it. */
async function createManager(scopes: readonly string[] = MANAGEMENT_SCOPES) {
  const managed = await createManagedSite(db);
  const { secret } = await createManagementKey(operator, { workspaceId: managed.workspaceId, name: "CI", scopes });
  const headers = { authorization: `Bearer ${secret}` };
  const send = (method: string, path: string, body?: unknown, sent: Sent = { headers }) =>
    ask(path, { method, ...sent, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return { managed, headers, send };
}

test("management: every response and every refusal is valid against the published document", async () => {
  const bystander = await createSite(db);
  for (const index of managing(bystander).keys()) {
    // One key per operation, since a key has a burst of 20 requests.
    const { managed: own, headers, send } = await createManager();
    const [method, path, body] = managing(own)[index] ?? ["GET", MANAGE];
    expect((await send(method, path, body)).status, `${method} ${path}`).toBeLessThan(300);
    expect((await send(method, path, body, {})).status).toBe(401);
    if (body !== undefined) {
      await ask(path, { method, headers, body: "{" });
      await ask(path, { method, headers, body: "x".repeat(10_000) });
    } else await send(method, path, undefined, { headers: { ...headers, "content-length": "1" } });
    await ask(path, { method: "PATCH", headers });
  }
  const { managed, send } = await createManager();
  for (const [method, path, body] of managing(bystander)) await send(method, path, body);
  await send("PUT", `${MANAGE}/web-apps/${managed.webAppId}/origins`, { origin: "shop.example" });
  await send("DELETE", `${MANAGE}/web-apps/${managed.webAppId}/origins`);
  await send("POST", `${MANAGE}/keys/${managed.keyId}/rotate`, {});
  const origins = Array.from({ length: 200 }, (_, index) => `https://${index}.shop.example`);
  await addOrigins(operator, { ...managed, origins: origins.slice(0, 199) });
  await send("PUT", `${MANAGE}/web-apps/${managed.webAppId}/origins`, { origin: origins[199] });
  await send("PUT", `${MANAGE}/web-apps/${managed.webAppId}`, { name: "Shop", state: "archived" });
  await send("PUT", `${MANAGE}/web-apps/${managed.webAppId}`, { name: "Shop", state: "active" });
});

test("management: every scope and every limit is valid against the published document", async () => {
  for (const scope of [["keys"], ["web_apps"]]) {
    const narrow = await createManager(scope);
    for (const [method, path, body] of managing(narrow.managed)) await narrow.send(method, path, body);
  }
  for (const index of managing(site).keys()) {
    const limited = await createManager();
    const [method, path, body] = managing(limited.managed)[index] ?? ["GET", MANAGE];
    await untilLimited(() => limited.send(method, path, body));
  }
});

/** One ordinary request of each operation. */
function everyOperation(intent: Intent): [string, Sent][] {
  const claim = { headers: bearer(intent) };
  const key = { headers: { "x-api-key": site.apiKey } };
  const headers = { origin: site.origin };
  // Keys are looked up before anything else, so any well-formed one will do.
  const manager = { authorization: `Bearer ${newManagementSecret().secret}` };
  return [
    ...managing(site).map(([method, path, body]): [string, Sent] => [
      path,
      { method, headers: manager, ...(body !== undefined && { body: JSON.stringify(body) }) },
    ]),
    [CHALLENGE, { method: "POST", headers, body: JSON.stringify({ environment_id: site.environmentId }) }],
    [SUBMISSION, { method: "POST", headers, body: submissionBody(site, { challenge: "A".repeat(40) }) }],
    [PROXY_KEY, { ...key, method: "POST" }],
    [reportOf(`imp_${NOBODY}`), key],
    [historyOf(`imp_${NOBODY}`), key],
    [GRANT, key],
    [GRANT, { method: "POST", body: JSON.stringify(wanted()) }],
    [PRODUCTS, {}],
    [INTENTS, { method: "POST", body: JSON.stringify(product) }],
    [at(intent), claim],
    [`${at(intent)}/activate`, { ...claim, method: "POST" }],
  ];
}

test.each([
  ["a database without its tables answers 500", () => databaseUrl("postgres"), 500],
  ["a database that is away answers 503", () => Promise.resolve("postgres://nobody@127.0.0.1:1/none"), 503],
])("%s, as published, on every operation", async (_title, url, status) => {
  const intent = await createIntent();
  const other = connect({ url: await url(), poolSize: 2, prepare: false, applicationName: "traffic" });
  await withConnection(connection, other, async () => {
    const requests = everyOperation(intent);
    expect(requests).toHaveLength(published.operations.length);
    for (const [path, sent] of requests) expect([path, (await ask(path, sent)).status]).toEqual([path, status]);
  });
});

test("no response contradicted the published document, and every status of every operation was seen", () => {
  expect([...new Set(faults)]).toEqual([]);
  const listed = published.operations.flatMap(({ id }) => published.statusesOf(id).map((status) => `${id} ${status}`));
  expect(listed.filter((pair) => !seen.has(pair))).toEqual([]);
  expect(seen).toEqual(new Set(listed));
});

import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { DEFAULT_LIMITS } from "@/lib/contract/product";
import { idToUuid } from "@/lib/contract/ids";
import { call, readReport, requestChallenge, submissionBody, submit, visit } from "@/test/visits";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { authenticateClaim } from "./authenticate-claim";
import { anAddress, buyTrial, sandboxPorts, startPurchase } from "@/test/trials";

const { db } = await createTestDatabase();
const sandbox = await startSandbox();
const ports = sandboxPorts(sandbox);
afterAll(() => sandbox.close());

const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { error?: { code: string } }).error?.code,
];

const readGrantOf = async (apiKey: string): Promise<unknown> =>
  (await call("/api/v1/agent/trial", { headers: { "x-api-key": apiKey } })).json();

const create = (address: string) =>
  call("/api/v1/agent/trial-intents", {
    method: "POST",
    body: JSON.stringify({ product_code: "agent_trial_lite_100", origin: "https://agent.example" }),
    address,
  });

test("one IP address creates as many intents a minute as the catalog allows, regardless of their outcome", async () => {
  const address = anAddress();
  const limit = DEFAULT_LIMITS.intent_creates_per_ip_per_minute;
  const answers = await Promise.all(Array.from({ length: limit + 5 }, () => create(address)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(limit);
  const [first] = refused;
  expect(first && (await codeOf(first))).toEqual([429, "rate_limited"]);
  expect(Number(first?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await create(anAddress())).status).not.toBe(429);
});

test("one IP address activates one intent as often a minute as the catalog allows", { timeout: 60_000 }, async () => {
  const [one, other] = [await startPurchase(db, sandbox, ports), await startPurchase(db, sandbox, ports)];
  const address = anAddress();
  const activate = ({ intentId, claim_token }: { intentId: string; claim_token: string }) =>
    call(`/api/v1/agent/trial-intents/${intentId}/activate`, {
      method: "POST",
      headers: { authorization: `Bearer ${claim_token}` },
      address,
    });
  const limit = DEFAULT_LIMITS.intent_activations_per_ip_and_intent_per_minute;
  const answers = await Promise.all(Array.from({ length: limit + 8 }, () => activate(one)));
  const [first, ...others] = answers.filter(({ status }) => status === 429);
  expect(first && (await codeOf(first))).toEqual([429, "rate_limited"]);
  expect(answers.length - others.length - 1).toBeGreaterThanOrEqual(limit);
  const response = await activate(other);
  expect(response.status).not.toBe(429);
});

test("a claim token gives access to its own intent only, and only in the Authorization header", async () => {
  const [one, other] = [await startPurchase(db, sandbox, ports), await startPurchase(db, sandbox, ports)];
  const at = (intentId: string, headers: Record<string, string>) =>
    call(`/api/v1/agent/trial-intents/${intentId}`, { headers, address: anAddress() });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const unknown = `ati_${"0".repeat(32)}`;
  expect((await at(one.intentId, bearer(one.claim_token))).status).toBe(200);
  const wrong: [string, Record<string, string>][] = [
    [one.intentId, {}],
    [unknown, {}],
    ["ati_x", {}],
    [one.intentId, { authorization: one.claim_token }],
    [one.intentId, { authorization: `Basic ${one.claim_token}` }],
    [one.intentId, { authorization: "Bearer a b" }],
    [one.intentId, { "x-api-key": one.claim_token }],
    [one.intentId, bearer(other.claim_token)],
    [one.intentId, bearer(`${one.claim_token.slice(0, -1)}_`)],
  ];
  for (const [intentId, headers] of wrong) {
    expect([headers, await codeOf(await at(intentId, headers))]).toEqual([headers, [401, "auth_failed"]]);
  }
  for (const intentId of [unknown, "ati_x", one.intentId.toUpperCase()]) {
    expect(await codeOf(await at(intentId, bearer(one.claim_token)))).toEqual([404, "intent_not_found"]);
  }
  expect(await authenticateClaim(db, `bearer  ${one.claim_token}`, one.intentId)).toEqual({ intentId: one.intentId });
});

test(
  "the counters of a grant are hard limits: submissions, Report requests and units",
  { timeout: 60_000 },
  async () => {
    const trial = await buyTrial(db, sandbox, ports);
    const workspace = sql`workspace_id = ${idToUuid(trial.workspaceId)}::uuid`;
    const set = (column: string, value: number) =>
      db.execute(sql`update trial_grants set ${sql.identifier(column)} = ${value}::int where ${workspace}`);
    const seen = await visit(trial, { address: anAddress() });
    const issued = await requestChallenge(trial, { address: anAddress() });
    await set("submit_requests_used", 300);
    const refused = await submit(trial, submissionBody(trial, issued), { address: anAddress() });
    expect(await codeOf(refused)).toEqual([429, "request_limit_reached"]);
    const [row] = await db.execute(sql`select count(*)::int as visits from visits where ${workspace}`);
    expect(row?.["visits"]).toBe(1);
    expect((await readReport(trial.apiKey, seen.imprint)).status).toBe(200);
    await set("units_used", 100);
    await set("submit_requests_used", 0);
    const fresh = await visit(trial, { address: anAddress() });
    const exhausted = await readReport(trial.apiKey, fresh.imprint);
    expect([exhausted.status, await exhausted.json()]).toMatchObject([
      429,
      {
        error: { code: "quota_exhausted", message: expect.stringMatching(/do not renew.*buy another trial/) as string },
      },
    ]);
    expect(exhausted.headers.has("retry-after")).toBe(false);
    expect((await readReport(trial.apiKey, seen.imprint)).status).toBe(200);
    await set("report_requests_used", 1000);
    // The key's rate limit may come first.
    await expect
      .poll(async () => codeOf(await readReport(trial.apiKey, seen.imprint)), { timeout: 10_000 })
      .toEqual([429, "request_limit_reached"]);
    await expect
      .poll(() => readGrantOf(trial.apiKey), {
        timeout: 10_000,
      })
      .toMatchObject({ remaining_report_requests: 0, remaining_report_units: 0 });
  },
);

test("a trial's key and its environment may each make five requests a second", { timeout: 60_000 }, async () => {
  const trial = await buyTrial(db, sandbox, ports);
  const askWithKey = () => call("/api/v1/agent/trial", { headers: { "x-api-key": trial.apiKey } });
  // Incomplete on purpose: the rate limit is checked before the body.
  const body = JSON.stringify({ environment_id: trial.environmentId });
  const visitEnvironment = () => submit(trial, body, { address: anAddress() });
  for (const [name, ask, accepted] of [
    ["key", askWithKey, 200],
    ["environment", visitEnvironment, 400],
  ] as const) {
    const answers = await Promise.all(Array.from({ length: 40 }, ask));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === accepted).length).toBeGreaterThanOrEqual(5);
    expect(answers.length - refused.length).toBe(answers.filter(({ status }) => status === accepted).length);
    const [first] = refused;
    expect(first?.headers.get("ratelimit-policy")).toContain(`"${name}";q=5;w=1`);
    expect(Number(first?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(first && (await codeOf(first))).toEqual([429, "rate_limited"]);
  }
});

import { afterAll, expect, test, vi } from "vitest";

import { createTestDatabase } from "@/test/database";
import type { ProductLimits } from "@/lib/contract/product";
import { startSandbox } from "@/scripts/sandbox/sandbox";

const OTHERS: ProductLimits = {
  submit_requests: 2,
  report_requests: 3,
  requests_per_second: 40,
  intent_creates_per_ip_per_minute: 2,
  intent_activations_per_ip_and_intent_per_minute: 4,
};
const variableOf = (name: string) => `TRIAL_${name.toUpperCase()}`;

const { db } = await createTestDatabase();
const sandbox = await startSandbox();
afterAll(() => sandbox.close());

/** Loads the service's code with these environment variables. */
async function installedWith(limits: Partial<ProductLimits>) {
  for (const [name, value] of Object.entries(limits)) vi.stubEnv(variableOf(name), String(value));
  vi.resetModules();
  const [trials, testing, submissions] = [
    await import("./index"),
    await import("@/test/trials"),
    await import("@/test/visits"),
  ];
  vi.unstubAllEnvs();
  return { ...trials, ...testing, ...submissions, ports: testing.sandboxPorts(sandbox) };
}
const installation = await installedWith(OTHERS);
const { call, readReport, requestChallenge, submissionBody, submit, visit, anAddress } = installation;

const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { error?: { code: string } }).error?.code,
];
const statuses = (answers: readonly Response[]) => answers.map(({ status }) => status).sort((a, b) => a - b);

const create = (address: string) =>
  call("/api/v1/agent/trial-intents", {
    method: "POST",
    body: JSON.stringify({ product_code: "agent_trial_lite_100", origin: "https://agent.example" }),
    address,
  });

test("the catalog shows the limits configured by the operator", async () => {
  const { products } = await installation.listProducts({ db }, installation.ports);
  expect(products[0]?.limits).toEqual(OTHERS);
});

test("intents and activations are limited as in the catalog", { timeout: 60_000 }, async () => {
  const address = anAddress();
  const made = await Promise.all(Array.from({ length: 6 }, () => create(address)));
  expect(statuses(made).filter((status) => status === 429)).toHaveLength(4);
  expect(made[0]?.headers.get("ratelimit-policy")).toContain('"intent-creation";q=2;w=60');
  const purchase = await installation.startPurchase(db, sandbox, installation.ports);
  const activate = () =>
    call(`/api/v1/agent/trial-intents/${purchase.intentId}/activate`, {
      method: "POST",
      headers: { authorization: `Bearer ${purchase.claim_token}` },
      address,
    });
  const activated = await Promise.all(Array.from({ length: 10 }, activate));
  expect(statuses(activated).filter((status) => status === 429)).toHaveLength(6);
});

test("a trial has the limits of the catalog, and its grant enforces them", { timeout: 60_000 }, async () => {
  const trial = await installation.buyTrial(db, sandbox, installation.ports);
  const readGrant = async (): Promise<unknown> =>
    (await call("/api/v1/agent/trial", { headers: { "x-api-key": trial.apiKey } })).json();
  expect(await readGrant()).toMatchObject({
    limits: { submit_requests: 2, report_requests: 3, requests_per_second: 40 },
    remaining_submit_requests: 2,
    remaining_report_requests: 3,
  });
  const issued = await requestChallenge(trial, { address: anAddress() });
  const seen = await visit(trial, { address: anAddress() });
  await visit(trial, { address: anAddress() });
  const refused = await submit(trial, submissionBody(trial, issued), { address: anAddress() });
  expect(await codeOf(refused)).toEqual([429, "request_limit_reached"]);
  for (let count = 0; count < 3; count += 1) expect((await readReport(trial.apiKey, seen.imprint)).status).toBe(200);
  expect(await codeOf(await readReport(trial.apiKey, seen.imprint))).toEqual([429, "request_limit_reached"]);
  expect(await readGrant()).toMatchObject({ remaining_submit_requests: 0, remaining_report_requests: 0 });
  const answer = await call("/api/v1/agent/trial", { headers: { "x-api-key": trial.apiKey } });
  expect(answer.headers.get("ratelimit-policy")).toContain('"key";q=40;w=1');
});

test(
  "a trial keeps the limits that applied when its intent was created, whatever is offered later",
  { timeout: 60_000 },
  async () => {
    const purchase = await installation.startPurchase(db, sandbox, installation.ports);
    const later = await installedWith({ submit_requests: 9, report_requests: 9, requests_per_second: 9 });
    const context = { db, now: new Date(), actor: { kind: "system" } as const };
    const claim = { intentId: purchase.intentId };
    await later.activateIntent(context, claim, { signature: await purchase.sign() }, later.ports);
    const status = await purchase.poll();
    if (!("api_key" in status)) throw new Error("the trial is not active");
    const answer = await later.call("/api/v1/agent/trial", { headers: { "x-api-key": status.api_key } });
    expect(await answer.json()).toMatchObject({
      limits: { submit_requests: 2, report_requests: 3, requests_per_second: 40 },
    });
  },
);

test.each([
  ["submit_requests", "0"],
  ["submit_requests", "301"],
  ["report_requests", "1001"],
  ["requests_per_second", "0"],
  ["intent_creates_per_ip_per_minute", "1.5"],
  ["intent_activations_per_ip_and_intent_per_minute", "many"],
])("%s of %s prevents the start", async (name, value) => {
  vi.stubEnv(variableOf(name), value);
  vi.resetModules();
  vi.spyOn(console, "error").mockReturnValue();
  await expect(import("@/lib/platform/env")).rejects.toThrow();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

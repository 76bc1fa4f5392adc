import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";

import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { freePort } from "@/db/embedded-connection";
import { composeExactly } from "@/lib/contract/challenge-proof";
import { createReleaseDatabase, type Expected, type Returning, RELEASES } from "@/test/releases";
import { createBuyer } from "@/scripts/sandbox/buyer";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { timingsFor } from "@/test/timings";
import { decodePaymentRequiredHeader } from "@x402/core/http";

import { readReport, type RunningService, startService } from "./service";

const VERSIONS = readdirSync(RELEASES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const POLLING = { timeout: 60_000, interval: 250 };
/** Concurrency that stays below the rate limits of a Lite key and of a trial. */
const AT_A_TIME = 4;

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

test("every release is upgraded here", () => {
  expect(VERSIONS).toContain("0.1.0");
});

describe.each(VERSIONS)("the database of %s, upgraded,", async (version) => {
  const { url: databaseUrl, expected } = await createReleaseDatabase(version);
  const { workspaces, trials, client } = expected;
  const sandbox = await startSandbox();
  // By default, nothing can be learnt about payments.
  sandbox.inject("reconcile_unavailable");
  let service: RunningService;

  beforeAll(async () => {
    const environment = {
      ...expected.secrets,
      ...sandbox.variables,
      BASE_URL: expected.baseUrl,
      PORT: String(await freePort()),
      TRUSTED_PROXIES: "loopback",
      // Keeps the release's visits for the lifetime of this test.
      RETENTION_DAYS: "3650",
    };
    service = await startService({ databaseUrl, environment });
  });
  afterAll(async () => {
    await service.stop();
    await sandbox.close();
  });

  /** Runs `check` on all items, a few at a time, and returns the faults; rate-limited ones are retried. */
  async function faultsOf<T>(items: readonly T[], check: (item: T) => Promise<string | undefined>): Promise<string[]> {
    const faults: string[] = [];
    for (let at = 0; at < items.length; at += AT_A_TIME) {
      const found = await Promise.all(items.slice(at, at + AT_A_TIME).map(check));
      faults.push(...found.filter((fault) => fault !== undefined));
    }
    return faults;
  }

  async function readText(path: string, headers: Record<string, string>): Promise<string> {
    let text = "";
    const ask = async () => {
      const response = await fetch(service.url + path, { headers });
      text = await response.text();
      return response.status;
    };
    await expect.poll(ask, POLLING).not.toBe(429);
    return text;
  }

  const reportPath = (imprint: string) => `/api/v1/fingerprint/report/${imprint}`;

  test.each(workspaces)(
    "answers each Report of the $plan workspace byte for byte as before",
    async ({ keys, reports }) => {
      const [key = ""] = keys.accepted;
      const check = async ({ imprint, sha256 }: (typeof reports)[number]) =>
        digest(await readText(reportPath(imprint), { "x-api-key": key })) === sha256 ? undefined : imprint;
      expect(reports.length).toBeGreaterThan(20);
      expect(await faultsOf(reports.slice(-60), check)).toEqual([]);
    },
  );

  test.each(workspaces)(
    "keeps every visit of the $plan workspace and its stored Report",
    async ({ workspaceId, totals }) => {
      const sql = postgres(databaseUrl, { max: 1, fetch_types: false });
      const [row] = await sql`
      select count(*)::int as visits, encode(sha256(convert_to(string_agg(report, '' order by event_id), 'UTF8')), 'hex') as reports
      from visits where workspace_id = ${workspaceId.slice(3)}::uuid and recorded_at <= ${expected.madeAt}::timestamptz`;
      await sql.end({ timeout: 5 });
      expect(row).toEqual(totals);
    },
  );

  const withAccounts = workspaces.filter(({ accounts }) => accounts.length > 0);
  test.each(withAccounts)("computes Account Maps and History of the $plan workspace as before", async (workspace) => {
    const [key = ""] = workspace.keys.accepted;
    const check = async ({ imprint, account, sha256 }: (typeof workspace.accounts)[number]) => {
      const text = await readText(reportPath(imprint), { "x-api-key": key, "x-account-ref": account });
      return digest(text) === sha256 ? undefined : `${imprint} ${text}`;
    };
    expect(await faultsOf(workspace.accounts, check)).toEqual([]);
    expect(await readText(workspace.history?.path ?? "", { "x-api-key": key })).toBe(workspace.history?.body);
  });

  test.each(workspaces)(
    "accepts exactly the keys of the $plan workspace that were accepted before",
    async ({ keys, reports }) => {
      const [{ imprint } = { imprint: "" }] = reports;
      const statusOf = async (key: string) => (await readReport(service.url, key, imprint)).status;
      expect(await Promise.all(keys.accepted.map(statusOf))).toEqual(keys.accepted.map(() => 200));
      expect(await Promise.all(keys.refused.map(statusOf))).toEqual(keys.refused.map(() => 401));
    },
  );

  test.each(workspaces)(
    "counts the units and calls of the $plan workspace as before",
    async ({ workspaceId, usage }) => {
      const { from, to } = usage.range;
      const range = ["--workspace", workspaceId, "--from", from, "--to", to];
      const answer: Record<string, unknown> = await service.admin("usage", ...range);
      const total = answer["total"] as Record<string, number>; // safe: compared with what the release answered
      expect(total["units"]).toBe(usage.total["units"]);
      expect(total["delivered"]).toBe(usage.total["delivered"]);
    },
  );

  /** A visit of a browser that already visited before the upgrade. */
  async function visitAgain(site: { environmentId: string; origin: string }, { token, drawn }: Returning) {
    const headers = {
      origin: site.origin,
      "user-agent": drawn.userAgent,
      "accept-language": drawn.acceptLanguage,
      "x-forwarded-for": drawn.address,
    };
    const send = async (path: string, body: string) => {
      const response = await fetch(service.url + path, { method: "POST", headers, body });
      return (await response.json()) as { challenge: string; imprint: string };
    };
    const { environmentId: environment_id } = site;
    const { challenge } = await send("/api/v1/imprints/challenge", JSON.stringify({ environment_id, token }));
    const timings = timingsFor(drawn.signals);
    const body = { v: 1, environment_id, challenge, token, signals: drawn.signals, timings };
    return await send("/api/v1/imprints", composeExactly(body));
  }

  test.each(workspaces)("recognises every returning token of the $plan workspace as its device", async (workspace) => {
    const [key = ""] = workspace.keys.accepted;
    const check = async (returning: Returning) => {
      const { imprint } = await visitAgain(workspace, returning);
      const { device } = JSON.parse(await readText(reportPath(imprint), { "x-api-key": key })) as {
        device: { id: string; seen_before: boolean; access_count: number };
      };
      const { deviceId: id, accessCount } = returning;
      const isSame = device.id === id && device.seen_before && device.access_count === accessCount + 1;
      return isSame ? undefined : `${id}: ${JSON.stringify(device)}`;
    };
    expect(await faultsOf(workspace.returning, check)).toEqual([]);
  });

  test("keeps people signed in, with the permissions of their role", async () => {
    for (const { cookie, email } of expected.sessions) {
      const [{ workspaceId }] = workspaces.slice(-1) as [Expected["workspaces"][number]];
      const response = await fetch(`${service.url}/w/${workspaceId}`, { headers: { cookie }, redirect: "manual" });
      expect([email, response.status]).toEqual([email, 200]);
      expect(await response.text()).toContain("Acme enterprise");
    }
    const stranger = await fetch(`${service.url}/w/${client.workspaceId}`, { redirect: "manual" });
    expect(stranger.status).toBeGreaterThanOrEqual(300);
  });

  test("keeps a connected MCP client connected: its token works and can be refreshed", async () => {
    const call = async (token: string) => {
      const response = await fetch(`${service.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "svc_get_usage", arguments: {} },
        }),
      });
      return [response.status, /"isError":\s*true/.test(await response.text())];
    };
    expect(await call(client.accessToken)).toEqual([200, false]);
    const form = { grant_type: "refresh_token", client_id: client.clientId, refresh_token: client.refreshToken };
    const answer = await fetch(`${service.url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
    expect(answer.status).toBe(200);
    expect(await call(((await answer.json()) as { access_token: string }).access_token)).toEqual([200, false]);
  });

  type Status = { status: string; api_key?: string; environment_id?: string };
  const statusPath = (intentId: string) => `/api/v1/agent/trial-intents/${intentId}`;
  const statusOf = async ({ intentId, claimToken }: { intentId: string; claimToken: string }) =>
    JSON.parse(await readText(statusPath(intentId), { authorization: `Bearer ${claimToken}` })) as Status;

  test("continues an open trial: the same Report and device, and the next unit", async () => {
    const { apiKey, imprint, sha256, returning } = trials.active;
    expect(digest(await readText(reportPath(imprint), { "x-api-key": apiKey }))).toBe(sha256);
    const grant = async () =>
      JSON.parse(await readText("/api/v1/agent/trial", { "x-api-key": apiKey })) as { used_report_units: number };
    expect(await grant()).toMatchObject({ status: "active", used_report_units: 1 });
    const [browser] = returning as [Returning];
    const again = await visitAgain(trials.active, browser);
    const report = JSON.parse(await readText(reportPath(again.imprint), { "x-api-key": apiKey })) as {
      device: { id: string };
    };
    expect(report.device.id).toBe(browser.deviceId);
    expect(await grant()).toMatchObject({ status: "active", used_report_units: 2 });
    expect(await statusOf(trials.active)).toMatchObject({
      status: "active",
      trial_id: trials.active.trialId,
      api_key: apiKey,
    });
  });

  test("delivers a trial that was paid but not yet provisioned", async () => {
    await expect.poll(async () => (await statusOf(trials.provisioning)).status, POLLING).toBe("active");
    const { api_key: key = "" } = await statusOf(trials.provisioning);
    expect(JSON.parse(await readText("/api/v1/agent/trial", { "x-api-key": key }))).toMatchObject({ status: "active" });
  });

  test("requests no second payment while a payment is unresolved, and resolves it from the chain alone", async () => {
    const unresolved = [trials.reconciliation_pending, trials.payment_in_progress];
    for (const noted of unresolved) {
      expect((await statusOf(noted)).status).toMatch(/^(payment_in_progress|reconciliation_pending)$/);
      const answer = await fetch(`${service.url}${statusPath(noted.intentId)}/activate`, {
        method: "POST",
        headers: { authorization: `Bearer ${noted.claimToken}` },
      });
      expect(answer.status).toBe(202);
    }
    await sandbox.heal();
    // The test's chain has never seen their authorizations, which have expired, so nothing was paid.
    for (const noted of unresolved)
      await expect.poll(async () => (await statusOf(noted)).status, POLLING).toBe("payment_failed");
  });

  test("keeps ended purchases ended", async () => {
    expect((await statusOf(trials.payment_failed)).status).toBe("payment_failed");
    expect((await statusOf(trials.expired)).status).toBe("expired");
    expect((await statusOf(trials.revoked)).status).toBe("revoked");
    const { status } = await readReport(service.url, trials.revoked.apiKey, trials.active.imprint);
    expect(status).toBe(403);
  });

  test("accepts a payment for an earlier challenge, at the price fixed then", async () => {
    const { intentId, claimToken } = trials.payment_required;
    const activate = (headers: Record<string, string> = {}) =>
      fetch(`${service.url}${statusPath(intentId)}/activate`, {
        method: "POST",
        headers: { authorization: `Bearer ${claimToken}`, ...headers },
      });
    await expect.poll(async () => (await activate()).status, POLLING).toBe(402);
    const challenge = decodePaymentRequiredHeader((await activate()).headers.get("payment-required") ?? "");
    const before = sandbox.income();
    const { header } = await createBuyer(sandbox.createAccount()).sign(challenge);
    expect((await activate({ "payment-signature": header })).status).toBe(200);
    expect((await statusOf(trials.payment_required)).api_key).toMatch(/^svc_trial_/);
    expect(sandbox.income() - before).toBe(BigInt(challenge.accepts[0]?.amount ?? 0));
  });
});

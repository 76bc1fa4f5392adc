import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { freePort } from "@/db/embedded-connection";
import { TOOL_NAMES } from "@/lib/interfaces/mcp/server";
import { createTestDatabase } from "@/test/database";
import { launchForPages } from "@/test/browser";
import { signedInContext, violationsOf } from "./console/console-page";
import { type ConnectedClient, GENERATIONS, type Generation, isUnauthorized } from "./mcp/generations";
import { CALLBACK, MemoryProvider } from "./mcp/memory-provider";
import { openListener } from "./mcp/listener";
import { sendMessage } from "./mcp/raw-message";
import { askAboutAccount } from "./mcp/account-questions";
import { createSite, readReport, type RunningService, type Site, startService, TEST_SECRETS, visit } from "./service";

const { url: databaseUrl } = await createTestDatabase();
/** Time limit for a start on a busy machine, including a browser and a few commands. */
const START_MS = 400_000;
const EMAIL = "ada@example.com";
let service: RunningService;
let browser: Browser;
let person: BrowserContext;
let site: Site;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ databaseUrl, environment: TEST_SECRETS }), launchForPages()]);
  site = await createSite(service);
  await service.admin("member", "add", "--workspace", site.workspaceId, "--email", EMAIL, "--role", "owner");
  person = await signedInContext(browser, service, EMAIL);
}, START_MS);
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** Makes the person's decision in the browser; returns the URL the browser is redirected to. */
async function decide(provider: MemoryProvider, untick: readonly string[] = []): Promise<URL> {
  const url = provider.authorizationUrl;
  if (!url) throw new Error("the client did not ask for an authorization");
  provider.authorizationUrl = undefined;
  const page = await person.newPage();
  try {
    await page.goto(url.href);
    for (const title of untick) await page.getByRole("checkbox", { name: title, exact: true }).uncheck();
    const away = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
    await page.getByRole("button", { name: "Allow" }).click();
    return new URL((await away).url());
  } finally {
    await page.close();
  }
}

/** Connects from scratch: discovery, registration, the person's decision, tokens. */
async function authorize(client: ConnectedClient, provider: MemoryProvider, untick: readonly string[] = []) {
  await expect(client.connect()).rejects.toSatisfy(isUnauthorized);
  await client.finish(await decide(provider, untick));
  await client.connect();
}

async function open(generation: Generation, untick: readonly string[] = [], url = `${service.url}/mcp`) {
  const provider = new MemoryProvider();
  const client = generation.open(url, provider);
  await authorize(client, provider, untick);
  return { client, provider };
}

const isRefused = async (client: ConnectedClient) =>
  client.callTool("svc_get_usage", {}).then(
    () => false,
    () => true,
  );

describe.each(GENERATIONS)("$name", (generation) => {
  test("connects a person's workspace, reads everything the API offers, and refreshes its tokens", async () => {
    const { client, provider } = await open(generation);
    expect(await client.listTools()).toEqual(TOOL_NAMES);
    const imprint = await visit(service.url, site);
    const report = await client.callTool("svc_get_report", { imprint });
    expect(report.content[0]?.text).toBe(await (await readReport(service.url, site.apiKey, imprint)).text());
    expect(report.structuredContent).toMatchObject({
      imprint,
      device: { id: expect.stringMatching(/^dev_/) as string },
    });
    const history = await client.callTool("svc_get_history", { imprint });
    expect(history.structuredContent).toMatchObject({ summary: { events: 1 } });
    await askAboutAccount(client, { url: service.url, apiKey: site.apiKey, imprint });
    const missing = await client.callTool("svc_get_report", { imprint: `imp_${"0".repeat(32)}` });
    expect([missing.isError, missing.structuredContent]).toEqual([true, undefined]);
    const before = provider.saved?.refresh_token;
    provider.breakAccessToken();
    await client.close();
    await client.connect();
    expect(await client.listTools()).toEqual(TOOL_NAMES);
    expect(provider.saved?.refresh_token).not.toBe(before);
    expect(provider.authorizationUrl).toBeUndefined();
    await client.close();
  });
});

const [modern, , old] = GENERATIONS as [Generation, Generation, Generation];

describe.each(GENERATIONS.filter(({ stepsUp }) => stepsUp))("$name, connected with fewer scopes", (generation) => {
  test("a call of History requests exactly the missing scope, and works once the person has granted it", async () => {
    const { client, provider } = await open(generation, [
      "Read History",
      "Read usage",
      "Read Reports with Account Map",
    ]);
    expect(provider.saved?.scope).toBe("svc.report.lite");
    const imprint = await visit(service.url, site);
    const raw = await sendMessage(service.url, {
      token: provider.saved?.access_token ?? "",
      method: "tools/call",
      params: { name: "svc_get_history", arguments: { imprint } },
    });
    expect(raw.status).toBe(403);
    expect(raw.headers.get("www-authenticate")).toMatch(/scope="svc\.history\.read"/);
    await expect(client.callTool("svc_get_history", { imprint })).rejects.toSatisfy(isUnauthorized);
    const asked = provider.authorizationUrl?.searchParams.get("scope")?.split(" ") ?? [];
    expect(asked).toContain("svc.history.read");
    expect(asked).not.toContain("svc.usage.read");
    await client.finish(await decide(provider));
    expect((await client.callTool("svc_get_history", { imprint })).structuredContent).toMatchObject({ imprint });
    await client.close();
  });
});

test("several processes of one client refresh concurrently, and all keep working", async () => {
  const { client, provider } = await open(old);
  provider.breakAccessToken();
  const processes = Array.from({ length: 5 }, () => {
    const copy = new MemoryProvider();
    const client_ = provider.clientInformation();
    if (client_) copy.saveClientInformation(client_);
    copy.saved = provider.saved;
    return old.open(`${service.url}/mcp`, copy);
  });
  await Promise.all(processes.map((each) => each.connect()));
  for (const each of processes) {
    expect(await each.listTools()).toEqual(TOOL_NAMES);
    await each.close();
  }
  await client.close();
});

test("the page for connecting clients waits for a tool call, and a revoked client is refused on its next call", async () => {
  const { client } = await open(modern);
  expect(await client.listTools()).toEqual(TOOL_NAMES);
  const waiting = await person.newPage();
  await waiting.bringToFront();
  await waiting.goto(`${service.url}/w/${site.workspaceId}/connect`);
  const state = waiting.getByRole("status").filter({ hasText: /Waiting for|has called/ });
  await state.getByText("Waiting for the first tool call").waitFor();
  expect(await isRefused(client)).toBe(false);
  await state.getByText("Official client has called").waitFor({ timeout: 30_000 });
  await state.getByText("svc_get_usage answered").waitFor();
  await waiting.close();
  const page = await person.newPage();
  const missing = `imp_${"0".repeat(32)}`;
  await client.callTool("svc_get_report", { imprint: missing });
  const calls = `${service.url}/w/${site.workspaceId}/clients/calls`;
  const refused = page.getByRole("row", { name: /svc_get_report.*No such Report.*Official client.*ada@example.com/ });
  const countRefused = async () => {
    await page.goto(`${calls}?imprint=${missing}&outcome=report_not_found`);
    return await refused.count();
  };
  await expect.poll(countRefused, { timeout: 30_000, interval: 500 }).toBeGreaterThan(0);
  expect(await page.getByRole("row", { name: /svc_get_usage/ }).count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await page.goto(`${calls}?tool=svc_none`);
  await page.getByText("No call matches").waitFor();
  await page.goto(`${service.url}/w/${site.workspaceId}/clients`);
  await page
    .getByRole("button", { name: `Revoke Official client of ${EMAIL}` })
    .first()
    .click();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Access ended").waitFor();
  expect(await isRefused(client)).toBe(true);
  await page.close();
});

const ConnectionList = z.object({
  clients: z.array(
    z.object({
      connection_id: z.string(),
      client: z.string(),
      answers_at: z.string(),
      last_used_at: z.string(),
    }),
  ),
});

test("a client revoked by an operator is refused on its next call", { timeout: START_MS }, async () => {
  const { client } = await open(modern);
  expect(await isRefused(client)).toBe(false);
  const listed = await service.admin("client", "list", "--workspace", site.workspaceId);
  const [connection] = ConnectionList.parse(listed).clients;
  expect(connection).toMatchObject({ client: "Official client", answers_at: "localhost:9" });
  expect(connection?.last_used_at).toBeTruthy();
  const id = connection?.connection_id ?? "";
  await service.admin("client", "revoke", "--workspace", site.workspaceId, "--connection", id);
  expect(await isRefused(client)).toBe(true);
  await service.admin("client", "revoke", "--workspace", site.workspaceId, "--all");
  const after = await service.admin("client", "list", "--workspace", site.workspaceId);
  expect(after["clients"]).toEqual([]);
});

test("the metadata has the configured base URL, whatever forwarding headers a client sends", async () => {
  const forged = {
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "https",
    Forwarded: "host=evil.example;proto=https",
  };
  for (const path of [
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
  ]) {
    const plain = await fetch(service.url + path);
    const text = await plain.text();
    expect(plain.headers.get("access-control-allow-origin"), path).toBe("*");
    expect(await (await fetch(service.url + path, { headers: forged })).text(), path).toBe(text);
    expect(text, path).toContain(service.url);
    const preflight = await fetch(service.url + path, { method: "OPTIONS", headers: { Origin: "https://a.example" } });
    expect(preflight.status, path).toBe(204);
  }
  const challenge = await fetch(`${service.url}/mcp`, { method: "POST", headers: forged });
  expect(challenge.headers.get("www-authenticate")).toContain(`${service.url}/.well-known/`);
  const server = (await (await fetch(`${service.url}/.well-known/oauth-authorization-server`)).json()) as object;
  expect(server).toMatchObject({
    issuer: service.url,
    registration_endpoint: `${service.url}/oauth/register`,
    revocation_endpoint: `${service.url}/oauth/revoke`,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
});

test(
  "two replicas act as one: a client of the first is served, refreshed and refused by the second, and listeners do not delay its stop",
  { timeout: START_MS },
  async () => {
    const port = await freePort();
    const environment = { ...TEST_SECRETS, PORT: String(port), BASE_URL: service.url };
    const second = await startService({ databaseUrl, environment });
    try {
      const { client, provider } = await open(modern);
      const ask = (body: Record<string, string>) =>
        fetch(`http://localhost:${port}/oauth/token`, { method: "POST", body: new URLSearchParams(body) });
      const clientId = provider.clientInformation()?.client_id ?? "";
      const answers = await Promise.all(
        [service.url, `http://localhost:${port}`, service.url, `http://localhost:${port}`].map((url) =>
          fetch(`${url}/oauth/token`, {
            method: "POST",
            body: new URLSearchParams({
              grant_type: "refresh_token",
              client_id: clientId,
              refresh_token: provider.saved?.refresh_token ?? "",
            }),
          }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const list = (url: string) =>
        sendMessage(url, { token: provider.saved?.access_token ?? "", method: "tools/list" });
      expect((await list(`http://localhost:${port}`)).status).toBe(200);
      const listener = await openListener(`http://localhost:${port}`, provider.saved?.access_token ?? "");
      const revoked = await fetch(`http://localhost:${port}/oauth/revoke`, {
        method: "POST",
        body: new URLSearchParams({ client_id: clientId, token: provider.saved?.refresh_token ?? "" }),
      });
      expect(revoked.status).toBe(200);
      expect((await list(service.url)).status).toBe(401);
      expect((await ask({ grant_type: "refresh_token", client_id: clientId, refresh_token: "x" })).status).toBe(400);
      await client.close();
      const startedAt = performance.now();
      await second.stop();
      // The limit for requests in flight is three times as long.
      expect(performance.now() - startedAt).toBeLessThan(8_000);
      expect(await listener.hasEnded()).toBe(true);
    } finally {
      await second.stop();
    }
  },
);

test("a person removed from the workspace loses every client on its next call", { timeout: START_MS }, async () => {
  const { client } = await open(modern);
  await service.admin(
    "member",
    "add",
    "--workspace",
    site.workspaceId,
    "--email",
    "eve@example.com",
    "--role",
    "owner",
  );
  await service.admin("member", "remove", "--workspace", site.workspaceId, "--email", EMAIL);
  expect(await isRefused(client)).toBe(true);
});

import { createHash, randomBytes } from "node:crypto";

import { sql } from "drizzle-orm";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { launchForPages } from "@/test/browser";
import { expectReflow, recordFaults, signedInContext, THEMES, violationsOf } from "./console/console-page";
import { createSite, type RunningService, type Site, startService, TEST_SECRETS } from "./service";

const { url: databaseUrl, db } = await createTestDatabase();
/** Time limit for a start on a busy machine, including a browser and a few commands. */
const START_MS = 400_000;
const EMAIL = "ada@example.com";
const CALLBACK = "http://localhost:9/callback";
let service: RunningService;
let browser: Browser;
let site: Site;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ databaseUrl, environment: TEST_SECRETS }), launchForPages()]);
  site = await createSite(service);
  await service.admin("member", "add", "--workspace", site.workspaceId, "--email", EMAIL, "--role", "owner");
}, START_MS);
afterAll(async () => {
  await Promise.all([browser.close(), service.stop()]);
});

async function register(fields: Record<string, unknown> = {}): Promise<string> {
  const response = await fetch(`${service.url}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: "Ledger agent", redirect_uris: [CALLBACK], ...fields }),
  });
  return ((await response.json()) as { client_id: string }).client_id;
}

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

function authorizationUrl(clientId: string, scope: string, verifier = randomBytes(32).toString("base64url")): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: challengeOf(verifier),
    code_challenge_method: "S256",
    resource: `${service.url}/mcp`,
    scope,
    state: "s1",
  });
  return `${service.url}/oauth/authorize?${query.toString()}`;
}

const ALL = "svc.report.lite svc.report.pro svc.history.read svc.usage.read";

/** Presses a button of the consent page; returns the URL outside the service that the browser is redirected to. */
async function press(page: Page, name: string): Promise<URL> {
  const away = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
  await page.getByRole("button", { name }).click();
  return new URL((await away).url());
}

const withPage = async (context: BrowserContext, work: (page: Page) => Promise<void>) => {
  try {
    await work(await context.newPage());
  } finally {
    await context.close();
  }
};

test.each(THEMES)("in the %s theme the page shows who requests what, is accessible and fits 320 px", async (theme) => {
  const clientId = await register();
  await withPage(await signedInContext(browser, service, EMAIL, theme), async (page) => {
    const faults = recordFaults(page, service.url);
    await page.goto(authorizationUrl(clientId, ALL));
    await page.getByRole("heading", { level: 1, name: "Ledger agent asks for access" }).waitFor();
    await page.getByText("Unverified").waitFor();
    await page.getByText("localhost:9", { exact: true }).waitFor();
    await page.getByText("A program on your own machine").waitFor();
    await page.getByText(EMAIL).waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(4);
    expect(await violationsOf(page)).toEqual([]);
    await expectReflow(page, "consent");
    expect(faults).toEqual([]);
  });
});

test("without scripts and by keyboard alone, a person can deselect a scope and grant the rest", async () => {
  const clientId = await register();
  const signedIn = await signedInContext(browser, service, EMAIL);
  const context = await browser.newContext({ javaScriptEnabled: false, storageState: await signedIn.storageState() });
  await signedIn.close();
  const verifier = randomBytes(32).toString("base64url");
  await withPage(context, async (page) => {
    await page.goto(authorizationUrl(clientId, ALL, verifier));
    await page.getByRole("checkbox", { name: "Read usage" }).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    const away = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
    await page.keyboard.press("Enter");
    const callback = new URL((await away).url());
    const answer = await fetch(`${service.url}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: clientId,
        code: callback.searchParams.get("code") ?? "",
        code_verifier: verifier,
        redirect_uri: CALLBACK,
      }),
    });
    expect(await answer.json()).toMatchObject({ scope: "svc.report.lite svc.report.pro svc.history.read" });
  });
});

test("refusing redirects to the client, and the request cannot be decided again", async () => {
  const clientId = await register();
  await withPage(await signedInContext(browser, service, EMAIL), async (page) => {
    await page.goto(authorizationUrl(clientId, ALL));
    await page.getByRole("button", { name: "Allow" }).waitFor();
    const address = page.url();
    const callback = await press(page, "Refuse");
    expect(Object.fromEntries(callback.searchParams)).toMatchObject({
      error: "access_denied",
      iss: service.url,
      state: "s1",
    });
    const later = await page.context().newPage();
    await later.goto(address);
    await later.getByRole("heading", { name: "This request has expired" }).waitFor();
    expect(await violationsOf(later)).toEqual([]);
  });
});

test("granting nothing shows an explanation and keeps the form", async () => {
  const clientId = await register();
  await withPage(await signedInContext(browser, service, EMAIL), async (page) => {
    await page.goto(authorizationUrl(clientId, "svc.usage.read"));
    await page.getByRole("checkbox").uncheck();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("alert").getByText("Choose at least one permission").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect((await press(page, "Allow")).searchParams.get("code")).toBeTruthy();
  });
});

test("for each of a person's workspaces, only scopes allowed by its plan and role are offered", async () => {
  const email = "grace@example.com";
  const lite = await service.admin("workspace", "create", "--name", "Small", "--plan", "lite");
  const liteId = lite["workspace_id"] ?? "";
  await service.admin("member", "add", "--workspace", site.workspaceId, "--email", email, "--role", "analyst");
  await service.admin("member", "add", "--workspace", liteId, "--email", email, "--role", "owner");
  const clientId = await register();
  await withPage(await signedInContext(browser, service, email), async (page) => {
    await page.goto(authorizationUrl(clientId, ALL));
    const offered = async (workspace: string) => {
      await page.getByRole("link", { name: workspace }).click();
      await page.locator(`a[aria-current]`, { hasText: workspace }).waitFor();
      return page
        .locator("input[type=checkbox]:enabled")
        .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    };
    expect(await offered("Acme")).toEqual(ALL.split(" "));
    await page.getByText("only if you may see them").first().waitFor();
    expect(await offered("Small")).toEqual(["svc.report.lite", "svc.usage.read"]);
    await page.getByText("The plan of this workspace has no History").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect((await press(page, "Allow")).searchParams.get("code")).toBeTruthy();
  });
});

test("a signed-out person signs in and returns to the same request", async () => {
  const clientId = await register();
  await withPage(await browser.newContext(), async (page) => {
    await page.goto(authorizationUrl(clientId, ALL));
    await page.waitForURL(/\/sign-in\?next=/);
    await page.getByLabel("E-mail address").fill(EMAIL);
    await page.getByRole("button", { name: "Send a sign-in link" }).click();
    await expect.poll(() => service.output()).toContain(`Sign-in link for ${EMAIL}`);
    const link = /Sign-in link for ada@example\.com.*\n(\S+)/.exec(service.output())?.[1] ?? "";
    await page.goto(link);
    await page.getByRole("button", { name: `Sign in as ${EMAIL}` }).click();
    await page.getByRole("heading", { name: "Ledger agent asks for access" }).waitFor();
    expect((await press(page, "Allow")).searchParams.get("code")).toBeTruthy();
  });
});

test("a deceptive client name is shown as text, and the page shows where the answer goes", async () => {
  const clientId = await register({
    client_name: `<img src=x onerror=alert(1)>\u202E Imprint Console`,
    redirect_uris: ["com.evil.agent://steal/cb", CALLBACK],
  });
  await withPage(await signedInContext(browser, service, EMAIL), async (page) => {
    const faults = recordFaults(page, service.url);
    await page.goto(
      authorizationUrl(clientId, ALL).replace(
        encodeURIComponent(CALLBACK),
        encodeURIComponent("com.evil.agent://steal/cb"),
      ),
    );
    await page.getByText("com.evil.agent://steal").waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).not.toContain("\u202E");
    expect(faults).toEqual([]);
  });
});

test("a window that a client opened keeps its opener until the end", async () => {
  const response = await fetch(`${service.url}/oauth/consent/none`, { redirect: "manual" });
  expect(response.headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
  expect(response.headers.get("content-security-policy")).not.toContain("form-action");
  expect(response.headers.get("x-frame-options")).toBe("DENY");
});

test("an operator approves redirect targets and switches MCP off and on, and every page about clients reflects it", async () => {
  await db.execute(sql`update users set is_operator = true where email = ${EMAIL}`);
  await withPage(await signedInContext(browser, service, EMAIL), async (page) => {
    const waiting = authorizationUrl(await register(), ALL);
    const instance = `${service.url}/w/${site.workspaceId}/settings/instance`;
    const panel = page.locator("#mcp");
    const dialog = page.getByRole("dialog");
    const answerOfMcp = async () => (await fetch(`${service.url}/mcp`, { method: "POST" })).status;
    const allow = async (rules: string, shown: string) => {
      await page.goto(instance);
      await panel.getByRole("button", { name: "Change" }).click();
      await dialog.getByRole("textbox", { name: "Approved addresses" }).fill(rules);
      await dialog.getByRole("button", { name: "Save" }).click();
      await panel.getByText(shown).waitFor();
    };
    const turn = async (name: string, status: number) => {
      await page.goto(instance);
      await panel.getByRole("button", { name }).click();
      expect(await violationsOf(page)).toEqual([]);
      await dialog.getByRole("button", { name, exact: true }).click();
      await expect.poll(answerOfMcp, { timeout: 30_000 }).toBe(status);
    };
    await allow("Claude.ai", "claude.ai");
    // The process's other module graph reads the rules within a second.
    const reload = async () => {
      await page.goto(waiting);
      return await page.getByRole("heading", { name: "This client cannot be connected" }).count();
    };
    await expect.poll(reload, { timeout: 30_000, interval: 500 }).toBe(1);
    await page.getByText(`${CALLBACK} is not one`).waitFor();
    await allow("", "wherever a client registers");
    await turn("Switch off", 403);
    for (const path of ["/connect", "/clients"]) {
      await page.goto(`${service.url}/w/${site.workspaceId}${path}`);
      await page.getByRole("status").filter({ hasText: "The MCP server is off" }).waitFor();
    }
    expect((await fetch(`${service.url}/.well-known/oauth-protected-resource/mcp`)).status).toBe(403);
    await turn("Switch on", 401);
  });
});

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { launchForPages } from "@/test/browser";
import { buyTrial, sandboxPorts, startPurchase } from "@/test/trials";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import {
  expectBudget,
  expectReflow,
  recordFaults,
  settle,
  signedInContext,
  THEMES,
  violationsOf,
} from "./console/console-page";
import { PAGES_OF_ADMINS, pathBelow } from "./console/console-pages";
import { readReport, type RunningService, type Site, startService, TEST_SECRETS, untilOnSale, visit } from "./service";

const OWNER = "owner@example.com";
const OTHER = "other@example.com";
/** Wider than any column. */
const LONG_ORIGIN = `https://${"agents-".repeat(8)}a.${"b".repeat(60)}.example`;
/** Maximum number of user actions from the set-up link to the first Report. */
const MAX_ACTIONS = 12;

const { url: databaseUrl, db } = await createTestDatabase();
const sandbox = await startSandbox();
const ports = sandboxPorts(sandbox);
let service: RunningService;
let browser: Browser;
const websites: Server[] = [];

beforeAll(async () => {
  const environment = { ...TEST_SECRETS, ...sandbox.variables, X402_SETTLE_TIMEOUT_S: "2" };
  [service, browser] = await Promise.all([startService({ databaseUrl, environment }), launchForPages()]);
});
afterEach(() => sandbox.heal());
afterAll(async () => {
  for (const website of websites) website.close();
  await Promise.all([browser.close(), service.stop()]);
  await sandbox.close();
});

/** A site on another origin that runs the component. */
async function openWebsite(environmentId: string): Promise<string> {
  const html = `<!doctype html><script src="${service.url}/v1/imprint.js"></script><script type="module">
    Imprint.createImprint({ environmentId: "${environmentId}" }).run()
      .then(({ imprint }) => { document.title = imprint; }, (error) => { document.title = error.code; });</script>`;
  const server = createServer((_request, answer) => answer.setHeader("Content-Type", "text/html").end(html));
  websites.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

type FirstRun = { home: string; site: Site; actions: number };

/** The path of a new admin, as the pages guide it; every user action is counted. */
async function runFirst(context: BrowserContext): Promise<FirstRun> {
  const [page, visitor] = [await context.newPage(), await context.newPage()];
  const faults = recordFaults(page, service.url);
  let actions = 0;
  const act = async (step: Promise<unknown>) => {
    actions += 1;
    await step;
  };
  await page.bringToFront();
  await act(page.goto(/http:\/\/\S+\/setup\?token=\S+/.exec(service.output())?.[0] ?? ""));
  await expectBudget(page, "/setup");
  await act(page.getByLabel("Your e-mail address").fill(OWNER));
  await act(page.getByLabel("Workspace").fill("Acme"));
  await act(page.getByLabel("First Web App").fill("Shop"));
  await act(page.getByRole("textbox", { name: "Allowed origins" }).fill("https://shop.example"));
  await act(page.getByRole("button", { name: "Set up" }).click());
  const apiKey = (await page.getByLabel("Secret key").textContent()) ?? "";
  const environmentId = (await page.getByText(/^env_[0-9a-f]{32}$/).textContent()) ?? "";
  await page.getByText("https://shop.example").waitFor();
  await act(page.getByText("I have stored the key").click());
  await act(page.getByRole("button", { name: "To the Console" }).click());
  await page.getByText("Waiting for the first visit").waitFor();
  const home = page.url();
  const website = await openWebsite(environmentId);
  await act(visitor.goto(website));
  await expect.poll(() => visitor.title(), { timeout: 20_000 }).toBe("origin_not_allowed");
  await page.bringToFront();
  await page.getByText("This origin is not on the list").waitFor({ timeout: 20_000 });
  expect(await violationsOf(page)).toEqual([]);
  await act(page.getByRole("button", { name: "Allow this origin" }).click());
  await page.getByText("is allowed now. Load your page again.").waitFor();
  // The page must refresh before the visit, after which it shows the Overview.
  await page.locator("code", { hasText: "https://shop.example" }).filter({ hasText: website }).waitFor();
  await act(visitor.reload());
  await expect.poll(() => visitor.title(), { timeout: 20_000 }).toMatch(/^imp_[0-9a-f]{32}$/);
  await page.bringToFront();
  await act(page.getByRole("link", { name: "Open the Report" }).click({ timeout: 20_000 }));
  await page.getByRole("heading", { name: "Findings" }).waitFor();
  expect(faults).toEqual([]);
  const workspaceId = new URL(home).pathname.split("/")[2] ?? "";
  const listed = await service.admin("web-app", "list", "--workspace", workspaceId);
  const webAppId = /app_[0-9a-f]{32}/.exec(JSON.stringify(listed))?.[0] ?? "";
  return { home, site: { workspaceId, webAppId, environmentId, apiKey, origin: "https://shop.example" }, actions };
}

let started: Promise<FirstRun> | undefined;
/** The instance can be set up only once: the first test to need it does it. */
const firstRun = (): Promise<FirstRun> =>
  (started ??= browser.newContext().then(async (context) => {
    const made = await runFirst(context);
    await context.close();
    return made;
  }));

async function asOwner(use: (page: Page, made: FirstRun) => Promise<void>, theme?: (typeof THEMES)[number]) {
  const made = await firstRun();
  const context = await signedInContext(browser, service, OWNER, theme);
  await use(await context.newPage(), made);
  await context.close();
}

test("a new admin gets from the set-up link to the first Report, including a refused origin, in twelve actions", async () => {
  expect((await firstRun()).actions).toBeLessThanOrEqual(MAX_ACTIONS);
});

/** Copies the secret that a dialog shows, and closes the dialog. */
async function storeSecret(page: Page): Promise<string> {
  const secret = (await page.getByLabel("Secret key").textContent()) ?? "";
  await page.getByText("I have stored the key").click();
  await page.getByRole("button", { name: "Close" }).click();
  return secret;
}

test("a key's secret stays visible after Escape, an outside click and a list refresh; a rotation overlaps until it is ended, and the key's page shows its callers", async () => {
  await asOwner(async (page, { home, site }) => {
    const statusOf = async (key: string) => (await readReport(service.url, key, `imp_${"0".repeat(32)}`)).status;
    await page.goto(`${home}/keys`);
    await settle(page);
    await page.getByRole("button", { name: "New key" }).click();
    const name = page.getByRole("textbox", { name: "Name" });
    expect(await name.evaluate((element) => element === document.activeElement)).toBe(true);
    await name.fill("server-prod");
    await page.getByRole("combobox", { name: "Expires" }).selectOption("30 days");
    await page.getByRole("button", { name: "Create key" }).click();
    const shown = await page.getByLabel("Secret key").textContent();
    await page.keyboard.press("Escape");
    await page.mouse.click(4, 4);
    await service.admin("key", "create", "--workspace", site.workspaceId, "--name", "made-meanwhile");
    expect(await page.getByLabel("Secret key").textContent()).toBe(shown);
    const old = await storeSecret(page);
    await page.getByRole("row", { name: /made-meanwhile/ }).waitFor();
    expect(await page.content()).not.toContain(old);
    expect(await page.getByRole("row", { name: /server-prod/ }).innerText()).toMatch(/in (29|30) days/);

    await page.getByRole("button", { name: "Actions for server-prod" }).click();
    await page.getByRole("menuitem", { name: "Rotate" }).click();
    await page.getByText("I can deploy the new secret").click();
    await page.getByRole("button", { name: "Rotate key" }).click();
    await page.getByLabel("Secret key").waitFor();
    const fresh = await storeSecret(page);
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([404, 404]);
    const actions = page.getByRole("row", { name: /server-prod.*two secrets/ }).getByRole("button");
    await actions.click();
    await page.getByRole("menuitem", { name: "Extend the overlap" }).click();
    await page.getByText("7 days").click();
    await page.getByRole("button", { name: "Extend" }).click();
    await page.getByText("The former secret is accepted for longer").waitFor();
    await page.getByRole("row", { name: /until in [67] days/ }).waitFor();
    await actions.click();
    await page.getByRole("menuitem", { name: /^End the overlap/ }).click();
    await page.getByText(/It answered no call since \d\d:00 UTC/).waitFor();
    await page.getByRole("button", { name: "End overlap" }).click();
    await page.getByText("The former secret is revoked").waitFor();
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([401, 404]);
    await page
      .getByRole("row", { name: /revoked/ })
      .getByRole("link")
      .click();
    await page.getByRole("heading", { name: "Calls with this key" }).waitFor();
    const uses = page.getByRole("region", { name: "Calls with this key" }).last();
    await uses.getByRole("cell", { name: "auth_failed" }).waitFor({ timeout: 20_000 });
    await uses.getByRole("cell", { name: "report_not_found" }).waitFor();
    expect(await uses.getByText(/127\.0\.0\.1|::1/).count()).toBe(2);
  });
});

test("Usage distinguishes units from refused calls, by Web App and key, and as CSV", async () => {
  await asOwner(async (page, { home, site }) => {
    const imprint = await visit(service.url, site);
    for (let count = 0; count < 2; count += 1)
      expect((await readReport(service.url, site.apiKey, imprint)).status).toBe(200);
    await expect
      .poll(async () => (await page.request.get(`${home}/usage/export`)).text(), { timeout: 20_000 })
      .toMatch(/^\uFEFFday,units,calls,delivered,reread,.*\r\n(.*\r\n)*\d{4}-\d\d-\d\d,1,\d+,1,1,/);
    await page.goto(`${home}/usage`);
    await page.getByText("of 500,000").waitFor();
    await page.getByRole("region", { name: "Refused and failed" }).getByText("Origin not allowed").waitFor();
    const byKey = page.getByRole("region", { name: "By key" }).last();
    await byKey
      .getByText(/^svc_live_\S+…\S{4}$/)
      .first()
      .waitFor();
    await byKey.getByRole("link", { name: "Shop server", exact: true }).click();
    await page.waitForURL(/key=key_/);
    await page.getByRole("link", { name: /Show all again/ }).click();
    await page.waitForURL(/\/usage\?month=/);
    const other = await page.request.get(`${service.url}/w/ws_${"0".repeat(32)}/usage/export`);
    expect(other.status()).toBe(404);
  });
  expect((await fetch(`${(await firstRun()).home}/usage/export`)).status).toBe(401);
});

test("the operator sees unresolved payments, checks the chain again, records a refund, revokes, and takes the product off sale", async () => {
  await untilOnSale(service);
  const { intentId } = await buyTrial(db, sandbox, ports);
  const stuck = await startPurchase(db, sandbox, ports);
  const signature = await stuck.sign();
  sandbox.inject("unmined");
  expect((await stuck.activate(signature)).status).toBe(202);
  sandbox.inject("reconcile_unavailable");
  // Paid in time, however long the pages take; it just is not visible on the chain yet.
  await sandbox.chain.setMining(true);
  await asOwner(async (page, { home }) => {
    await page.goto(`${home}/trials`);
    await settle(page);
    const queue = page.getByRole("region", { name: /^Payments without an outcome \(1\)/ });
    await queue.getByRole("button", { name: `Re-check ${stuck.intentId}` }).click();
    await page.getByText("Checked on the chain").waitFor({ timeout: 30_000 });
    expect(await violationsOf(page)).toEqual([]);
    await sandbox.heal();
    const recheck = page.getByRole("button", { name: "Re-check now" });
    await expect
      .poll(
        async () => {
          await page.goto(`${home}/trials/${stuck.intentId}`);
          await settle(page);
          if (await recheck.isVisible()) await recheck.click();
          return await page.getByText("Environment and key made").count();
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe(1);
    await page.getByText("Payment settled").waitFor();

    await page.goto(`${home}/trials?search=${intentId}`);
    await page.getByRole("region", { name: "Purchases" }).last().getByRole("link").first().click();
    await page.getByRole("heading", { name: "Refund", exact: true }).waitFor();
    await settle(page);
    await page.getByRole("button", { name: "Record a refund" }).click();
    await page.getByRole("textbox", { name: "Your transaction" }).fill("0x12");
    await page.getByRole("button", { name: "Record the refund" }).click();
    await page.getByRole("alert").getByText("64 hex digits").waitFor();
    await page.getByRole("textbox", { name: "Your transaction" }).fill(`0x${"ab".repeat(32)}`);
    await page.getByRole("button", { name: "Record the refund" }).click();
    await page.getByText("Refunded with").waitFor();
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("textbox", { name: "Reason" }).fill("asked for it");
    await page.getByRole("button", { name: "Revoke for good" }).click();
    await page.getByText("Revoked by the operator").waitFor();
    await page.getByText("asked for it").waitFor();
    expect(await page.content()).not.toMatch(/svc_trial_[0-9A-Za-z]{38}/);

    await page.goto(`${home}/trials`);
    await settle(page);
    await page.getByText("Nothing is waiting").waitFor();
    await page.getByRole("button", { name: "Take off sale" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take off sale" }).click();
    await page.getByText("An operator took the product off sale").waitFor();
    const catalog = await (await fetch(`${service.url}/api/v1/agent/products`)).text();
    expect(catalog).toContain('"available":false');
    await page.getByRole("button", { name: "Put on sale" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put on sale" }).click();
    await page.getByRole("button", { name: "Take off sale" }).waitFor();
    await expect
      .poll(
        async () => {
          await page.goto(`${home}/trials`);
          return await page.getByText("on sale", { exact: true }).count();
        },
        { timeout: 30_000, interval: 500 },
      )
      .toBe(1);
    expect(await (await page.request.get(`${home}/trials/totals`)).text()).toMatch(
      /\r\n\d{4}-\d\d-\d\d,\d+,[1-9]\d*,0,1\r\n$/,
    );
  });
});

test("Agent Trials are not accessible to owners who are not operators, even with direct requests", async () => {
  const { home, site } = await firstRun();
  await service.admin("member", "add", "--workspace", site.workspaceId, "--email", OTHER, "--role", "owner");
  const context = await signedInContext(browser, service, OTHER);
  const page = await context.newPage();
  await page.goto(`${home}/trials`);
  await page.getByText("Only an operator of this instance may do that").waitFor();
  expect(await page.getByRole("link", { name: "Agent Trials" }).count()).toBe(0);
  for (const path of ["queue", "totals"])
    expect((await page.request.get(`${home}/trials/${path}`)).status(), path).toBe(403);
  await context.close();
});

describe.each(THEMES)("in the %s theme", (theme) => {
  test("admin pages are accessible, fit 320 px, make no third-party requests and stay within their budget", async () => {
    await asOwner(async (page, { home }) => {
      const faults = recordFaults(page, service.url);
      const { intentId } = await startPurchase(db, sandbox, ports, { origin: LONG_ORIGIN });
      await page.goto(`${home}/keys`);
      const key = (await page.locator("[data-row-link]").first().getAttribute("href")) ?? "";
      const keyId = key.split("/").at(-1) ?? "";
      const pages = PAGES_OF_ADMINS.map((id) => pathBelow(id, { intentId, keyId }));
      for (const path of [...pages, "/usage?month=2026-01", "/trials?search=nothing"]) {
        const address = home + path;
        await page.setViewportSize({ width: 1360, height: 900 });
        await page.goto(address);
        await settle(page);
        expect(await violationsOf(page), address).toEqual([]);
        expect(await page.getByRole("heading", { level: 1 }).count(), address).toBe(1);
        await expectBudget(page, address);
        await expectReflow(page, address);
      }
      expect(faults).toEqual([]);
    }, theme);
  });
});

import { sql } from "drizzle-orm";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { launchForPages } from "@/test/browser";
import { newQuietContext, recordFaults, settle, signIn, violationsOf } from "./console/console-page";
import { type RunningService, startService, TEST_SECRETS } from "./service";

const OWNER = "owner@example.com";
const { db, url: databaseUrl } = await createTestDatabase();
let service: RunningService;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ databaseUrl, environment: TEST_SECRETS }), launchForPages()]);
});
afterAll(async () => {
  await Promise.all([browser.close(), service.stop()]);
});
beforeEach(async () => {
  context = await newQuietContext(browser);
  page = await context.newPage();
});
afterEach(() => context.close());

const setupLink = () => /http:\/\/\S+\/setup\?token=\S+/.exec(service.output())?.[0] ?? "";

test("a wrong set-up link explains that it cannot be used and what to do", async () => {
  await page.goto(`${service.url}/setup?token=wrong`);
  await page.getByRole("heading", { name: "This set-up link cannot be used" }).waitFor();
  await page.getByText("restart the server").waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

test("the set-up explains refused origins before and after sending, shows the key once, and works once", async () => {
  const faults = recordFaults(page, service.url);
  await page.goto(setupLink());
  await page.getByLabel("Your e-mail address").fill(OWNER);
  await page.getByLabel("Workspace").fill("Acme");
  await page.getByLabel("First Web App").fill("Shop");
  const origins = page.getByRole("textbox", { name: "Allowed origins" });
  await origins.fill("https://shop.example/login\nhttps://*.shop.example");
  await page.getByText("browsers never send a path").waitFor();
  await page.getByText("Wildcards are not possible").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByRole("alert").getByText("Some entries are not origins").waitFor();
  await origins.fill("https://shop.example/login");
  await page.getByRole("button", { name: "Use https://shop.example" }).click();
  await page.getByRole("button", { name: "Set up" }).click();

  const key = (await page.getByLabel("Secret key").textContent()) ?? "";
  expect(key).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
  await page.getByText(/^env_[0-9a-f]{32}$/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const leave = page.getByRole("button", { name: "To the Console" });
  expect(await leave.isDisabled()).toBe(true);
  await page.getByText("I have stored the key").click();
  await leave.click();
  await page.getByRole("heading", { name: "First Report" }).waitFor();
  expect(faults).toEqual([]);

  await page.goto(setupLink());
  await page.getByRole("heading", { name: "This set-up link cannot be used" }).waitFor();
  expect(await page.content()).not.toContain(key);
});

test("known and unknown email addresses get the same page, and only the known one gets a link", async () => {
  const seen: string[] = [];
  for (const email of [OWNER, "nobody@example.com"]) {
    await page.goto(`${service.url}/sign-in`);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Send a sign-in link" }).click();
    await page.waitForURL(/\/sign-in\/check/);
    seen.push(`${page.url()} ${await page.getByRole("main").innerText()}`);
  }
  expect(seen[0]).toBe(seen[1]);
  await expect.poll(() => service.output()).toContain(`Sign-in link for ${OWNER}`);
  // The service reads the form's redirect with headers that it set itself, so this is neither a proxy nor a forgery.
  expect(await db.execute(sql`select name from instance_notes where name = 'untrusted-forwarding'`)).toHaveLength(0);
  expect(service.output()).not.toContain("nobody@example.com");
});

/** The response of next-auth's own endpoint to a programmatic request for a link. */
async function askByApi(email: string) {
  const csrf = await fetch(`${service.url}/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const cookie = csrf.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const answer = await fetch(`${service.url}/api/auth/signin/email`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookie },
    body: new URLSearchParams({ csrfToken, email, callbackUrl: "/.//evil.example" }),
  });
  const { status, headers } = answer;
  const cookies = headers.getSetCookie().map((line) => line.replace(/csrf-token=[^;]+/, "csrf-token"));
  return { status, location: headers.get("location"), cookies, body: await answer.text() };
}

test("next-auth's own endpoint responds identically to known, unknown and malformed email addresses", async () => {
  const [known, unknown, malformed] = [
    await askByApi(OWNER),
    await askByApi("nobody@example.com"),
    await askByApi("x"),
  ];
  expect([unknown, malformed]).toEqual([known, known]);
  expect(known.status).toBe(302);
  expect(known.cookies.join()).not.toContain("evil");
});

test("if another site makes a browser follow or post somebody else's link, nobody is signed in", async () => {
  const { url = "" } = await service.admin("login-link", "--email", OWNER);
  const { searchParams } = new URL(url);
  const callback = `${service.url}/api/auth/callback/email`;
  const fields = [...searchParams].map(([name, value]) => `<input name="${name}" value="${value}">`).join("");
  // At its loopback address the service is a different site.
  await page.route("http://127.0.0.1:9/*", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<a href="${callback}?${searchParams.toString()}">get</a><form method="post" action="${callback}">${fields}<button>post</button></form>`,
    }),
  );
  const session = async () => (await context.cookies()).filter(({ name }) => name.includes("session-token"));
  await page.goto("http://127.0.0.1:9/attack");
  await page.getByRole("link", { name: "get" }).click();
  await page.getByRole("button", { name: `Sign in as ${OWNER}` }).waitFor();
  expect(await session()).toEqual([]);
  await page.goto("http://127.0.0.1:9/attack");
  await page.getByRole("button", { name: "post" }).click();
  await page.getByText("did not come from a page of this service").waitFor();
  expect(await session()).toEqual([]);
  for (const method of ["GET", "HEAD", "POST"]) {
    const answer = await fetch(`${callback}?${searchParams.toString()}`, { method, redirect: "manual" });
    expect([method, answer.status, answer.headers.getSetCookie()]).toEqual([method, 303, []]);
  }
  await page.goto(url);
  await page.getByRole("button", { name: `Sign in as ${OWNER}` }).click();
  await page.waitForURL(/\/w\/ws_/);
  expect(await session()).toHaveLength(1);
});

test("a double click on the link's button signs in", async () => {
  const { url = "" } = await service.admin("login-link", "--email", OWNER);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(request.url());
  });
  await page.goto(url);
  await settle(page);
  await page.getByRole("button", { name: `Sign in as ${OWNER}` }).dblclick();
  await page.waitForURL(/\/w\/ws_/);
  expect(sent).toEqual([`${service.url}/api/auth/callback/email`]);
});

test("the link's button also works without scripts", async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const { url = "" } = await service.admin("login-link", "--email", OWNER);
  const first = await plain.newPage();
  await first.goto(url);
  await first.getByRole("button", { name: `Sign in as ${OWNER}` }).click();
  await first.waitForURL(/\/w\/ws_/);
  await plain.close();
});

test("an invalid email address is refused with a message, and stays in the field for correction", async () => {
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel("E-mail address").fill("owner");
  await page.getByRole("button", { name: "Send a sign-in link" }).click();
  await page.getByText("Enter an e-mail address such as").waitFor();
  expect(await page.getByLabel("E-mail address").inputValue()).toBe("owner");
});

test("GET and HEAD requests do not consume the link; the button does, once", async () => {
  const { url = "" } = await service.admin("login-link", "--email", OWNER);
  for (const method of ["GET", "HEAD", "GET"]) expect((await fetch(url, { method })).status).toBe(200);
  await page.goto(url);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: `Sign in as ${OWNER}` }).click();
  await page.waitForURL(/\/w\/ws_/);
  const other = await browser.newContext();
  const second = await other.newPage();
  await second.goto(url);
  await second.getByRole("button", { name: `Sign in as ${OWNER}` }).click();
  await second.getByText("That link was already used").waitFor();
  expect(await violationsOf(second)).toEqual([]);
  await other.close();
});

test("a page requested while signed out is shown after signing in, but not a page of another site", async () => {
  await page.goto(`${service.url}/w/ws_${"0".repeat(32)}/keys`);
  expect(new URL(page.url()).searchParams.get("next")).toBe(`/w/ws_${"0".repeat(32)}/keys`);
  await page.goto(`${service.url}/sign-in?next=https://elsewhere.example/`);
  expect(await page.locator("input[name=next]").getAttribute("value")).toBe("/");
  await signIn(page, service, OWNER);
  for (const next of ["/.//evil.example", "/a/..//evil.example", `${service.url}//evil.example`, "\\\\evil.example"]) {
    const there = await page.goto(`${service.url}/sign-in?next=${encodeURIComponent(next)}`);
    expect([next, new URL(there?.url() ?? "").origin]).toEqual([next, service.url]);
  }
});

test("signing out ends the session on the server, not only in the browser", async () => {
  await signIn(page, service, OWNER);
  const home = page.url();
  const cookies = await context.cookies();
  await page.getByRole("button", { name: `Account ${OWNER}` }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  await context.addCookies(cookies);
  await page.goto(home);
  await page.waitForURL(/\/sign-in\?next=/);
});

test("the person who set up the instance can create another workspace from the switcher, and see the state of the instance", async () => {
  await signIn(page, service, OWNER);
  await settle(page);
  const first = page.url();
  await page.getByRole("button", { name: /Switch workspace/ }).click();
  await page.getByRole("menuitem", { name: "New workspace" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Second");
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.waitForURL((url) => url.href !== first && /\/w\/ws_[0-9a-f]{32}$/.test(url.pathname));
  await page.getByRole("button", { name: /Second.*Switch workspace/ }).waitFor();
  await page.goto(`${page.url()}/settings/instance`);
  await page.getByText(/^\d+ checks found nothing to do$/).click();
  await page
    .getByRole("listitem")
    .filter({ hasText: /^fine:\s*migrations/ })
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

import { existsSync } from "node:fs";

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { launchForPages } from "@/test/browser";
import { Report } from "@/lib/contract/report";
import { findViolations } from "./axe";
import { startDemo } from "./demo-process";
import { isRunning, processTree } from "./process/service";

let demo: Awaited<ReturnType<typeof startDemo>>;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [demo, browser] = await Promise.all([startDemo(), launchForPages()]);
});
afterAll(async () => {
  await Promise.all([browser.close(), demo.stop()]);
});
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(() => context.close());

const REPORT_LINE = /^shop \| (\{"schema_version".*)$/;

/** The Report that the shop's server printed for an imprint; fails if it does not match the strict schema. */
async function printedReport(imprint: string): Promise<Report> {
  const line = await demo.waitForLine(new RegExp(`^shop \\| \\{"schema_version".*${imprint}`));
  return Report.parse(JSON.parse(REPORT_LINE.exec(line)?.[1] ?? ""));
}

/** Signs in at the shop and returns what its result page shows. */
async function signIn(query = "") {
  await page.goto(demo.facts.shop_url + query);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator("[data-action]").waitFor();
  const imprint = /imprint: (imp_[0-9a-f]{32})/.exec((await page.getByLabel("Form fields").textContent()) ?? "")?.[1];
  return { imprint: imprint ?? "", action: await page.locator("[data-action]").getAttribute("data-action") };
}

async function reportOf(query = ""): Promise<Report> {
  return printedReport((await signIn(query)).imprint);
}

test("a browser on the shop, a different origin, gets an imprint and the shop's server prints its Report", async () => {
  expect(new URL(demo.facts.shop_url).origin).not.toBe(new URL(demo.facts.imprint_url).origin);
  const { imprint, action } = await signIn();
  const report = await printedReport(imprint);
  expect(report).toMatchObject({
    schema_version: "1.0",
    imprint,
    device: { seen_before: false, access_count: 1, previous_seen_at: null },
    browser: { status: "DECEPTIVE" },
    activity: { "5m": { events: 1, distinct_ips: 1, distinct_countries: 1 } },
  });
  expect(JSON.parse((await page.locator("#report").textContent()) ?? "")).toEqual(report);
  expect(action).toBe("held");
});

test("an automated browser is DECEPTIVE with AUTOMATION_DETECTED, and the page explains it", async () => {
  const { risk } = await reportOf();
  expect(risk.status).toBe("DECEPTIVE");
  expect(risk.reasons).toContain("AUTOMATION_DETECTED");
  expect(risk.findings).toContainEqual({ reason: "AUTOMATION_DETECTED", status: "DECEPTIVE" });
  await page.getByText("The browser is driven by software.").waitFor();
});

test.each([
  ["home", { observed_ip: "87.128.14.20", country_code: "DE", connection_type: "residential", asn: 3320 }],
  ["mobile", { observed_ip: "172.58.10.20", country_code: "US", connection_type: "mobile", asn: 21928 }],
  ["hosting", { observed_ip: "88.198.50.10", country_code: "DE", connection_type: "hosting", asn: 24940 }],
  ["ipv6", { observed_ip: "2003:c0:8f00::1", country_code: "DE", connection_type: "residential", asn: 3320 }],
])("the sample address %s shows its network facts", async (id, facts) => {
  const { network } = await reportOf(`/?visitor=${id}`);
  expect(network).toMatchObject(facts);
  expect(network.provider).toMatch(/\w/);
  expect(network.location?.country_name).toMatch(/^(Germany|United States)$/);
});

test("without a sample the address is private, and there are no network facts", async () => {
  const { network } = await reportOf("/?visitor=none");
  expect(network).toEqual({ status: "PASS", ip_consistency: "UNKNOWN" });
});

test("the same browser is recognised on its next visit, another one is a different device", async () => {
  const [first, second] = [await reportOf(), await reportOf("/?visitor=mobile")];
  expect(second.device).toEqual({
    id: first.device.id,
    seen_before: true,
    access_count: 2,
    first_seen_at: first.created_at,
    previous_seen_at: first.created_at,
  });
  expect(second.activity?.["1h"]).toEqual({ events: 2, distinct_ips: 2, distinct_countries: 2 });
  const other = await browser.newContext();
  page = await other.newPage();
  expect((await reportOf()).device).toMatchObject({ seen_before: false, access_count: 1 });
  await other.close();
});

test("with the component blocked the form still works: there is no Report, and nobody is refused", async () => {
  expect(await signIn("/?component=blocked")).toEqual({ imprint: "", action: "second-step" });
  expect(await page.locator("[data-reason]").getAttribute("data-reason")).toBe("missing");
});

test.each([
  ["already_used", async () => (await signIn()).imprint],
  ["not_found", () => Promise.resolve(`imp_${"0".repeat(32)}`)],
  ["malformed", () => Promise.resolve("../../../healthz")],
])("the shop does not accept an imprint that is %s", async (reason, take) => {
  const body = new URLSearchParams({ email: "ada@example.com", password: "x", imprint: await take() });
  const answer = await fetch(`${demo.facts.shop_url}/sign-in`, { method: "POST", body });
  expect(await answer.text()).toContain(`data-reason="${reason}"`);
});

test("the shop escapes user input and shows neither password nor key", async () => {
  const body = new URLSearchParams({ email: '"><script>alert(1)</script>', password: "hunter2-secret", imprint: "" });
  const text = await (await fetch(`${demo.facts.shop_url}/sign-in`, { method: "POST", body })).text();
  expect(text).not.toContain("<script>alert");
  expect(text).not.toContain("hunter2-secret");
  await signIn();
  expect(await page.content()).not.toContain(demo.facts.api_key);
});

test.each(["light", "dark"] as const)(
  "the shop has no accessibility violation in %s and fits 320 px",
  async (scheme) => {
    const narrow = await browser.newContext({ colorScheme: scheme, viewport: { width: 320, height: 640 } });
    page = await narrow.newPage();
    await page.goto(demo.facts.shop_url);
    const before = await findViolations(page);
    await signIn();
    const after = await findViolations(page);
    expect([...before, ...after]).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await narrow.close();
  },
);

test("the page loads resources only from the shop and Imprint", async () => {
  const origins = new Set<string>();
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  await signIn();
  const known = [demo.facts.shop_url, demo.facts.imprint_url].map((url) => new URL(url).origin);
  expect([...origins].filter((origin) => !known.includes(origin) && origin !== "null")).toEqual([]);
});

test("SIGTERM stops the demo and removes its data", async () => {
  const everyone = processTree(demo.process.pid ?? 0);
  expect(everyone.length).toBeGreaterThan(3);
  expect(existsSync(demo.facts.data_dir)).toBe(true);
  expect(await demo.stop()).toBe(0);
  expect(everyone.filter(isRunning)).toEqual([]);
  expect(existsSync(demo.facts.data_dir)).toBe(false);
});

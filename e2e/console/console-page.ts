import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";

import { findViolations } from "../axe";
import type { RunningService } from "../service";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Of a page whose structure was looked at in one theme, the other can differ in contrast only. */
export const violationsOf = (page: Page, scope: "everything" | "contrast" = "everything"): Promise<string[]> =>
  findViolations(page, { runOnly: scope === "everything" ? WCAG : ["color-contrast"] });

/** Waits until the page has taken over what the server rendered, and its data is there. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.locator("html[class*='light'], html[class*='dark']").waitFor();
}

/** Everything that a page did that it must not: requests elsewhere, script errors, policy violations. */
export function recordFaults(page: Page, ownUrl: string): string[] {
  const faults: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(ownUrl) && !/^(data|blob):/.test(request.url()))
      faults.push(`request to ${request.url()}`);
  });
  page.on("pageerror", (error) => faults.push(`script error: ${error.message}`));
  page.on("console", (message) => {
    if (/Content.Security.Policy|hydrat/i.test(message.text())) faults.push(`console: ${message.text().slice(0, 200)}`);
  });
  return faults;
}

/** Opens a sign-in link of the command line and presses its button. */
export async function signIn(page: Page, service: RunningService, email: string): Promise<void> {
  const { url = "" } = await service.admin("login-link", "--email", email);
  await page.goto(url);
  await page.getByRole("button", { name: `Sign in as ${email}` }).click();
  await page.waitForURL(/\/w\/ws_/);
}

/** A browser context in which `email` has just signed in, with a session of its own. */
export async function signedInContext(
  browser: Browser,
  service: RunningService,
  email: string,
  theme: Theme = "light",
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ colorScheme: theme, viewport: { width: 1360, height: 900 }, ...options });
  await signIn(await context.newPage(), service, email);
  return context;
}

const remembered = new Map<string, ReturnType<typeof rememberSession>>();

/**
 * A browser context in which `email` is signed in, all of them by one session: a sign-in costs a process and three
 * pages. For tests that end no session.
 */
export async function rememberedContext(
  browser: Browser,
  service: RunningService,
  email: string,
  theme: Theme = "light",
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const name = `${service.url} ${email}`;
  const first = remembered.get(name) ?? rememberSession(browser, service, email);
  remembered.set(name, first);
  const storageState = await first;
  const viewport = { width: 1360, height: 900 };
  return await browser.newContext({ colorScheme: theme, viewport, storageState, ...options });
}

async function rememberSession(browser: Browser, service: RunningService, email: string) {
  const context = await signedInContext(browser, service, email);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Bytes, as transferred, that a page may load: JavaScript in the Console and outside of it, styles, fonts loaded ahead. */
const MAX_BYTES = { console: 200_000, site: 160_000, styles: 30_000, fonts: 75_000 };

/** What the page has loaded since it was opened, and how far anything on it has moved by itself. */
const readLoad = (page: Page) =>
  page.evaluate(() => {
    const loaded = performance
      .getEntriesByType("resource")
      .filter((entry): entry is PerformanceResourceTiming => entry instanceof PerformanceResourceTiming);
    const bytesOf = (isCounted: (path: string, url: string) => boolean) =>
      loaded
        .filter(({ name }) => isCounted(new URL(name).pathname, name))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    const ahead = [...document.querySelectorAll<HTMLLinkElement>("link[rel=preload][as=font]")].map(({ href }) => href);
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "layout-shift", buffered: true });
    return {
      scripts: bytesOf((path) => path.endsWith(".js")),
      styles: bytesOf((path) => path.endsWith(".css")),
      fonts: bytesOf((_path, url) => ahead.includes(url)),
      shifts: observer.takeRecords().map((entry) => JSON.stringify(entry)),
    };
  });

/**
 * `readLoad`, once more where something has moved: a busy machine draws a page in the pieces in which it arrives, but
 * what moves by itself moves each time.
 */
async function readSteadyLoad(page: Page) {
  const first = await readLoad(page);
  if (first.shifts.length === 0) return first;
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
  return await readLoad(page);
}

/** That the page stays within its budget, and that nothing on it moves while it loads. */
export async function expectBudget(page: Page, name: string): Promise<void> {
  const { scripts, styles, fonts, shifts } = await readSteadyLoad(page);
  const mostScripts = new URL(page.url()).pathname.startsWith("/w/") ? MAX_BYTES.console : MAX_BYTES.site;
  expect(scripts, `JavaScript of ${name}`).toBeLessThanOrEqual(mostScripts);
  expect(styles, `styles of ${name}`).toBeLessThanOrEqual(MAX_BYTES.styles);
  expect(fonts, `fonts of ${name}`).toBeLessThanOrEqual(MAX_BYTES.fonts);
  expect(Math.min(scripts, styles), `what ${name} loads`).toBeGreaterThan(0);
  expect(shifts, `layout shifts of ${name}`).toEqual([]);
}

/** The page at 320 px: WCAG 2.2, 1.4.10. */
export async function expectReflow(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(320);
}

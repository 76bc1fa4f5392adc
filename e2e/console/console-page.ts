import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";

import { findViolations } from "../axe";
import type { RunningService } from "../service";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const violationsOf = (page: Page): Promise<string[]> => findViolations(page, { runOnly: WCAG });

/**
 * The same in both themes, by one load: a theme changes colours only, so that the dark one is looked at for contrast.
 * The page was opened in the light theme and without motion, which would show colours between the two.
 */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  const light = await violationsOf(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("html.dark").waitFor({ state: "attached" });
  const dark = await findViolations(page, { runOnly: ["color-contrast"] });
  await page.emulateMedia({ colorScheme: "light" });
  await page.locator("html.light").waitFor({ state: "attached" });
  return [...light, ...dark.map((violation) => `dark: ${violation}`)];
}

/** Waits until the page has taken over what the server rendered, and its data is there. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll("button, select, textarea, summary, input:not([type=hidden])")];
    // What the build has rendered stays as it is.
    const controls = all.filter((control) => control.closest("[data-static]") === null);
    // React keeps what it rendered an element with on the element, once it has taken it over.
    const isTakenOver = (control: Element) => Object.keys(control).some((key) => key.startsWith("__reactProps$"));
    const isLoading = document.querySelector("[role=status][aria-label^=Loading]") !== null;
    return document.readyState === "complete" && !isLoading && controls.every(isTakenOver);
  });
  await page.locator("html[class*='light'], html[class*='dark']").waitFor();
  // Effects, such as listeners for keys, are tasks of their own, which come before one in the background.
  await page.evaluate('scheduler.postTask(() => undefined, { priority: "background" })');
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

/**
 * Opens a context in which no link comes into view: Next fetches each page that a visible link leads to, thirty for a
 * page of the Console, which a test that opens the next page by its address has no use for. A link that the pointer is
 * on is still fetched. `console-actions.spec.ts` goes without this.
 */
export async function newQuietContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  await context.addInitScript("delete globalThis.IntersectionObserver");
  return context;
}

type SignedIn = BrowserContextOptions & { fetchesVisibleLinks?: boolean };

/** A browser context in which `email` is signed in, by a session of its own. */
export async function signedInContext(
  browser: Browser,
  { url, openSession }: Pick<RunningService, "url" | "openSession">,
  email: string,
  theme: Theme = "light",
  { fetchesVisibleLinks = false, ...options }: SignedIn = {},
): Promise<BrowserContext> {
  const value = await openSession(email);
  const given = { colorScheme: theme, viewport: { width: 1360, height: 900 }, ...options };
  const context = fetchesVisibleLinks ? await browser.newContext(given) : await newQuietContext(browser, given);
  await context.addCookies([{ name: "authjs.session-token", value, url, httpOnly: true, sameSite: "Lax" }]);
  return context;
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
  // Where motion is reduced a change of size takes a frame.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: name }).toBe(320);
}

import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";

import { findViolations } from "../axe";
import type { RunningService } from "../service";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const violationsOf = (page: Page): Promise<string[]> => findViolations(page, { runOnly: WCAG });

/**
 * Violations in both themes, from one load: a theme changes only colours, so the dark theme is checked only for
 * contrast. The page must have been opened in the light theme with reduced motion, since transitions would show
 * intermediate colours.
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

/** Waits until React has hydrated the page and its data has loaded. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll("button, select, textarea, summary, input:not([type=hidden])")];
    // Prerendered parts are not hydrated.
    const controls = all.filter((control) => control.closest("[data-static]") === null);
    // React stores an element's props on the element once it is hydrated.
    const isTakenOver = (control: Element) => Object.keys(control).some((key) => key.startsWith("__reactProps$"));
    const isLoading = document.querySelector("[role=status][aria-label^=Loading]") !== null;
    return document.readyState === "complete" && !isLoading && controls.every(isTakenOver);
  });
  await page.locator("html[class*='light'], html[class*='dark']").waitFor();
  // Effects, such as key listeners, are separate tasks that run before a background task.
  await page.evaluate('scheduler.postTask(() => undefined, { priority: "background" })');
}

/** Records everything a page must not do: third-party requests, script errors, policy violations. */
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

/** Opens a sign-in link from the command line and presses its button. */
export async function signIn(page: Page, service: RunningService, email: string): Promise<void> {
  const { url = "" } = await service.admin("login-link", "--email", email);
  await page.goto(url);
  await page.getByRole("button", { name: `Sign in as ${email}` }).click();
  await page.waitForURL(/\/w\/ws_/);
}

/**
 * Opens a context in which no link becomes visible: Next prefetches the page of every visible link, thirty for a page
 * of the Console, which is useless for tests that navigate by URL. A link under the pointer is still prefetched.
 * `console-actions.spec.ts` does not use this.
 */
export async function newQuietContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  await context.addInitScript("delete globalThis.IntersectionObserver");
  return context;
}

type SignedIn = BrowserContextOptions & { fetchesVisibleLinks?: boolean };

/** A browser context in which `email` is signed in with a separate session. */
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

/** Maximum bytes, as transferred: JavaScript in the Console and elsewhere, styles, preloaded fonts. */
const MAX_BYTES = { console: 200_000, site: 160_000, styles: 30_000, fonts: 75_000 };

/** What the page has loaded since it was opened, and its layout shifts. */
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

/** How often a page that shifted is loaded again. */
const MAX_RELOADS = 3;

/**
 * `readLoad`, repeated if anything has shifted: a busy machine draws a page in the pieces in which it arrives, but
 * genuine layout shifts occur every time.
 */
async function readSteadyLoad(page: Page) {
  let load = await readLoad(page);
  for (let reloads = 0; load.shifts.length > 0 && reloads < MAX_RELOADS; reloads += 1) {
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
    load = await readLoad(page);
  }
  return load;
}

/** Expects that the page stays within its budget and has no layout shifts while loading. */
export async function expectBudget(page: Page, name: string): Promise<void> {
  const { scripts, styles, fonts, shifts } = await readSteadyLoad(page);
  const mostScripts = new URL(page.url()).pathname.startsWith("/w/") ? MAX_BYTES.console : MAX_BYTES.site;
  expect(scripts, `JavaScript of ${name}`).toBeLessThanOrEqual(mostScripts);
  expect(styles, `styles of ${name}`).toBeLessThanOrEqual(MAX_BYTES.styles);
  expect(fonts, `fonts of ${name}`).toBeLessThanOrEqual(MAX_BYTES.fonts);
  expect(Math.min(scripts, styles), `what ${name} loads`).toBeGreaterThan(0);
  expect(shifts, `layout shifts of ${name}`).toEqual([]);
}

/** Until the page is drawn, at which the browser takes the focus from a disabled control. */
export const drawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** A laptop of 1280 px, with text enlarged to 400 % and 200 % and as it is. Source: WCAG 2.2, 1.4.10 and 1.4.4. */
const WIDTHS = [320, 640, 1280];

/** What is wider than the window, and each table whose columns do not fit. */
const readTooWide = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const regions = [...document.querySelectorAll("[role=region]:has(> table.stacked)")];
    const wide = regions.filter((region) => region.scrollWidth > region.clientWidth);
    return [
      ...(scrollWidth > clientWidth ? ["the page"] : []),
      ...wide.map((region) => region.getAttribute("aria-label") ?? "a table"),
    ];
  });

/** Expects that neither the page nor a table in it scrolls sideways on a laptop, also when text is enlarged. */
export async function expectReflow(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    // With reduced motion, a size change takes a frame.
    await expect.poll(() => readTooWide(page), { message: `${name} at ${width} px` }).toEqual([]);
  }
}

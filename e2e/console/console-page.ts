import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";

import type { RunningService } from "../service";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** What axe finds wrong with the page as it stands, as text that names rule and element. */
export async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

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

/** Cookies of those who signed in before, by service and address: a sign-in costs a process and three pages. */
const sessions = new Map<string, Awaited<ReturnType<BrowserContext["storageState"]>>>();

/** A browser context in which `email` is signed in. */
export async function signedInContext(
  browser: Browser,
  service: RunningService,
  email: string,
  theme: Theme = "light",
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const name = `${service.url} ${email}`;
  const storageState = sessions.get(name);
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width: 1360, height: 900 },
    ...(storageState ? { storageState } : {}),
    ...options,
  });
  if (storageState) return context;
  const page = await context.newPage();
  await signIn(page, service, email);
  await page.close();
  sessions.set(name, await context.storageState());
  return context;
}

/** The page at 320 px: WCAG 2.2, 1.4.10. */
export async function expectReflow(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(320);
}

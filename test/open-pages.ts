import type { Browser } from "playwright-core";

const OPEN_BROWSERS = new Set<Browser>();

/** Makes failed tests describe the open pages of `browser`. */
export function watchPages(browser: Browser): void {
  OPEN_BROWSERS.add(browser);
  browser.on("disconnected", () => OPEN_BROWSERS.delete(browser));
}

/** The open pages' accessibility trees, to show why a test waited in vain. Empty without a page. */
export async function describeOpenPages(): Promise<string> {
  const pages = [...OPEN_BROWSERS].flatMap((browser) => browser.contexts().flatMap((context) => context.pages()));
  const shown = pages.map(async (page) => {
    const text = await page.locator("body").ariaSnapshot({ timeout: 5_000 }).catch(String);
    return `${page.url()} shows\n${text}`;
  });
  return (await Promise.all(shown)).join("\n\n");
}

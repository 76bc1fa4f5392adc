import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** Defined as in https://web.dev/articles/inp: time from the slowest interaction to the next paint. */
export type Interactions = { slowestMs: number; slowest: string; count: number };

const SIZE = { width: 1280, height: 900 };
const SLOWDOWN = 4;
/** Shortest duration that the browser reports; faster interactions count as this. */
const SHORTEST_MS = 16;
/** Maximum number of controls used, of each kind. */
const MOST = 3;

type Noted = { id: number; ms: number; type: string };

/** Records every interaction from the start; the browser itself buffers only long ones. */
function noteInteractions(shortestMs: number): void {
  const noted: Noted[] = [];
  Object.assign(window, { noted });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ("interactionId" in entry && Number(entry.interactionId) > 0)
        noted.push({ id: Number(entry.interactionId), ms: entry.duration, type: entry.name });
  }).observe({ type: "event", durationThreshold: shortestMs } as PerformanceObserverInit); // known to Chromium alone
}

/** Waits until changes are painted and observers have been notified. */
const settle = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const whenIdle = () => {
          requestIdleCallback(() => {
            resolve();
          });
        };
        requestAnimationFrame(() => {
          requestAnimationFrame(whenIdle);
        });
      }),
  );

async function useCharts(page: Page): Promise<void> {
  for (const chart of (await page.locator('main [role="slider"]').all()).slice(0, MOST)) {
    await chart.scrollIntoViewIfNeeded();
    await chart.focus();
    for (const key of ["ArrowLeft", "ArrowLeft", "Shift+ArrowLeft", "Home", "End", "Escape"]) {
      await page.keyboard.press(key);
      await settle(page);
    }
  }
}

async function openAndClose(page: Page): Promise<void> {
  for (const summary of (await page.locator("main summary:visible").all()).slice(0, MOST))
    for (const _ of ["open", "close"]) {
      await summary.click();
      await settle(page);
    }
  for (const menu of (await page.locator("main button[aria-haspopup]:visible").all()).slice(0, MOST)) {
    await menu.click();
    // Some load when first opened; pressing Escape before that would close nothing.
    await page.locator('dialog[open], [role="menuitem"]:visible').first().waitFor();
    await settle(page);
    await page.keyboard.press("Escape");
    await settle(page);
  }
}

async function typeAndChoose(page: Page): Promise<void> {
  for (const box of (await page.locator('main input[type="search"]:visible').all()).slice(0, 1)) {
    await box.click();
    await page.keyboard.type("dev_1");
    await settle(page);
    await box.fill("");
  }
  for (const choice of (await page.locator("main select:visible").all()).slice(0, MOST)) {
    await choice.focus();
    await page.keyboard.press("ArrowDown");
    await settle(page);
  }
}

/** Opens the palette, then the first row if there is one. Used last, since that leaves the page. */
async function openSomething(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.locator("dialog[open]").waitFor();
  await settle(page);
  await page.keyboard.press("Escape");
  await settle(page);
  const row = page.locator("main [data-row-link]:visible").first();
  if ((await row.count()) === 0) return;
  await row.click();
  await settle(page);
}

/** Uses the controls of a page by pointer and keyboard, with the CPU throttled four times. */
export async function interact(browser: Browser, url: string, options: BrowserContextOptions): Promise<Interactions> {
  const context = await browser.newContext({ viewport: SIZE, ...options });
  try {
    const page = await context.newPage();
    await page.addInitScript(noteInteractions, SHORTEST_MS);
    await page.goto(url, { waitUntil: "load" });
    await page.waitForLoadState("networkidle");
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    for (const use of [useCharts, openAndClose, typeAndChoose, openSomething]) await use(page);
    await page.waitForLoadState("networkidle");
    await settle(page);
    const noted = await page.evaluate(() => (window as Window & { noted?: Noted[] }).noted ?? []);
    const slowest = noted.toSorted((one, other) => other.ms - one.ms)[0];
    return {
      slowestMs: Math.max(SHORTEST_MS, slowest?.ms ?? 0),
      slowest: slowest?.type ?? "",
      count: new Set(noted.map(({ id }) => id)).size,
    };
  } finally {
    await context.close();
  }
}

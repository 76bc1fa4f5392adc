import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** As https://web.dev/articles/inp measures it: how long the slowest interaction took until the next paint. */
export type Interactions = { slowestMs: number; slowest: string; count: number };

const SIZE = { width: 1280, height: 900 };
const SLOWDOWN = 4;
/** The shortest that the browser reports; what is quicker counts as this. */
const SHORTEST_MS = 16;
/** Of each kind of control. */
const MOST = 3;

type Noted = { id: number; ms: number; type: string };

/** Keeps every interaction from the beginning on: the browser itself keeps only long ones for later. */
function noteInteractions(shortestMs: number): void {
  const noted: Noted[] = [];
  Object.assign(window, { noted });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ("interactionId" in entry && Number(entry.interactionId) > 0)
        noted.push({ id: Number(entry.interactionId), ms: entry.duration, type: entry.name });
  }).observe({ type: "event", durationThreshold: shortestMs } as PerformanceObserverInit); // known to Chromium alone
}

/** Until what was done is painted and told to observers. */
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
    // Some are loaded when they are first opened: Escape before that would close nothing.
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

/** What opens something else comes last: the first row, or the palette where there is none. */
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

/** Uses what a page has, by pointer and keys, with the processor four times slower. */
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

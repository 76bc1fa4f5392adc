import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** Times since the start of the navigation. */
export type Load = { firstMs: number; largestMs: number; largest: string; shift: number };
type Conditions = { slowdown: number; latencyMs: number; bytesPerSecond: number };

/** A phone on a slow mobile network, as simulated by Lighthouse. */
export const SLOW_PHONE: Conditions = { slowdown: 4, latencyMs: 150, bytesPerSecond: 1_600_000 / 8 };

const SIZE = { width: 1280, height: 900 };
const PAINTED_WITHIN_MS = 30_000;

async function slowDown(page: Page, { slowdown, latencyMs, bytesPerSecond }: Conditions): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

/** The browser's own measurements of the current page. */
const readPaints = (page: Page): Promise<Load> =>
  page.evaluate(async (timeoutMs) => {
    const entriesOf = (type: string) =>
      new Promise<PerformanceEntry[]>((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`The browser measured no ${type}`));
        }, timeoutMs);
        new PerformanceObserver((list) => {
          clearTimeout(timer);
          resolve(list.getEntries());
        }).observe({ type, buffered: true });
      });
    const [largest, paints] = [await entriesOf("largest-contentful-paint"), await entriesOf("paint")];
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "layout-shift", buffered: true });
    const shiftOf = (entry: PerformanceEntry) => ("value" in entry ? Number(entry.value) : 0);
    const painted = largest.at(-1);
    const element = painted && "element" in painted && painted.element instanceof Element ? painted.element : undefined;
    return {
      largest: `${element?.tagName.toLowerCase() ?? ""} ${(element?.textContent ?? "").trim().slice(0, 40)}`,
      firstMs: paints.find(({ name }) => name === "first-contentful-paint")?.startTime ?? Number.NaN,
      largestMs: painted?.startTime ?? Number.NaN,
      shift: observer.takeRecords().reduce((sum, entry) => sum + shiftOf(entry), 0),
    };
  }, PAINTED_WITHIN_MS);

/** Loads a page with an empty cache. */
export async function loadPage(
  browser: Browser,
  url: string,
  { conditions, ...options }: BrowserContextOptions & { conditions?: Conditions },
): Promise<Load> {
  const context = await browser.newContext({ viewport: SIZE, ...options });
  try {
    const page = await context.newPage();
    if (conditions) await slowDown(page, conditions);
    await page.goto(url, { waitUntil: "load" });
    await page.waitForLoadState("networkidle");
    return await readPaints(page);
  } finally {
    await context.close();
  }
}

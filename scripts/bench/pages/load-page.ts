/** @typedef {{ firstMs: number, largestMs: number, shift: number }} Load since the navigation began */
/** @typedef {{ slowdown: number, latencyMs: number, bytesPerSecond: number }} Conditions */

/** A phone on a slow mobile network, as Lighthouse pictures it. @type {Conditions} */
export const APART = { slowdown: 4, latencyMs: 150, bytesPerSecond: 1_600_000 / 8 };

const SIZE = { width: 1280, height: 900 };
const PAINTED_WITHIN_MS = 30_000;

/** @param {import("playwright-core").Page} page @param {Conditions} conditions */
async function slowDown(page, { slowdown, latencyMs, bytesPerSecond }) {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

/** What the browser noted of the page that it shows. @param {import("playwright-core").Page} page @returns {Promise<Load>} */
const readPaints = (page) =>
  page.evaluate(async (timeoutMs) => {
    const entriesOf = (/** @type {string} */ type) =>
      new Promise((/** @type {(entries: PerformanceEntry[]) => void} */ resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`The browser noted no ${type}`)), timeoutMs);
        new PerformanceObserver((list) => {
          clearTimeout(timer);
          resolve(list.getEntries());
        }).observe({ type, buffered: true });
      });
    const [largest, paints] = [await entriesOf("largest-contentful-paint"), await entriesOf("paint")];
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "layout-shift", buffered: true });
    const shifts = /** @type {{ value: number }[]} */ (/** @type {unknown} */ (observer.takeRecords()));
    return {
      firstMs: paints.find(({ name }) => name === "first-contentful-paint")?.startTime ?? Number.NaN,
      largestMs: largest.at(-1)?.startTime ?? Number.NaN,
      shift: shifts.reduce((sum, { value }) => sum + value, 0),
    };
  }, PAINTED_WITHIN_MS);

/**
 * Loads a page with an empty cache.
 *
 * @param {import("playwright-core").Browser} browser @param {string} url
 * @param {import("playwright-core").BrowserContextOptions & { apart?: Conditions }} options
 */
export async function loadPage(browser, url, { apart, ...options }) {
  const context = await browser.newContext({ viewport: SIZE, ...options });
  try {
    const page = await context.newPage();
    if (apart) await slowDown(page, apart);
    await page.goto(url, { waitUntil: "load" });
    await page.waitForLoadState("networkidle");
    return await readPaints(page);
  } finally {
    await context.close();
  }
}

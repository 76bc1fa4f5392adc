import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { FEATURES, FONTS, MEDIA_QUERIES } from "@/lib/contract/signal-lists";
import { Signals, SUBMISSION_MAX_BYTES, Timings } from "@/lib/contract/signals";

import { REGISTRY } from "./signals";
import { bundle, launchChromium, runOn, SAMPLE_IMPRINT, startSite, type Site } from "@/test/browser";

let browser: Browser;
let site: Site;
let page: Page;

beforeAll(async () => {
  [browser, site] = await Promise.all([launchChromium(), startSite()]);
  site.page("/v1/imprint.js", await bundle("lib/component/entry-script.ts"));
  site.page("/", `<!doctype html><title>Shop</title><script src="${site.serviceOrigin}/v1/imprint.js"></script>`);
  site.page("/csp", `<!doctype html><script src="/v1/imprint.js"></script>`, {
    "Content-Security-Policy": `default-src 'self'; connect-src ${site.serviceOrigin}`,
  });
});

afterAll(async () => {
  await browser.close();
  await site.close();
});

beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
  return () => page.context().close();
});

/** Runs the component on the open page and returns what it submitted, checked against the contract. */
const submit = async () => {
  const before = site.submissions().length;
  expect(await runOn(page, { endpoint: site.serviceOrigin })).toEqual({ imprint: SAMPLE_IMPRINT });
  const sent = site.submissions()[before]?.body ?? "";
  const body = JSON.parse(sent) as Record<string, unknown>;
  return {
    body,
    bytes: Buffer.byteLength(sent),
    signals: Signals.parse(body["signals"]),
    timings: Timings.parse(body["timings"]),
  };
};

const SIGNAL_NAMES = Object.keys(REGISTRY) as (keyof typeof REGISTRY)[];
const states = (signals: Signals) => Object.fromEntries(SIGNAL_NAMES.map((name) => [name, signals[name]?.state]));
const allOk = Object.fromEntries(SIGNAL_NAMES.map((name) => [name, "ok"]));

test("a plain page gives every signal, in the contract's shape and under 4 kB", async () => {
  await page.goto(site.pageOrigin);

  const { body, bytes, signals, timings } = await submit();

  expect(states(signals)).toEqual(allOk);
  expect(Object.keys(timings.signals).sort()).toEqual([...SIGNAL_NAMES].sort());
  expect(Object.keys(body).sort()).toEqual([
    "challenge",
    "environment_id",
    "proof",
    "signals",
    "surface",
    "timings",
    "token",
    "v",
  ]);
  expect(bytes).toBeLessThanOrEqual(4096);
});

test("bitmaps have one digit for each entry of their published list", async () => {
  await page.goto(site.pageOrigin);

  const { signals } = await submit();

  expect(signals.features).toMatchObject({
    value: expect.stringMatching(new RegExp(`^[01]{${FEATURES.length}}$`)) as string,
  });
  expect(signals.fonts).toMatchObject({
    value: expect.stringMatching(new RegExp(`^[01]{${FONTS.length}}$`)) as string,
  });
  expect(signals.screen).toMatchObject({
    value: { media: expect.stringMatching(new RegExp(`^[01]{${MEDIA_QUERIES.length}}$`)) as string },
  });
});

test("the same browser gives the same values on its next visit", async () => {
  await page.goto(site.pageOrigin);
  const first = await submit();
  await page.reload();
  const second = await submit();

  expect(second.signals).toEqual(first.signals);
});

test("a policy that forbids workers costs the worker group alone", async () => {
  await page.goto(`${site.pageOrigin}/csp`);

  const { signals } = await submit();

  expect(states(signals)).toEqual({ ...allOk, worker: "blocked" });
});

test.each([
  [
    "canvas",
    "HTMLCanvasElement.prototype.getContext = () => null",
    { canvas: "absent", webgl: "absent", fonts: "absent" },
  ],
  [
    "reading pixels",
    "CanvasRenderingContext2D.prototype.getImageData = () => { throw new DOMException('no', 'SecurityError') }",
    { canvas: "blocked" },
  ],
  ["client hints", "delete Navigator.prototype.userAgentData", { uaData: "absent" }],
  ["workers", "delete window.Worker", { worker: "error" }],
  ["Intl", "delete window.Intl", { locale: "error" }],
  ["matchMedia", "window.matchMedia = () => { throw new Error('no') }", {}],
  ["CSS", "delete window.CSS", {}],
])("a page that broke %s still gets its imprint", async (_what, source, expected) => {
  await page.addInitScript(source);
  await page.goto(site.pageOrigin);

  const { signals } = await submit();

  expect(states(signals)).toEqual({ ...allOk, ...expected });
});

test("a navigator whose every getter throws leaves an empty group, not a failed run", async () => {
  await page.addInitScript(`for (const name of Object.getOwnPropertyNames(Navigator.prototype))
    Object.defineProperty(Navigator.prototype, name, { configurable: true, get() { throw new Error(name) } });`);
  await page.goto(site.pageOrigin);

  const { signals } = await submit();

  expect(signals.navigator).toEqual({ state: "ok", value: { isBrave: false } });
});

test("values of the wrong kind or of endless length are dropped or cut, never sent as they are", async () => {
  await page.addInitScript(`
    const set = (name, value) => Object.defineProperty(Navigator.prototype, name, { configurable: true, get: () => value });
    set("userAgent", "\\u0000" + "x".repeat(100000)); set("platform", { toString: () => "Win32" });
    set("languages", Array(5000).fill("en-\\ud800" + "y".repeat(5000))); set("hardwareConcurrency", NaN);
    set("vendor", "z".repeat(5000));`);
  await page.goto(site.pageOrigin);

  const { signals, bytes } = await submit();

  expect(bytes).toBeLessThan(SUBMISSION_MAX_BYTES);
  expect(signals.navigator).toMatchObject({ value: { userAgent: "x".repeat(511), vendor: "z".repeat(128) } });
  expect(signals.navigator).not.toHaveProperty("value.platform");
  expect(signals.navigator).not.toHaveProperty("value.hardwareConcurrency");
});

test("signals that hang are given up, and the rest is sent", async () => {
  await page.addInitScript(`
    NavigatorUAData.prototype.getHighEntropyValues = () => new Promise(() => {});
    window.Worker = class { terminate() {} };`);
  await page.goto(site.pageOrigin);

  const { signals } = await submit();

  expect(states(signals)).toEqual({ ...allOk, uaData: "timeout", worker: "timeout" });
});

test("nothing is left behind on the page: no element, no global but Imprint, no message above debug level", async () => {
  const messages: string[] = [];
  page.on("console", (message) => message.type() !== "debug" && messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  await page.goto(site.pageOrigin);
  const inventory = () => page.evaluate(() => [document.documentElement.outerHTML, ...Object.keys(window)].join());
  const before = await inventory();

  await submit();

  await expect.poll(inventory).toBe(before);
  expect(messages).toEqual([]);
});

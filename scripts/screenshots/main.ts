import fs from "node:fs";
import path from "node:path";

import type { Browser, Page } from "playwright-core";

import { lineWriter, runCommand } from "../common/command";
import { ANALYST, openExampleService, OWNER, signIn } from "../common/example-service";
import type { Service } from "../common/service";
import { findChromium } from "../test/chromium.mjs";
import { type Picture, writeGallery } from "./gallery";
import { type Screenshot, screenshotsOf } from "./pages";
import { withoutTable } from "./without-table";

const THEMES = ["light", "dark"] as const;
const WIDTHS = [1440, 768, 390];
const MAX_ATTEMPTS = 4;
const WAITING_MS = 10_000;

/** Pages shown in README.md, and the folder of their pictures. */
const README_PAGES = ["overview", "report"];
const README_FOLDER = "docs/pictures";

const log = lineWriter(false);

/**
 * Opens a page in its loading state. A page stops waiting for data after a while, on a busy machine maybe before it
 * shows that it waits, so this retries.
 */
async function openWaiting(page: Page, url: string): Promise<void> {
  const waiting = page.locator('[role="status"][aria-label^="Loading"]').first();
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    await page.goto(url, { waitUntil: "commit" });
    const isShown = await waiting.waitFor({ timeout: WAITING_MS }).then(
      () => true,
      () => false,
    );
    if (isShown) return;
  }
  throw new Error(`${url} did not show that it is loading`);
}

/** Opens a page; one that waits for its data is captured while loading. */
async function open(page: Page, { path: address, act, missing }: Screenshot, base: string): Promise<void> {
  const url = new URL(address, base).href;
  if (missing?.how === "locked") {
    await openWaiting(page, url);
    return;
  }
  await page.goto(url);
  await page.waitForLoadState("networkidle");
  await act?.(page);
}

/** Takes a picture; returns whether the page fits the width of its window. */
async function take(page: Page, screenshot: Screenshot, { url, dataDir }: Service, file: string): Promise<boolean> {
  let fits = false;
  const work = async () => {
    await open(page, screenshot, url);
    // An overlay covers the window rather than the whole page.
    await page.screenshot({ path: file, fullPage: !screenshot.isOverPage, animations: "disabled" });
    fits = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  };
  if (screenshot.missing) await withoutTable({ dataDir, ...screenshot.missing }, work);
  else await work();
  return fits;
}

type Theme = (typeof THEMES)[number];
type Job = { browser: Browser; service: Service; screenshots: readonly Screenshot[]; folder: string };

async function takeAll({ browser, service, screenshots, folder }: Job, themes: readonly Theme[]) {
  const [pictures, tooWide]: [Picture[], string[]] = [[], []];
  for (const theme of themes) {
    const newContext = () => browser.newContext({ colorScheme: theme });
    const people = {
      nobody: await (await newContext()).newPage(),
      owner: await signIn(await newContext(), service.env, OWNER),
      analyst: await signIn(await newContext(), service.env, ANALYST),
    };
    for (const screenshot of screenshots) {
      const page = people[screenshot.as];
      for (const width of WIDTHS) {
        const file = `${screenshot.name}-${theme}-${width}.png`;
        await page.setViewportSize({ width, height: 900 });
        if (!(await take(page, screenshot, service, path.join(folder, file)))) tooWide.push(file);
        const shown = new URL(screenshot.path, service.url).pathname;
        pictures.push({ name: screenshot.name, path: shown, file, theme, width });
      }
      log(`${theme.padEnd(6)}${screenshot.name}`);
    }
    for (const page of Object.values(people)) await page.context().close();
  }
  return { pictures, tooWide };
}

/** Takes the first screen of some pages, in the light theme. */
async function takeReadmePictures({ browser, service, screenshots }: Omit<Job, "folder">): Promise<number> {
  fs.mkdirSync(README_FOLDER, { recursive: true });
  const page = await signIn(await browser.newContext({ colorScheme: "light" }), service.env, OWNER);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const screenshot of screenshots.filter(({ name }) => README_PAGES.includes(name))) {
    const file = path.join(README_FOLDER, `${screenshot.name}.png`);
    await take(page, { ...screenshot, isOverPage: true }, service, file);
    log(file);
  }
  return 0;
}

await runCommand({
  name: "screenshots",
  about:
    "Starts Imprint with an empty temporary database, fills it with demonstration data and sandbox purchases, and takes a picture of every page in both themes at 1440, 768 and 390 pixels, including loading, failed and forbidden pages. Exits with 1 if a page fails or is wider than its window.",
  options: {
    out: {
      type: "string",
      default: ".screenshots",
      value: "FOLDER",
      about: "output folder of the pictures and index.html",
    },
    only: {
      type: "string",
      default: "",
      value: "TEXT",
      about: "only pages with TEXT in their name; separate several TEXTs by commas",
    },
    theme: { type: "string", default: "", value: "THEME", about: "only this theme: light or dark" },
    readme: { type: "boolean", about: `only the pictures in README.md, written to ${README_FOLDER}` },
  },
  async run({ out, only, theme, readme }, cleanUp) {
    const themes = THEMES.filter((each) => theme === "" || each === theme);
    if (themes.length === 0) throw new Error(`--theme ${theme}: expected ${THEMES.join(" or ")}.`);
    const folder = path.resolve(out);
    fs.mkdirSync(folder, { recursive: true });
    const executablePath = await findChromium({ purpose: "Taking pictures" });
    const { service, browser, examples } = await openExampleService({ log, cleanUp, executablePath });
    if (readme === true) return await takeReadmePictures({ browser, service, screenshots: screenshotsOf(examples) });
    const screenshots = screenshotsOf(examples).filter(({ name }) =>
      only.split(",").some((text) => name.includes(text)),
    );
    if (screenshots.length === 0) throw new Error(`--only ${only}: no page has this in its name.`);
    const { pictures, tooWide } = await takeAll({ browser, service, screenshots, folder }, themes);
    writeGallery(folder, pictures);
    for (const file of tooWide) log(`FAILED  ${file} is wider than the window`);
    log(`${pictures.length} pictures in ${path.join(folder, "index.html")}`);
    return tooWide.length > 0 ? 1 : 0;
  },
});

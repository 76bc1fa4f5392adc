import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { chromium } from "playwright-core";

import { startService } from "../bench-browser/service.mjs";
import { ROOT } from "../build/layout.mjs";
import { findChromium } from "../test/chromium.mjs";
import { releaseFolder } from "./releases.mjs";

const ENVIRONMENT_ID = `env_${"0".repeat(32)}`;

/**
 * Runs the released script file of `version` in Chromium and keeps what it submits, for the test that the service takes
 * it from now on.
 *
 * @param {string} version
 */
export async function recordSubmission(version) {
  const script = await readFile(join(releaseFolder(version), `imprint-${version}.js`), "utf8");
  const service = await startService({ "/imprint.js": script });
  const browser = await chromium.launch({
    executablePath: await findChromium({ purpose: "The record of a release" }),
    args: ["--no-sandbox"],
  });
  try {
    const page = await browser.newPage();
    await page.goto(service.origin);
    await page.addScriptTag({ url: "/imprint.js" });
    await page.evaluate((environmentId) => globalThis.Imprint.createImprint({ environmentId }).run(), ENVIRONMENT_ID);
  } finally {
    await browser.close();
    service.close();
  }
  const file = join(ROOT, "lib/visits/submissions/released", `${version}.json`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(JSON.parse(service.lastBody()), null, 2)}\n`);
}

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { chromium } from "playwright-core";

import { startSite } from "../../bench/browser/service";
import { ROOT } from "../../build/layout.mjs";
import { findChromium } from "../../test/chromium.mjs";
import { releaseFolder } from "../releases.mjs";

const ENVIRONMENT_ID = `env_${"0".repeat(32)}`;

/**
 * Runs the released script of `version` in Chromium and stores its submission, for the test that the service accepts it
 * from now on.
 */
export async function recordSubmission(version: string): Promise<void> {
  const script = await readFile(join(releaseFolder(version), `imprint-${version}.js`), "utf8");
  const site = await startSite({ "/v1/imprint.js": script });
  const browser = await chromium.launch({
    executablePath: await findChromium({ purpose: "The record of a release" }),
    args: ["--no-sandbox"],
  });
  try {
    const page = await browser.newPage();
    await page.goto(site.origin);
    await page.addScriptTag({ url: "/v1/imprint.js" });
    await page.evaluate(`Imprint.createImprint({ environmentId: "${ENVIRONMENT_ID}" }).run()`);
  } finally {
    await browser.close();
    await site.close();
  }
  const file = join(ROOT, "lib/visits/submissions/released", `${version}.json`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(JSON.parse(site.lastBody()), null, 2)}\n`);
}

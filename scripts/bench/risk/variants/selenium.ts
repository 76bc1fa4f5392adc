import fs from "node:fs";
import path from "node:path";

import { programOf } from "../tools";
import { WINDOWS_CHROME } from "../user-agents";
import type { Part, Variant } from "../variant";
import { NO_FLAG, QUIET, SOFTWARE_GRAPHICS } from "./chromium-arguments";

const PREFIX = "cdc_adoQpoasnfa76pfcZLmcfl_";

/** A driver patched as people who hide do: its names in the page get a different prefix of the same length. */
function patchedDriver(driver: string, folder: string, prefix: string): string {
  const file = path.join(folder, "driver");
  const bytes = fs.readFileSync(driver);
  const [from, to] = [Buffer.from(PREFIX), Buffer.from(prefix)];
  for (let at = bytes.indexOf(from); at !== -1; at = bytes.indexOf(from, at)) to.copy(bytes, at);
  fs.writeFileSync(file, bytes, { mode: 0o755 });
  return file;
}

type Options = {
  id: string;
  part: Part;
  hides?: boolean;
  prefix?: string;
  args?: string[];
  isDefinitive?: boolean;
  headless?: boolean;
};

const selenium = ({
  id,
  part,
  hides = false,
  prefix,
  args = [],
  isDefinitive = !hides,
  headless = false,
}: Options): Variant => ({
  id: `selenium-${id}`,
  tool: "Selenium",
  part,
  isDefinitive,
  needs: ["chromium", "chromedriver", ...(headless ? [] : (["xvfb"] as const))],
  packages: ["selenium-webdriver"],
  async visit({ programs, tools }, { url, outcome, env, folder }) {
    const { default: webdriver } = await tools.load("selenium-webdriver");
    const { default: chrome } = await tools.load("selenium-webdriver/chrome.js");
    const options = new chrome.Options();
    options.setChromeBinaryPath(programOf(programs, "chromium"));
    options.addArguments(...QUIET, ...SOFTWARE_GRAPHICS, `--user-data-dir=${folder}/profile`, ...args);
    if (headless) options.addArguments("--headless=new");
    if (hides) {
      options.addArguments(...NO_FLAG);
      options.excludeSwitches("enable-automation");
    }
    const file = programOf(programs, "chromedriver");
    const service = new chrome.ServiceBuilder(prefix === undefined ? file : patchedDriver(file, folder, prefix));
    const driver = await new webdriver.Builder()
      .forBrowser("chrome")
      .setChromeOptions(options)
      .setChromeService(service.setEnvironment(env))
      .build();
    try {
      await driver.get(url);
      return await outcome;
    } finally {
      await driver.quit();
    }
  },
});

export const seleniumVariants = [
  selenium({ id: "headless", part: "design", headless: true }),
  selenium({ id: "headful", part: "design" }),
  selenium({
    id: "evasive",
    part: "design",
    hides: true,
    isDefinitive: true,
    args: [`--user-agent=${WINDOWS_CHROME()}`, "--window-size=1920,1080"],
  }),
  selenium({ id: "flag-off", part: "hold-out", hides: true, isDefinitive: true }),
  selenium({
    id: "renamed",
    part: "design",
    hides: true,
    isDefinitive: true,
    prefix: "xqw_kfJdOwpanEyT41vcCbnRgU_",
  }),
  // Without underscores and any known pattern, so that no rule can recognise it.
  selenium({
    id: "unnamed",
    part: "hold-out",
    hides: true,
    prefix: "x1qwkfJdOwpanEyT41vcCbnRgUzZ".slice(0, PREFIX.length),
  }),
];

import type { BrowserContextOptions, Page } from "playwright-core";

import { LINUX_CHROME, MAC_SAFARI, WINDOWS_CHROME, WINDOWS_EDGE, WINDOWS_FIREFOX } from "../user-agents";
import { driven, type Part, type Variant } from "../variant";
import type { Tools } from "../tools";
import { NO_FLAG, QUIET, SOFTWARE_GRAPHICS } from "./chromium-arguments";

const NAVIGATION_TIMEOUT_MS = 60_000;

async function launcherOf(tools: Tools, isStealth: boolean) {
  const { default: playwright } = await tools.load("playwright-core");
  if (!isStealth) return { playwright, launcher: playwright.chromium };
  const { addExtra } = (await tools.load("playwright-extra")).default;
  const { default: stealth } = await tools.load("puppeteer-extra-plugin-stealth");
  const launcher = addExtra(playwright.chromium);
  launcher.use(stealth());
  return { playwright, launcher };
}

type Options = {
  id: string;
  part: Part;
  headless?: boolean;
  stealth?: boolean;
  /** Starts it without the automation flag; such a visit has no definitive trace. */
  hides?: boolean;
  /** Name of one of Playwright's device descriptors. */
  device?: string;
  context?: BrowserContextOptions;
  prepare?: (page: Page) => Promise<unknown>;
};

/** One visit with Playwright. */
const playwright = ({ id, part, headless = false, stealth = false, hides = false, ...options }: Options): Variant => ({
  id: `playwright-${id}`,
  tool: stealth ? "Playwright with stealth" : "Playwright",
  part,
  isDefinitive: !hides,
  needs: ["chromium", ...(headless ? [] : (["xvfb"] as const))],
  packages: ["playwright-core", ...(stealth ? (["playwright-extra", "puppeteer-extra-plugin-stealth"] as const) : [])],
  async visit({ programs, tools }, { url, outcome, env }) {
    const { playwright: all, launcher } = await launcherOf(tools, stealth);
    const browser = await launcher.launch({
      executablePath: programs.chromium ?? "",
      headless,
      env,
      ...(hides ? { ignoreDefaultArgs: ["--enable-automation"] } : {}),
      args: [...QUIET, ...SOFTWARE_GRAPHICS, ...(hides ? NO_FLAG : [])],
    });
    return driven(browser, outcome, async () => {
      const described = options.device === undefined ? {} : all.devices[options.device];
      const page = await (await browser.newContext({ ...described, ...options.context })).newPage();
      await options.prepare?.(page);
      await page.goto(url, { timeout: NAVIGATION_TIMEOUT_MS });
    });
  },
});

const REAL_WINDOW = { viewport: null };

export const playwrightVariants = [
  playwright({ id: "headless", part: "design", headless: true }),
  playwright({ id: "headful", part: "design", context: REAL_WINDOW }),
  playwright({ id: "as-windows", part: "design", context: { userAgent: WINDOWS_CHROME() } }),
  playwright({ id: "as-iphone", part: "design", headless: true, device: "iPhone 15" }),
  playwright({ id: "stealth-headless", part: "design", headless: true, stealth: true }),
  playwright({ id: "flag-off", part: "design", hides: true, context: REAL_WINDOW }),
  playwright({ id: "flag-off-viewport", part: "design", hides: true }),
  playwright({ id: "stealth-headful", part: "hold-out", stealth: true }),
  playwright({ id: "as-pixel", part: "hold-out", device: "Pixel 7" }),
  playwright({ id: "as-edge", part: "hold-out", context: { userAgent: WINDOWS_EDGE } }),
  playwright({ id: "as-safari", part: "hold-out", headless: true, context: { userAgent: MAC_SAFARI } }),
  playwright({
    id: "in-tokyo",
    part: "hold-out",
    context: { ...REAL_WINDOW, locale: "ja-JP", timezoneId: "Asia/Tokyo" },
  }),
  playwright({
    id: "flag-off-as-firefox",
    part: "hold-out",
    hides: true,
    context: { ...REAL_WINDOW, userAgent: WINDOWS_FIREFOX },
  }),
  playwright({
    id: "flag-off-as-windows",
    part: "hold-out",
    hides: true,
    context: { ...REAL_WINDOW, userAgent: WINDOWS_CHROME(156) },
  }),
  playwright({
    id: "flag-off-older",
    part: "hold-out",
    hides: true,
    context: { ...REAL_WINDOW, userAgent: LINUX_CHROME(150) },
  }),
  playwright({
    id: "flag-off-with-binding",
    part: "hold-out",
    hides: true,
    context: REAL_WINDOW,
    prepare: (page) => page.exposeBinding("report", () => undefined),
  }),
];

import type { PuppeteerPage } from "../tool-modules";
import type { Tools } from "../tools";
import { ANDROID_CHROME, LINUX_CHROME, MAC_CHROME, WINDOWS_CHROME } from "../user-agents";
import { driven, type Part, type Variant } from "../variant";
import { NO_FLAG, QUIET, SOFTWARE_GRAPHICS } from "./chromium-arguments";

const NAVIGATION_TIMEOUT_MS = 60_000;

async function launcherOf(tools: Tools, isStealth: boolean) {
  const { default: puppeteer } = await tools.load("puppeteer-core");
  if (!isStealth) return puppeteer;
  const { addExtra } = (await tools.load("puppeteer-extra")).default;
  const { default: stealth } = await tools.load("puppeteer-extra-plugin-stealth");
  const launcher = addExtra(puppeteer);
  launcher.use(stealth());
  return launcher;
}

type Prepare = (page: PuppeteerPage, tools: Tools) => Promise<unknown>;
type Options = {
  id: string;
  part: Part;
  headless?: boolean;
  stealth?: boolean;
  /** Starts it without the automation flag; such a visit has no definitive trace, so missing it is a known limit. */
  hides?: boolean;
  viewport?: { width: number; height: number } | null;
  prepare?: Prepare;
};

/** One visit with Puppeteer. */
const puppeteer = ({ id, part, headless = false, stealth = false, hides = false, ...options }: Options): Variant => ({
  id: `puppeteer-${id}`,
  tool: stealth ? "Puppeteer with stealth" : "Puppeteer",
  part,
  isDefinitive: !hides,
  needs: ["chromium", ...(headless ? [] : (["xvfb"] as const))],
  packages: ["puppeteer-core", ...(stealth ? (["puppeteer-extra", "puppeteer-extra-plugin-stealth"] as const) : [])],
  async visit({ programs, tools }, { url, outcome, env, folder }) {
    const launcher = await launcherOf(tools, stealth);
    const browser = await launcher.launch({
      executablePath: programs.chromium,
      headless,
      env,
      userDataDir: folder,
      ...(options.viewport === undefined ? {} : { defaultViewport: options.viewport }),
      ...(hides ? { ignoreDefaultArgs: ["--enable-automation"] } : {}),
      args: [...QUIET, ...SOFTWARE_GRAPHICS, ...(hides ? NO_FLAG : [])],
    });
    return driven(browser, outcome, async () => {
      // The plugin prepares pages when they are created; the first page was created before it.
      const [first] = await browser.pages();
      const page = stealth || !first ? await browser.newPage() : first;
      await options.prepare?.(page, tools);
      await page.goto(url, { timeout: NAVIGATION_TIMEOUT_MS });
    });
  },
});

const device =
  (name: string): Prepare =>
  async (page, tools) => {
    const { KnownDevices } = await tools.load("puppeteer-core");
    await page.emulate(KnownDevices[name]);
  };
const asAgent =
  (userAgent: string, metadata?: object): Prepare =>
  (page) =>
    page.setUserAgent(userAgent, metadata);
const patched =
  (script: string): Prepare =>
  (page) =>
    page.evaluateOnNewDocument(script);

const MAC_METADATA = {
  brands: [
    { brand: "Chromium", version: "142" },
    { brand: "Google Chrome", version: "142" },
  ],
  fullVersion: "142.0.7444.60",
  platform: "macOS",
  platformVersion: "15.6.1",
  architecture: "arm",
  model: "",
  mobile: false,
};
const HIDE_FLAG = 'Object.defineProperty(navigator, "webdriver", { get: () => false });';
const FAKE_HARDWARE =
  'Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 16 }); Object.defineProperty(Navigator.prototype, "platform", { get: () => "Win32" });';

export const puppeteerVariants = [
  puppeteer({ id: "headless", part: "design", headless: true }),
  puppeteer({ id: "headful", part: "design" }),
  puppeteer({ id: "headless-as-windows", part: "design", headless: true, prepare: asAgent(WINDOWS_CHROME()) }),
  puppeteer({ id: "as-pixel", part: "design", prepare: device("Pixel 5") }),
  puppeteer({ id: "stealth-headless", part: "design", stealth: true, headless: true }),
  puppeteer({ id: "flag-off", part: "design", hides: true, viewport: null }),
  puppeteer({ id: "stealth-headful", part: "hold-out", stealth: true }),
  puppeteer({ id: "headless-hides-flag", part: "hold-out", headless: true, prepare: patched(HIDE_FLAG) }),
  puppeteer({ id: "as-mac-with-hints", part: "hold-out", prepare: asAgent(MAC_CHROME(), MAC_METADATA) }),
  puppeteer({ id: "as-iphone", part: "hold-out", headless: true, prepare: device("iPhone 15") }),
  puppeteer({ id: "large-viewport", part: "hold-out", viewport: { width: 2560, height: 1440 } }),
  puppeteer({
    id: "flag-off-viewport",
    part: "hold-out",
    hides: true,
    viewport: { width: 1024, height: 700 },
  }),
  puppeteer({
    id: "flag-off-as-windows",
    part: "hold-out",
    hides: true,
    viewport: null,
    prepare: asAgent(WINDOWS_CHROME(156)),
  }),
  puppeteer({
    id: "flag-off-fake-hardware",
    part: "hold-out",
    hides: true,
    viewport: null,
    prepare: patched(FAKE_HARDWARE),
  }),
  puppeteer({
    id: "flag-off-older",
    part: "hold-out",
    hides: true,
    viewport: null,
    prepare: asAgent(LINUX_CHROME(131)),
  }),
  puppeteer({ id: "flag-off-as-android", part: "hold-out", hides: true, prepare: asAgent(ANDROID_CHROME(156)) }),
];

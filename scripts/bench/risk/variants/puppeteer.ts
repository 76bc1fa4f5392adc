import { ANDROID_CHROME, LINUX_CHROME, MAC_CHROME, WINDOWS_CHROME } from "../user-agents.mjs";
import { NO_FLAG, QUIET, SOFTWARE_GRAPHICS } from "./chromium-arguments.mjs";

const NAVIGATION_TIMEOUT_MS = 60_000;

async function launcherOf(kit, isStealth) {
  const { default: puppeteer } = await kit.tools.load("puppeteer-core");
  if (!isStealth) return puppeteer;
  const { addExtra } = (await kit.tools.load("puppeteer-extra")).default;
  const { default: stealth } = await kit.tools.load("puppeteer-extra-plugin-stealth");
  const launcher = addExtra(puppeteer);
  launcher.use(stealth());
  return launcher;
}

/**
 * One visit by Puppeteer. `hides` starts it without the automation flag; such a visit has no definitive trace of its
 * own, so a missed one is a limit and no fault.
 */
const puppeteer = ({ id, part, headless = false, stealth = false, hides = false, prepare, viewport, args = [] }) => ({
  id: `puppeteer-${id}`,
  tool: stealth ? "Puppeteer with stealth" : "Puppeteer",
  part,
  isDefinitive: !hides,
  needs: ["chromium", ...(headless ? [] : ["xvfb"])],
  packages: ["puppeteer-core", ...(stealth ? ["puppeteer-extra", "puppeteer-extra-plugin-stealth"] : [])],
  async visit(kit, { url, outcome, env, folder }) {
    const launcher = await launcherOf(kit, stealth);
    const browser = await launcher.launch({
      executablePath: kit.programs.chromium,
      headless,
      env,
      userDataDir: folder,
      ...(viewport === undefined ? {} : { defaultViewport: viewport }),
      ...(hides ? { ignoreDefaultArgs: ["--enable-automation"] } : {}),
      args: [...QUIET, ...SOFTWARE_GRAPHICS, ...(hides ? NO_FLAG : []), ...args],
    });
    try {
      // The plug-in dresses pages when they are made: the first one is older than it.
      const [first] = await browser.pages();
      const page = stealth ? await browser.newPage() : first;
      await prepare?.(page, kit);
      await page.goto(url, { timeout: NAVIGATION_TIMEOUT_MS });
      return await outcome;
    } finally {
      await browser.close();
    }
  },
});

const device = (name) => async (page, kit) => {
  const { KnownDevices } = await kit.tools.load("puppeteer-core");
  await page.emulate(KnownDevices[name]);
};
const asAgent = (userAgent, metadata) => (page) => page.setUserAgent(userAgent, metadata);
const patched = (script) => (page) => page.evaluateOnNewDocument(script);

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

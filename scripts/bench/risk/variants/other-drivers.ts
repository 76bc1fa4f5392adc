import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import { claimPort } from "../../demo/processes.mjs";
import { startGroup } from "../processes.mjs";
import { WINDOWS_FIREFOX } from "../user-agents.mjs";
import { FIREFOX_QUIET } from "./firefox-preferences.mjs";

const START_TIMEOUT_MS = 30_000;

const puppeteerFirefox = ({ id, part, headless = false, preferences = {}, prepare }) => ({
  id: `puppeteer-firefox-${id}`,
  tool: "Puppeteer on Firefox",
  part,
  isDefinitive: true,
  needs: ["firefox", ...(headless ? [] : ["xvfb"])],
  packages: ["puppeteer-core"],
  async visit(kit, { url, outcome, env, folder }) {
    const { default: puppeteer } = await kit.tools.load("puppeteer-core");
    const browser = await puppeteer.launch({
      browser: "firefox",
      executablePath: kit.programs.firefox,
      headless,
      env: { ...env, HOME: folder },
      extraPrefsFirefox: { ...FIREFOX_QUIET, ...preferences },
    });
    try {
      const page = await browser.newPage();
      await prepare?.(page);
      await page.goto(url);
      return await outcome;
    } finally {
      await browser.close();
    }
  },
});

async function waitForPort(port) {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const isOpen = await new Promise((resolve) => {
      const socket = net.connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(socket.destroy() !== undefined));
      socket.once("error", () => resolve(false));
    });
    if (isOpen) return;
    await delay(50);
  }
  throw new Error("The driver did not open its port.");
}

async function command(base, path, body) {
  const answer = await fetch(base + path, {
    method: body ? "POST" : "DELETE",
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { value } = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${value?.message ?? answer.status}`);
  return value;
}

/** WebKitGTK's own driver, spoken to in plain WebDriver. */
const webKit = ({ id, part, args = [] }) => ({
  id: `webkit-driver-${id}`,
  tool: "WebKitGTK WebDriver",
  part,
  isDefinitive: true,
  needs: ["webKitDriver", "miniBrowser", "xvfb"],
  packages: [],
  async visit(kit, { url, outcome, env, folder }) {
    const port = await claimPort(0);
    const driver = startGroup(kit.programs.webKitDriver, ["-p", String(port), "--host=127.0.0.1"], {
      ...env,
      HOME: folder,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    });
    try {
      await waitForPort(port);
      const base = `http://127.0.0.1:${port}`;
      const options = { binary: kit.programs.miniBrowser, args: ["--automation", ...args] };
      const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
      const { sessionId } = await command(base, "/session", { capabilities });
      await command(base, `/session/${sessionId}/url`, { url });
      const result = await outcome;
      await command(base, `/session/${sessionId}`);
      return result;
    } finally {
      await driver.stop();
    }
  },
});

export const otherDriverVariants = [
  puppeteerFirefox({ id: "headless", part: "design", headless: true }),
  puppeteerFirefox({ id: "fpp", part: "design", preferences: { "privacy.fingerprintingProtection": true } }),
  puppeteerFirefox({ id: "headful", part: "hold-out" }),
  puppeteerFirefox({ id: "rfp", part: "hold-out", preferences: { "privacy.resistFingerprinting": true } }),
  puppeteerFirefox({
    id: "as-windows",
    part: "hold-out",
    headless: true,
    preferences: { "general.useragent.override": WINDOWS_FIREFOX },
  }),
  webKit({ id: "default", part: "design" }),
  webKit({ id: "other-size", part: "hold-out", args: ["--geometry=900x700"] }),
];

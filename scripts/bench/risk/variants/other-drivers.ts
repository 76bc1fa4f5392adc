import net from "node:net";

import { z } from "zod";

import { FIREFOX_QUIET } from "../../../common/firefox-preferences";
import { claimPort } from "../../../common/processes";
import { startGroup } from "../../../common/process-group";
import { programOf } from "../tools";
import { WINDOWS_FIREFOX } from "../user-agents";
import { driven, type Part, type Variant } from "../variant";
import { until } from "../../../common/until";

const START_TIMEOUT_MS = 30_000;

type Firefox = { id: string; part: Part; headless?: boolean; preferences?: Readonly<Record<string, unknown>> };

const puppeteerFirefox = ({ id, part, headless = false, preferences = {} }: Firefox): Variant => ({
  id: `puppeteer-firefox-${id}`,
  tool: "Puppeteer on Firefox",
  part,
  isDefinitive: true,
  needs: ["firefox", ...(headless ? [] : (["xvfb"] as const))],
  packages: ["puppeteer-core"],
  async visit({ programs, tools }, { url, outcome, env, folder }) {
    const { default: puppeteer } = await tools.load("puppeteer-core");
    const browser = await puppeteer.launch({
      browser: "firefox",
      executablePath: programs.firefox,
      headless,
      env: { ...env, HOME: folder },
      extraPrefsFirefox: { ...FIREFOX_QUIET, ...preferences },
    });
    return driven(browser, outcome, async () => (await browser.newPage()).goto(url));
  },
});

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.once("error", () => {
      resolve(false);
    });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });

async function waitForPort(port: number): Promise<void> {
  const what = "The driver did not open its port.";
  await until(() => isOpen(port), { what, timeoutMs: START_TIMEOUT_MS, everyMs: 50 });
}

const Answer = z.object({
  value: z.looseObject({ message: z.string().optional(), sessionId: z.string().optional() }).nullish(),
});

/** Sends one WebDriver command: a POST with a body, or a DELETE without one. */
async function command(base: string, path: string, body?: object) {
  const init = body === undefined ? { method: "DELETE" } : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(base + path, init);
  const { value } = Answer.parse(await answer.json());
  if (!answer.ok) throw new Error(`${path}: ${value?.message ?? answer.status}`);
  return value;
}

type WebKit = { id: string; part: Part; args?: string[] };

/** WebKitGTK's own driver, used through plain WebDriver. */
const webKit = ({ id, part, args = [] }: WebKit): Variant => ({
  id: `webkit-driver-${id}`,
  tool: "WebKitGTK WebDriver",
  part,
  isDefinitive: true,
  needs: ["webKitDriver", "miniBrowser", "xvfb"],
  packages: [],
  async visit({ programs }, { url, outcome, env, folder }) {
    const port = await claimPort();
    const own = { ...env, HOME: folder, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" };
    const driver = startGroup(programOf(programs, "webKitDriver"), ["-p", String(port), "--host=127.0.0.1"], own);
    try {
      await waitForPort(port);
      const base = `http://127.0.0.1:${port}`;
      const options = { binary: programs.miniBrowser, args: ["--automation", ...args] };
      const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
      const session = `/session/${(await command(base, "/session", { capabilities }))?.sessionId ?? ""}`;
      await command(base, `${session}/url`, { url });
      const result = await outcome;
      await command(base, session);
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

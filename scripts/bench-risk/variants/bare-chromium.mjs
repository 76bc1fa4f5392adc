/** Chromium without a driver that is no person's browser: without a window, or with developer tools that emulate a device. */
import { setTimeout as delay } from "node:timers/promises";

import { claimPort } from "../../demo/processes.mjs";
import { startGroup } from "../processes.mjs";
import { ANDROID_CHROME, IPHONE, LINUX_CHROME, WINDOWS_CHROME } from "../user-agents.mjs";
import { QUIET, SOFTWARE_GRAPHICS } from "./chromium-arguments.mjs";

const START_TIMEOUT_MS = 30_000;

const headless = ({ id, part, args = [], isDefinitive = true }) => ({
  id: `chromium-headless-${id}`,
  tool: "Chromium --headless",
  part,
  isDefinitive,
  needs: ["chromium"],
  packages: [],
  async visit(kit, { url, outcome, env, folder }) {
    const all = [...QUIET, ...SOFTWARE_GRAPHICS, "--headless", `--user-data-dir=${folder}`];
    const browser = startGroup(kit.programs.chromium, [...all, ...args, url], env);
    try {
      return await outcome;
    } finally {
      await browser.stop();
    }
  },
});

async function pageSocket(port) {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    try {
      const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
      const page = targets.find(({ type }) => type === "page");
      if (page) return page.webSocketDebuggerUrl;
    } catch {
      // Not listening yet.
    }
    await delay(50);
  }
  throw new Error("Chromium did not open its DevTools port.");
}

/** The commands that the device toolbar of developer tools sends, and no others: no script is attached. */
const emulation = ({ id, part, userAgent, width, height, mobile = true, isDefinitive = true, metadata }) => ({
  id: `devtools-${id}`,
  tool: "DevTools device emulation",
  part,
  isDefinitive,
  needs: ["chromium", "xvfb"],
  packages: ["ws"],
  async visit(kit, { url, outcome, env, folder }) {
    const { default: WebSocket } = await kit.tools.load("ws");
    const port = await claimPort(0);
    const args = [...QUIET, ...SOFTWARE_GRAPHICS, `--user-data-dir=${folder}`, `--remote-debugging-port=${port}`];
    const browser = startGroup(kit.programs.chromium, [...args, "about:blank"], env);
    try {
      const socket = new WebSocket(await pageSocket(port));
      await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
      let id = 0;
      const send = (method, params) => socket.send(JSON.stringify({ id: (id += 1), method, params }));
      const screen = { width, height, screenWidth: width, screenHeight: height };
      send("Emulation.setDeviceMetricsOverride", { ...screen, deviceScaleFactor: mobile ? 3 : 1, mobile });
      if (userAgent)
        send("Emulation.setUserAgentOverride", { userAgent, ...(metadata ? { userAgentMetadata: metadata } : {}) });
      if (mobile) send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 1 });
      if (mobile) send("Emulation.setEmitTouchEventsForMouse", { enabled: true, configuration: "mobile" });
      send("Page.navigate", { url });
      return await outcome;
    } finally {
      await browser.stop();
    }
  },
});

const PIXEL = {
  brands: [
    { brand: "Chromium", version: "156" },
    { brand: "Google Chrome", version: "156" },
  ],
  platform: "Android",
  platformVersion: "16",
  architecture: "",
  model: "Pixel 7",
  mobile: true,
};

export const bareChromiumVariants = [
  headless({ id: "plain", part: "design" }),
  headless({ id: "as-windows", part: "design", args: [`--user-agent=${WINDOWS_CHROME()}`] }),
  headless({ id: "as-phone", part: "hold-out", args: [`--user-agent=${ANDROID_CHROME()}`] }),
  headless({ id: "renamed", part: "hold-out", args: [`--user-agent=${LINUX_CHROME(156)}`], isDefinitive: false }),
  emulation({ id: "pixel", part: "design", userAgent: ANDROID_CHROME(156), metadata: PIXEL, width: 412, height: 915 }),
  emulation({ id: "iphone", part: "hold-out", userAgent: IPHONE, width: 393, height: 852 }),
  emulation({ id: "size-only", part: "hold-out", width: 800, height: 500, mobile: false, isDefinitive: false }),
];

/** Chromium without a driver that is no person's browser: without a window, or with developer tools that emulate a device. */
import { claimPort } from "../../demo/processes.mjs";
import { startGroup } from "../processes.mjs";
import { ANDROID_CHROME, IPHONE, LINUX_CHROME, WINDOWS_CHROME } from "../user-agents.mjs";
import { QUIET, SOFTWARE_GRAPHICS } from "./chromium-arguments.mjs";
import { openPageSocket } from "./devtools-socket.mjs";

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
      const send = await openPageSocket(port, WebSocket);
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

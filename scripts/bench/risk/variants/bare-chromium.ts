/** Chromium without a driver, yet not a person's browser: headless, or with developer tools emulating a device. */
import { claimPort } from "../../../common/processes";
import { startGroup } from "../../../common/process-group";
import { programOf } from "../tools";
import { ANDROID_CHROME, IPHONE, LINUX_CHROME, WINDOWS_CHROME } from "../user-agents";
import { outcomeOf, type Part, type Variant } from "../variant";
import { QUIET, SOFTWARE_GRAPHICS } from "./chromium-arguments";
import { openPageSocket } from "./devtools-socket";

type Headless = { id: string; part: Part; args?: string[]; isDefinitive?: boolean };

const headless = ({ id, part, args = [], isDefinitive = true }: Headless): Variant => ({
  id: `chromium-headless-${id}`,
  tool: "Chromium --headless",
  part,
  isDefinitive,
  needs: ["chromium"],
  packages: [],
  visit({ programs }, { url, outcome, env, folder }) {
    const all = [...QUIET, ...SOFTWARE_GRAPHICS, "--headless", `--user-data-dir=${folder}`];
    return outcomeOf(startGroup(programOf(programs, "chromium"), [...all, ...args, url], env), outcome);
  },
});

type Emulation = {
  id: string;
  part: Part;
  userAgent?: string;
  width: number;
  height: number;
  mobile?: boolean;
  isDefinitive?: boolean;
  metadata?: object;
};

/** Sends only the commands that the device toolbar of developer tools sends; no script is injected. */
const emulation = ({ id, part, mobile = true, isDefinitive = true, ...device }: Emulation): Variant => ({
  id: `devtools-${id}`,
  tool: "DevTools device emulation",
  part,
  isDefinitive,
  needs: ["chromium", "xvfb"],
  packages: ["ws"],
  async visit({ programs, tools }, { url, outcome, env, folder }) {
    const port = await claimPort();
    const args = [...QUIET, ...SOFTWARE_GRAPHICS, `--user-data-dir=${folder}`, `--remote-debugging-port=${port}`];
    const browser = startGroup(programOf(programs, "chromium"), [...args, "about:blank"], env);
    const { width, height, userAgent, metadata } = device;
    const reported = openPageSocket(port, tools).then((send) => {
      const screen = { width, height, screenWidth: width, screenHeight: height };
      send("Emulation.setDeviceMetricsOverride", { ...screen, deviceScaleFactor: mobile ? 3 : 1, mobile });
      if (userAgent)
        send("Emulation.setUserAgentOverride", { userAgent, ...(metadata && { userAgentMetadata: metadata }) });
      if (mobile) send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 1 });
      if (mobile) send("Emulation.setEmitTouchEventsForMouse", { enabled: true, configuration: "mobile" });
      send("Page.navigate", { url });
      return outcome;
    });
    return outcomeOf(browser, reported);
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

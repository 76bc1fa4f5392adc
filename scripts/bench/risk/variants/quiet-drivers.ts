/** Drivers designed to leave no trace, and the drivers of AI agents. */
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

import { z } from "zod";

import { claimPort } from "../../../common/processes";
import { startGroup } from "../../../common/process-group";
import { programOf, type ToolName } from "../tools";
import { LINUX_CHROME } from "../user-agents";
import { driven, outcomeOf, type Part, type Variant } from "../variant";
import { NO_FLAG, QUIET, SOFTWARE_GRAPHICS } from "./chromium-arguments";
import { openPageSocket } from "./devtools-socket";

const NAVIGATION_TIMEOUT_MS = 60_000;

type Build<Name extends ToolName> = { id: string; part: Part; package: Name; headless?: boolean };
const UNFLAGGED = { args: [...QUIET, ...SOFTWARE_GRAPHICS, ...NO_FLAG], ignoreDefaultArgs: ["--enable-automation"] };

/** Playwright builds without the features by which pages detect it. */
const playwrightBuild = ({
  id,
  part,
  package: name,
  headless = false,
}: Build<"patchright-core" | "rebrowser-playwright-core">): Variant => ({
  id,
  tool: name,
  part,
  isDefinitive: headless,
  needs: ["chromium", ...(headless ? [] : (["xvfb"] as const))],
  packages: [name],
  async visit({ programs, tools }, { url, outcome, env, folder }) {
    const { default: playwright } = await tools.load(name);
    const settings = { ...UNFLAGGED, executablePath: programs.chromium ?? "", headless, env, viewport: null };
    const context = await playwright.chromium.launchPersistentContext(folder, settings);
    return driven(context, outcome, async () => {
      const page = context.pages()[0] ?? (await context.newPage());
      await page.goto(url, { timeout: NAVIGATION_TIMEOUT_MS });
    });
  },
});

const puppeteerBuild = ({ id, part, package: name }: Build<"rebrowser-puppeteer-core">): Variant => ({
  id,
  tool: name,
  part,
  isDefinitive: false,
  needs: ["chromium", "xvfb"],
  packages: [name],
  async visit({ programs, tools }, { url, outcome, env, folder }) {
    const { default: puppeteer } = await tools.load(name);
    const settings = { ...UNFLAGGED, executablePath: programs.chromium, headless: false, env, userDataDir: folder };
    const browser = await puppeteer.launch({ ...settings, defaultViewport: null });
    return driven(browser, outcome, async () => {
      const page = (await browser.pages())[0] ?? (await browser.newPage());
      await page.goto(url, { timeout: NAVIGATION_TIMEOUT_MS });
    });
  },
});

type Raw = { id: string; part: Part; commands?: [method: string, params: object][] };

/** The DevTools Protocol without a library; `commands` are sent before the page is opened. */
const rawProtocol = ({ id, part, commands = [] }: Raw): Variant => ({
  id: `cdp-${id}`,
  tool: "Chrome DevTools Protocol",
  part,
  isDefinitive: false,
  needs: ["chromium", "xvfb"],
  packages: ["ws"],
  async visit({ programs, tools }, { url, outcome, env, folder }) {
    const port = await claimPort();
    const all = [...QUIET, ...SOFTWARE_GRAPHICS, `--user-data-dir=${folder}`, `--remote-debugging-port=${port}`];
    const browser = startGroup(programOf(programs, "chromium"), [...all, "about:blank"], env);
    const reported = openPageSocket(port, tools).then(async (send) => {
      for (const [method, params] of commands) send(method, params);
      send("Page.navigate", { url });
      await delay(500);
      send("Runtime.evaluate", { expression: "document.title" });
      send("Input.dispatchMouseEvent", { type: "mouseMoved", x: 200, y: 150 });
      return outcome;
    });
    return outcomeOf(browser, reported);
  },
});

const Message = z.looseObject({
  id: z.number().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
type Message = z.infer<typeof Message>;

/** Starts a Model Context Protocol server on stdio. */
function openServer(
  file: string,
  args: readonly string[],
  { env, folder }: { env: NodeJS.ProcessEnv; folder: string },
) {
  const child = spawn(process.execPath, [file, ...args], { env, cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, (message: Message) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = Message.parse(JSON.parse(line));
    waiting.get(message.id ?? -1)?.(message);
  });
  let id = 0;
  const write = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    ask(method: string, params: object): Promise<Message> {
      id += 1;
      const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
      write({ id, method, params });
      return answer;
    },
    tell: (method: string) => write({ method }),
    async stop() {
      const ended = new Promise((resolve) => child.once("close", resolve));
      child.stdin.end();
      await Promise.race([ended, delay(10_000)]);
      child.kill("SIGKILL");
    },
  };
}

/** The browser of an AI agent, driven by its model through tools. */
const playwrightMcp = ({ id, part, args = [] }: { id: string; part: Part; args?: string[] }): Variant => ({
  id: `playwright-mcp-${id}`,
  tool: "@playwright/mcp",
  part,
  isDefinitive: false,
  needs: ["chromium", "xvfb"],
  packages: ["@playwright/mcp"],
  async visit({ programs, tools }, { url, outcome, env, folder }) {
    const file = path.join(tools.folder, "node_modules/@playwright/mcp/cli.js");
    const chromium = programOf(programs, "chromium");
    const own = ["--browser=chromium", `--executable-path=${chromium}`, `--user-data-dir=${folder}`, "--no-sandbox"];
    const server = openServer(file, [...own, ...args], { env: { ...env, HOME: folder }, folder });
    try {
      const clientInfo = { name: "visit", version: "1" };
      await server.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
      server.tell("notifications/initialized");
      const navigated = server.ask("tools/call", { name: "browser_navigate", arguments: { url } });
      const failed = navigated.then(({ result, error }) => {
        const isError = typeof result === "object" && result !== null && "isError" in result && result.isError === true;
        if (error !== undefined || isError) throw new Error(JSON.stringify(error ?? result).slice(0, 500));
        return outcome;
      });
      return await Promise.race([outcome, failed]);
    } finally {
      // Closes the browser in case it outlives the session.
      await server.ask("tools/call", { name: "browser_close", arguments: {} });
      await server.stop();
    }
  },
});

const CHROME_136 = {
  userAgent: LINUX_CHROME(136),
  platform: "Linux x86_64",
  userAgentMetadata: {
    brands: [
      { brand: "Chromium", version: "136" },
      { brand: "Google Chrome", version: "136" },
      { brand: "Not.A/Brand", version: "99" },
    ],
    fullVersionList: [
      { brand: "Chromium", version: "136.0.7103.113" },
      { brand: "Google Chrome", version: "136.0.7103.113" },
      { brand: "Not.A/Brand", version: "99.0.0.0" },
    ],
    platform: "Linux",
    platformVersion: "6.12.0",
    architecture: "x86",
    bitness: "64",
    model: "",
    mobile: false,
  },
};
const withBrands = (brands: { brand: string; version: string }[]) => ({
  ...CHROME_136,
  userAgent: LINUX_CHROME(150),
  userAgentMetadata: { ...CHROME_136.userAgentMetadata, brands, fullVersionList: brands },
});

export const quietDriverVariants = [
  rawProtocol({ id: "quiet", part: "design" }),
  rawProtocol({ id: "runtime", part: "design", commands: [["Runtime.enable", {}]] }),
  rawProtocol({ id: "as-chrome-136", part: "design", commands: [["Emulation.setUserAgentOverride", CHROME_136]] }),
  rawProtocol({
    id: "as-chrome-150",
    part: "hold-out",
    commands: [
      [
        "Emulation.setUserAgentOverride",
        withBrands([
          { brand: "Chromium", version: "150" },
          { brand: "Google Chrome", version: "150" },
          { brand: "Not.A/Brand", version: "99" },
        ]),
      ],
    ],
  }),
  playwrightBuild({ id: "patchright", part: "design", package: "patchright-core" }),
  playwrightBuild({ id: "patchright-headless", part: "hold-out", package: "patchright-core", headless: true }),
  playwrightBuild({ id: "rebrowser-playwright", part: "hold-out", package: "rebrowser-playwright-core" }),
  puppeteerBuild({ id: "rebrowser-puppeteer", part: "hold-out", package: "rebrowser-puppeteer-core" }),
  playwrightMcp({ id: "window", part: "design" }),
  playwrightMcp({ id: "headless", part: "hold-out", args: ["--headless"] }),
];

/** Drivers that are made to leave no trace, and those of AI agents. */
import { createInterface } from "node:readline";
import { spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { claimPort } from "../../demo/processes.mjs";
import { startGroup } from "../processes.mjs";
import { LINUX_CHROME } from "../user-agents.mjs";
import { NO_FLAG, QUIET, SOFTWARE_GRAPHICS } from "./chromium-arguments.mjs";
import { openPageSocket } from "./devtools-socket.mjs";

const NAVIGATION_TIMEOUT_MS = 60_000;

/** Builds of Playwright that leave out what pages recognise it by. */
const playwrightBuild = ({ id, part, package: name, headless = false, context = { viewport: null } }) => ({
  id,
  tool: name,
  part,
  isDefinitive: headless,
  needs: ["chromium", ...(headless ? [] : ["xvfb"])],
  packages: [name],
  async visit(kit, { url, outcome, env, folder }) {
    const { default: playwright } = await kit.tools.load(name);
    const opened = await playwright.chromium.launchPersistentContext(folder, {
      executablePath: kit.programs.chromium,
      headless,
      env,
      args: [...QUIET, ...SOFTWARE_GRAPHICS, ...NO_FLAG],
      ignoreDefaultArgs: ["--enable-automation"],
      ...context,
    });
    try {
      const page = opened.pages()[0] ?? (await opened.newPage());
      await page.goto(url, { timeout: NAVIGATION_TIMEOUT_MS });
      return await outcome;
    } finally {
      await opened.close();
    }
  },
});

const puppeteerBuild = ({ id, part, package: name }) => ({
  id,
  tool: name,
  part,
  isDefinitive: false,
  needs: ["chromium", "xvfb"],
  packages: [name],
  async visit(kit, { url, outcome, env, folder }) {
    const { default: puppeteer } = await kit.tools.load(name);
    const browser = await puppeteer.launch({
      executablePath: kit.programs.chromium,
      headless: false,
      env,
      userDataDir: folder,
      defaultViewport: null,
      ignoreDefaultArgs: ["--enable-automation"],
      args: [...QUIET, ...SOFTWARE_GRAPHICS, ...NO_FLAG],
    });
    try {
      const [page] = await browser.pages();
      await page.goto(url, { timeout: NAVIGATION_TIMEOUT_MS });
      return await outcome;
    } finally {
      await browser.close();
    }
  },
});

/** The protocol of developer tools without any library: `commands` are sent before the page is opened. */
const rawProtocol = ({ id, part, commands = [], args = [] }) => ({
  id: `cdp-${id}`,
  tool: "Chrome DevTools Protocol",
  part,
  isDefinitive: false,
  needs: ["chromium", "xvfb"],
  packages: ["ws"],
  async visit(kit, { url, outcome, env, folder }) {
    const { default: WebSocket } = await kit.tools.load("ws");
    const port = await claimPort(0);
    const all = [...QUIET, ...SOFTWARE_GRAPHICS, `--user-data-dir=${folder}`, `--remote-debugging-port=${port}`];
    const browser = startGroup(kit.programs.chromium, [...all, ...args, "about:blank"], env);
    try {
      const send = await openPageSocket(port, WebSocket);
      for (const [method, params] of commands) send(method, params);
      send("Page.navigate", { url });
      await delay(500);
      send("Runtime.evaluate", { expression: "document.title" });
      send("Input.dispatchMouseEvent", { type: "mouseMoved", x: 200, y: 150 });
      return await outcome;
    } finally {
      await browser.stop();
    }
  },
});

/** A Model Context Protocol server on its standard streams. */
function openServer(file, args, { env, folder }) {
  const child = spawn(process.execPath, [file, ...args], { env, cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let id = 0;
  const write = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    ask(method, params) {
      id += 1;
      const answer = new Promise((resolve) => waiting.set(id, resolve));
      write({ id, method, params });
      return answer;
    },
    tell: (method) => write({ method }),
    async stop() {
      const ended = new Promise((resolve) => child.once("close", resolve));
      child.stdin.end();
      await Promise.race([ended, delay(10_000)]);
      child.kill("SIGKILL");
    },
  };
}

/** The browser of an AI agent, which its model drives by tools. */
const playwrightMcp = ({ id, part, args = [] }) => ({
  id: `playwright-mcp-${id}`,
  tool: "@playwright/mcp",
  part,
  isDefinitive: false,
  needs: ["chromium", "xvfb"],
  packages: ["@playwright/mcp"],
  async visit(kit, { url, outcome, env, folder }) {
    const file = path.join(kit.tools.folder, "node_modules/@playwright/mcp/cli.js");
    const own = ["--browser=chromium", `--executable-path=${kit.programs.chromium}`, `--user-data-dir=${folder}`];
    const server = openServer(file, [...own, "--no-sandbox", ...args], { env: { ...env, HOME: folder }, folder });
    try {
      const clientInfo = { name: "visit", version: "1" };
      await server.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
      server.tell("notifications/initialized");
      const navigated = server.ask("tools/call", { name: "browser_navigate", arguments: { url } });
      const failed = navigated.then(async ({ result, error }) => {
        if (error || result?.isError) throw new Error(JSON.stringify(error ?? result).slice(0, 500));
        return outcome;
      });
      return await Promise.race([outcome, failed]);
    } finally {
      // Where the browser outlives the session, the call that closes it does not.
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
const withBrands = (brands) => ({
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

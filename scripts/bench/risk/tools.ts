import { execFile } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { ROOT } from "../../build/layout.mjs";
import { environmentWith } from "../../common/processes";
import type { ToolModules } from "./tool-modules";

const run = promisify(execFile);
const FOLDER = path.join(ROOT, ".test/bench-risk/tools");
const INSTALL_TIMEOUT_MS = 15 * 60_000;

/** Latest releases that run on Node 20. Together they take 160 MB, so only the bench installs them. */
const TOOLS = {
  "puppeteer-core": "24.43.1",
  "puppeteer-extra": "3.3.6",
  "puppeteer-extra-plugin-stealth": "2.11.2",
  "playwright-core": "1.65.1",
  "playwright-extra": "4.3.6",
  "@playwright/mcp": "0.0.83",
  "patchright-core": "1.63.0",
  "rebrowser-playwright-core": "1.52.0",
  "rebrowser-puppeteer-core": "24.8.1",
  "selenium-webdriver": "4.46.0",
  fpscanner: "1.0.2",
  ws: "8.23.0",
} as const;
export type ToolName = keyof typeof TOOLS;

/** Programs by name, with their Debian package and possible locations. */
const PROGRAMS = {
  chromium: { package: "chromium", paths: ["/usr/bin/chromium", "/usr/bin/google-chrome"] },
  chromedriver: { package: "chromium-driver", paths: ["/usr/bin/chromedriver"] },
  firefox: { package: "firefox-esr", paths: ["/usr/bin/firefox-esr", "/usr/bin/firefox"] },
  webKitDriver: { package: "webkit2gtk-driver", paths: ["/usr/bin/WebKitWebDriver"] },
  miniBrowser: {
    package: "webkit2gtk-driver",
    paths: ["4.1", "4.0"].map((version) => `/usr/lib/x86_64-linux-gnu/webkit2gtk-${version}/MiniBrowser`),
  },
  epiphany: { package: "epiphany-browser", paths: ["/usr/bin/epiphany"] },
  falkon: { package: "falkon", paths: ["/usr/bin/falkon"] },
  qutebrowser: { package: "qutebrowser", paths: ["/usr/bin/qutebrowser"] },
  xvfb: { package: "xvfb", paths: ["/usr/bin/Xvfb"] },
  dbus: { package: "dbus-daemon", paths: ["/usr/bin/dbus-run-session"] },
};

export type ProgramName = keyof typeof PROGRAMS;
export type Programs = Readonly<Record<ProgramName, string | undefined>>;
export const PROGRAM_NAMES = Object.keys(PROGRAMS).filter((name): name is ProgramName => Object.hasOwn(PROGRAMS, name));

type Log = (line: string) => void;

const find = (name: ProgramName) => PROGRAMS[name].paths.find((file) => fs.existsSync(file));
const canInstall = () => process.getuid?.() === 0 && fs.existsSync("/etc/debian_version");

async function installPackages(packages: readonly string[], log: Log): Promise<void> {
  const env = environmentWith({ DEBIAN_FRONTEND: "noninteractive" });
  const aptGet = (...args: string[]) =>
    run("apt-get", args, { timeout: INSTALL_TIMEOUT_MS, maxBuffer: 2 ** 26, env }).catch(() => undefined);
  log(`Installing Debian packages: ${packages.join(", ")}`);
  await aptGet("update");
  // One by one: a package missing in this Debian release must not prevent the others.
  for (const name of packages) await aptGet("install", "-y", "--no-install-recommends", name);
}

/** Installs what can be installed; returns the available programs and the names of those missing. */
export async function findPrograms(log: Log): Promise<{ programs: Programs; missing: string[] }> {
  const wanted = PROGRAM_NAMES.filter((name) => find(name) === undefined);
  const packages = wanted.map((name) => PROGRAMS[name].package);
  if (wanted.length > 0 && canInstall()) await installPackages([...new Set(packages)], log);
  const programs = Object.fromEntries(PROGRAM_NAMES.map((name) => [name, find(name)])) as Programs; // safe: all names
  const missing = PROGRAM_NAMES.filter((name) => programs[name] === undefined);
  return { programs, missing: missing.map((name) => `${name} (Debian package ${PROGRAMS[name].package})`) };
}

/** Path of a program that a variant lists in `needs`. */
export function programOf(programs: Programs, name: ProgramName): string {
  const file = programs[name];
  if (file === undefined) throw new Error(`${name} is not installed (Debian package ${PROGRAMS[name].package}).`);
  return file;
}

const TOOL_NAMES = Object.keys(TOOLS).filter((name): name is ToolName => Object.hasOwn(TOOLS, name));

function isInstalled(name: ToolName): boolean {
  const file = path.join(FOLDER, "node_modules", name, "package.json");
  if (!fs.existsSync(file)) return false;
  const { version } = JSON.parse(fs.readFileSync(file, "utf8")) as { version: string }; // safe: every package has one
  return version === TOOLS[name];
}

export type Tools = Awaited<ReturnType<typeof openTools>>;

/** Installs the automation tools in exact versions, into a separate folder that tests and builds do not use. */
export async function openTools(log: Log) {
  fs.mkdirSync(FOLDER, { recursive: true });
  if (!TOOL_NAMES.every(isInstalled)) {
    log("Installing the automation tools from npm");
    fs.writeFileSync(path.join(FOLDER, "package.json"), JSON.stringify({ private: true, dependencies: TOOLS }));
    const env = environmentWith({ PUPPETEER_SKIP_DOWNLOAD: "1", PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" });
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
    await run("npm", args, { cwd: FOLDER, env, timeout: INSTALL_TIMEOUT_MS }).catch((error: unknown) => {
      log(String(error));
    });
  }
  const { resolve } = createRequire(path.join(FOLDER, "package.json"));
  return {
    folder: FOLDER,
    versions: TOOLS,
    missing: TOOL_NAMES.filter((name) => !isInstalled(name)).map((name) => `${name} ${TOOLS[name]} (npm)`),
    has: isInstalled,
    async load<M extends keyof ToolModules>(name: M): Promise<ToolModules[M]> {
      return (await import(pathToFileURL(resolve(name)).href)) as ToolModules[M]; // safe: the version is pinned above
    },
  };
}

/** Version strings that the programs print, for the table. */
export async function programVersions(programs: Programs): Promise<Record<string, string>> {
  const asked = ["chromium", "firefox", "epiphany", "falkon", "qutebrowser"] as const;
  const env = environmentWith({ QT_QPA_PLATFORM: "offscreen", QTWEBENGINE_DISABLE_SANDBOX: "1" });
  const versions = asked.map(async (name) => {
    const file = programs[name];
    if (file === undefined) return [];
    const answer = await run(file, ["--version"], { env, timeout: 30_000 }).catch(() => ({ stdout: "" }));
    return [[name, /\d+(?:\.\d+)+\w*/.exec(answer.stdout)?.[0] ?? "unknown"] as const];
  });
  return Object.fromEntries((await Promise.all(versions)).flat());
}

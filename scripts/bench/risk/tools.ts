import { execFile } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { ROOT } from "../build/layout.mjs";

const run = promisify(execFile);
const FOLDER = path.join(ROOT, ".test/bench-risk/tools");
const INSTALL_TIMEOUT_MS = 15 * 60_000;

/** The last releases for Node 20. Together they take 160 MB, so the bench installs them and the product does not. */
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
};

/** Programs by name, with the Debian package that brings each and the places where it may lie. */
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

const find = ({ paths }) => paths.find((file) => fs.existsSync(file));
const canInstall = () => process.getuid?.() === 0 && fs.existsSync("/etc/debian_version");

async function installPackages(packages, say) {
  const options = { timeout: INSTALL_TIMEOUT_MS, maxBuffer: 2 ** 26 };
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  say(`Installing Debian packages: ${packages.join(", ")}`);
  await run("apt-get", ["update"], { ...options, env }).catch(() => undefined);
  // One by one: a package that this release does not have must not keep the others away.
  for (const name of packages)
    await run("apt-get", ["install", "-y", "--no-install-recommends", name], { ...options, env }).catch(
      () => undefined,
    );
}

/** The programs that are there, after what could be installed was; the names of those that are missing. */
export async function findPrograms(say) {
  const wanted = Object.values(PROGRAMS).filter((program) => find(program) === undefined);
  if (wanted.length > 0 && canInstall()) await installPackages([...new Set(wanted.map((one) => one.package))], say);
  const programs = Object.fromEntries(Object.entries(PROGRAMS).map(([name, program]) => [name, find(program)]));
  const missing = Object.entries(PROGRAMS)
    .filter(([name]) => programs[name] === undefined)
    .map(([name, program]) => `${name} (Debian package ${program.package})`);
  return { programs, missing };
}

const isInstalled = ([name, version]) => {
  const file = path.join(FOLDER, "node_modules", name, "package.json");
  return fs.existsSync(file) && JSON.parse(fs.readFileSync(file, "utf8")).version === version;
};

/** The driving tools in exact versions, in a folder of their own that tests and builds never see. */
export async function openTools(say) {
  fs.mkdirSync(FOLDER, { recursive: true });
  if (!Object.entries(TOOLS).every(isInstalled)) {
    say("Installing the driving tools from npm");
    fs.writeFileSync(path.join(FOLDER, "package.json"), JSON.stringify({ private: true, dependencies: TOOLS }));
    const env = { ...process.env, PUPPETEER_SKIP_DOWNLOAD: "1", PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" };
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
    await run("npm", args, { cwd: FOLDER, env, timeout: INSTALL_TIMEOUT_MS }).catch((error) => say(error.message));
  }
  const require = createRequire(path.join(FOLDER, "package.json"));
  const missing = Object.entries(TOOLS)
    .filter((tool) => !isInstalled(tool))
    .map(([name, version]) => `${name} ${version} (npm)`);
  return {
    folder: FOLDER,
    versions: TOOLS,
    missing,
    has: (name) => isInstalled([name, TOOLS[name]]),
    load: async (name) => import(pathToFileURL(require.resolve(name)).href),
  };
}

/** What each program calls itself, for the table. */
export async function programVersions(programs) {
  const asked = ["chromium", "firefox", "epiphany", "falkon", "qutebrowser"].filter((name) => programs[name]);
  const env = { ...process.env, QT_QPA_PLATFORM: "offscreen", QTWEBENGINE_DISABLE_SANDBOX: "1" };
  const versions = await Promise.all(
    asked.map(async (name) => {
      const { stdout } = await run(programs[name], ["--version"], { env, timeout: 30_000 }).catch(() => ({
        stdout: "",
      }));
      return [name, /\d+(?:\.\d+)+\w*/.exec(stdout)?.[0] ?? "unknown"];
    }),
  );
  return Object.fromEntries(versions);
}

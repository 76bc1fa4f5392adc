import { execFile, execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const MAC_APPLICATIONS = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const run = promisify(execFile);

const fromPath = () =>
  (process.env.PATH ?? "").split(path.delimiter).flatMap((folder) => NAMES.map((name) => path.join(folder, name)));

/** Browsers that Playwright installed earlier, the newest first. */
function fromPlaywright() {
  const folders = [
    process.env.PLAYWRIGHT_BROWSERS_PATH,
    path.join(os.homedir(), ".cache/ms-playwright"),
    path.join(os.homedir(), "Library/Caches/ms-playwright"),
  ];
  return folders.flatMap((folder) => {
    if (!folder || !fs.existsSync(folder)) return [];
    return fs
      .readdirSync(folder)
      .filter((name) => /^chromium-\d+$/.test(name))
      .sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)))
      .flatMap((name) => [
        path.join(folder, name, "chrome-linux/chrome"),
        path.join(folder, name, "chrome-linux64/chrome"),
        path.join(folder, name, "chrome-mac/Chromium.app/Contents/MacOS/Chromium"),
      ]);
  });
}

/** @param {string} file */
async function works(file) {
  if (!fs.existsSync(file)) return false;
  try {
    await run(file, ["--version"], { timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

const canInstall = () => process.getuid?.() === 0 && fs.existsSync("/etc/debian_version");

function install() {
  console.log("No Chromium was found: installing the package `chromium`");
  const options = /** @type {const} */ ({ stdio: "ignore", timeout: 10 * 60_000 });
  execFileSync("apt-get", ["update"], options);
  execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], {
    ...options,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}

async function search() {
  for (const file of [...fromPath(), ...MAC_APPLICATIONS, ...fromPlaywright()]) if (await works(file)) return file;
  return undefined;
}

/**
 * The browser for the tests: PLAYWRIGHT_CHROMIUM, one of the system, one that Playwright installed; on Debian as
 * root the package is installed. Never skipped silently.
 *
 * @throws Error that names the one command
 */
export async function findChromium() {
  const given = process.env.PLAYWRIGHT_CHROMIUM;
  if (given) {
    if (await works(given)) return given;
    throw new Error(`PLAYWRIGHT_CHROMIUM=${given} is not a browser that runs here.`);
  }
  const found = await search();
  if (found) return found;
  if (canInstall()) {
    try {
      install();
    } catch (error) {
      console.log(`apt-get failed: ${error instanceof Error ? error.message : error}`);
    }
    const installed = await search();
    if (installed) return installed;
  }
  const command = fs.existsSync("/etc/debian_version")
    ? "sudo apt-get install -y chromium"
    : "npx playwright-core install chromium";
  throw new Error(`The browser tests need Chromium. Install it with: ${command}   (or set PLAYWRIGHT_CHROMIUM)`);
}

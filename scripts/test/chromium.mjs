import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { findProgram, onPath } from "./find-program.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const MAC_APPLICATIONS = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Browsers that Playwright installed earlier, newest first. */
function fromPlaywright() {
  const folders = [
    process.env["PLAYWRIGHT_BROWSERS_PATH"],
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

/**
 * The browser for the tests: PLAYWRIGHT_CHROMIUM, else one installed on the system, else one installed by Playwright.
 *
 * @param {{ purpose?: string, isLookingOnly?: boolean }} [options]
 */
export const findChromium = ({ purpose = "A test in a browser", isLookingOnly = false } = {}) =>
  findProgram({
    title: "Chromium",
    purpose,
    isLookingOnly,
    variable: "PLAYWRIGHT_CHROMIUM",
    debianPackage: "chromium",
    elsewhere: "npx playwright-core install chromium",
    candidates: () => [...onPath(NAMES), ...MAC_APPLICATIONS, ...fromPlaywright()],
  });

/**
 * Chromium's headless shell, for the pages of the service: it renders them identically and takes half the CPU time. Its
 * signals differ from those of visitors' browsers, so the component is tested in the full Chromium.
 *
 * @param {{ isLookingOnly?: boolean }} [options]
 */
export async function findHeadlessShell({ isLookingOnly = false } = {}) {
  try {
    return await findProgram({
      title: "Chromium's headless shell",
      purpose: "A test of the Console",
      isLookingOnly,
      variable: "CHROMIUM_HEADLESS_SHELL",
      debianPackage: "chromium-headless-shell",
      elsewhere: "npx playwright-core install chromium-headless-shell",
      candidates: () => onPath(["chromium-headless-shell"]),
    });
  } catch {
    return findChromium({ isLookingOnly });
  }
}

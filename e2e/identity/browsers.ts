import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { launchChromiumProfile } from "@/test/browser";
import { startGroup } from "../../scripts/common/process-group";
import { userJs } from "../../scripts/common/firefox-preferences";

/** Time until a browser shows its first page; generous, because the machine may be busy. */
const START_TIMEOUT_MS = 120_000;
/** Time until a browser whose page closed its window has written its profile and exited. */
const CLOSE_TIMEOUT_MS = 120_000;

type Screen = { width: number; height: number };
export type Start = {
  /** A folder, created if missing. */
  profile: string;
  screen: Screen;
  isPrivate?: boolean;
  /** Firefox's `resistFingerprinting`. */
  isResisting?: boolean;
};

type Running = {
  /** Its latest output. */
  output: () => string;
  /** Resolves when the browser has exited after its page closed the window. */
  ended: () => Promise<void>;
  /** Kills whatever is still running. */
  stop: () => Promise<void>;
};

/** Starts a browser with a page. */
export type StartBrowser = (url: string, start: Start) => Promise<Running>;

/** Chromium, started by Playwright, which only opens the page and closes the browser; nothing else is automated. */
export const startChromium: StartBrowser = async (url, { profile, screen: { width, height }, isPrivate }) => {
  const size = [`--screen-info={${width}x${height}}`, `--window-size=${width},${height}`];
  const args = isPrivate ? [...size, "--incognito"] : size;
  const context = await launchChromiumProfile(profile, args, START_TIMEOUT_MS);
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(url, { timeout: START_TIMEOUT_MS });
  return { output: () => "", ended: () => Promise.resolve(), stop: () => context.close() };
};

function firefoxProfile({ profile, isResisting = false }: Start): string {
  mkdirSync(profile, { recursive: true });
  const preferences = {
    "dom.allow_scripts_to_close_windows": true,
    "dom.disable_open_during_load": false,
    "privacy.resistFingerprinting": isResisting,
  };
  writeFileSync(join(profile, "user.js"), userJs(preferences));
  return profile;
}

/** Firefox, which Playwright cannot drive: started as people start it, on a virtual display. */
export const startFirefox: StartBrowser = (url, start) => {
  const profile = firefoxProfile(start);
  const { width, height } = start.screen;
  const env = {
    ...process.env,
    HOME: profile,
    XDG_CACHE_HOME: join(profile, "cache"),
    MOZ_HEADLESS: "1",
    MOZ_HEADLESS_WIDTH: String(width),
    MOZ_HEADLESS_HEIGHT: String(height),
  };
  const kind = start.isPrivate ? "--private-window" : "--new-window";
  const browser = startGroup(
    process.env["FIREFOX"] ?? "firefox-esr",
    ["--no-remote", "--profile", profile, kind, url],
    env,
  );
  const late = async () => {
    await delay(CLOSE_TIMEOUT_MS, undefined, { ref: false });
    throw new Error("Firefox did not exit by itself.");
  };
  return Promise.resolve({
    output: browser.output,
    async ended() {
      await Promise.race([browser.ended, late()]);
    },
    stop: () => browser.stop(),
  });
};

/** Chromium and Firefox without a driver that call themselves something else, or that run without a window under their own name. */
import fs from "node:fs";
import path from "node:path";

import { outcomeOf, startGroup } from "../processes.mjs";
import { CHATGPT_USER, CHROMEOS_CHROME, LINUX_CHROME, WINDOWS_CHROME } from "../user-agents.mjs";
import { QUIET, SOFTWARE_GRAPHICS } from "./chromium-arguments.mjs";
import { userJs } from "./firefox-preferences.mjs";

/** A real window, started by hand with another user agent. */
const claiming = ({ id, part, userAgent, args = [] }) => ({
  id: `claim-${id}`,
  tool: "Chromium --user-agent",
  part,
  isDefinitive: false,
  needs: ["chromium", "xvfb"],
  packages: [],
  visit(kit, { url, outcome, env, folder }) {
    const own = [`--user-data-dir=${folder}`, `--user-agent=${userAgent}`, ...args];
    return outcomeOf(startGroup(kit.programs.chromium, [...QUIET, ...SOFTWARE_GRAPHICS, ...own, url], env), outcome);
  },
});

const firefoxHeadless = ({ id, part, env: extra = {}, preferences = {}, args = [] }) => ({
  id: `firefox-headless-${id}`,
  tool: "Firefox --headless",
  part,
  isDefinitive: false,
  needs: ["firefox"],
  packages: [],
  visit(kit, { url, outcome, env, folder }) {
    const profile = path.join(folder, "profile");
    fs.mkdirSync(profile);
    fs.writeFileSync(path.join(profile, "user.js"), userJs(preferences));
    const { DISPLAY: _display, ...rest } = env;
    const all = ["--headless", "--no-remote", "--profile", profile, ...args, url];
    return outcomeOf(startGroup(kit.programs.firefox, all, { ...rest, HOME: folder, ...extra }), outcome);
  },
});

const NATIVE = 156;

export const claimVariants = [
  claiming({ id: "curl", part: "design", userAgent: "curl/8.5.0" }),
  claiming({ id: "mozilla", part: "design", userAgent: "Mozilla/5.0" }),
  claiming({ id: "opera", part: "design", userAgent: `${LINUX_CHROME(NATIVE)} OPR/142.0.0.0` }),
  claiming({ id: "chrome-136", part: "design", userAgent: LINUX_CHROME(136) }),
  claiming({ id: "chromeos-headless", part: "design", userAgent: CHROMEOS_CHROME(NATIVE), args: ["--headless"] }),
  claiming({ id: "python", part: "hold-out", userAgent: "python-requests/2.32.3" }),
  claiming({ id: "node", part: "hold-out", userAgent: "node" }),
  claiming({ id: "chatgpt-user", part: "hold-out", userAgent: CHATGPT_USER }),
  claiming({ id: "chromeos", part: "hold-out", userAgent: CHROMEOS_CHROME(NATIVE) }),
  claiming({ id: "windows", part: "hold-out", userAgent: WINDOWS_CHROME(NATIVE) }),
  claiming({ id: "chrome-170", part: "hold-out", userAgent: LINUX_CHROME(170) }),
  firefoxHeadless({ id: "plain", part: "design" }),
  firefoxHeadless({
    id: "sized",
    part: "design",
    env: { MOZ_HEADLESS_WIDTH: "1920", MOZ_HEADLESS_HEIGHT: "1080" },
  }),
  firefoxHeadless({ id: "private", part: "hold-out", args: ["--private-window"] }),
  firefoxHeadless({ id: "paris", part: "hold-out", env: { TZ: "Europe/Paris" } }),
];

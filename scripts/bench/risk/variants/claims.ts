/** Chromium and Firefox without a driver that claim to be something else, or that run headless under their own name. */
import fs from "node:fs";
import path from "node:path";

import { userJs } from "../../../common/firefox-preferences";
import { startGroup } from "../../../common/process-group";
import { programOf } from "../tools";
import { CHATGPT_USER, CHROMEOS_CHROME, LINUX_CHROME, WINDOWS_CHROME } from "../user-agents";
import { outcomeOf, type Part, type Variant } from "../variant";
import { QUIET, SOFTWARE_GRAPHICS } from "./chromium-arguments";

type Claim = { id: string; part: Part; userAgent: string; args?: string[] };

/** A real window, started by hand with a different user agent. */
const claiming = ({ id, part, userAgent, args = [] }: Claim): Variant => ({
  id: `claim-${id}`,
  tool: "Chromium --user-agent",
  part,
  isDefinitive: false,
  needs: ["chromium", "xvfb"],
  packages: [],
  visit({ programs }, { url, outcome, env, folder }) {
    const all = [
      ...QUIET,
      ...SOFTWARE_GRAPHICS,
      `--user-data-dir=${folder}`,
      `--user-agent=${userAgent}`,
      ...args,
      url,
    ];
    return outcomeOf(startGroup(programOf(programs, "chromium"), all, env), outcome);
  },
});

/** Firefox with a window whose preference for the user agent was set. */
const firefoxClaiming = ({ id, part, userAgent }: Claim): Variant => ({
  id: `firefox-claim-${id}`,
  tool: "Firefox general.useragent.override",
  part,
  isDefinitive: false,
  needs: ["firefox", "xvfb"],
  packages: [],
  visit({ programs }, { url, outcome, env, folder }) {
    const profile = path.join(folder, "profile");
    fs.mkdirSync(profile);
    fs.writeFileSync(path.join(profile, "user.js"), userJs({ "general.useragent.override": userAgent }));
    const all = ["--no-remote", "--profile", profile, url];
    return outcomeOf(startGroup(programOf(programs, "firefox"), all, { ...env, HOME: folder }), outcome);
  },
});

type Headless = { id: string; part: Part; env?: Record<string, string>; args?: string[] };

const firefoxHeadless = ({ id, part, env: extra = {}, args = [] }: Headless): Variant => ({
  id: `firefox-headless-${id}`,
  tool: "Firefox --headless",
  part,
  isDefinitive: false,
  needs: ["firefox"],
  packages: [],
  visit({ programs }, { url, outcome, env, folder }) {
    const profile = path.join(folder, "profile");
    fs.mkdirSync(profile);
    fs.writeFileSync(path.join(profile, "user.js"), userJs({}));
    const all = ["--headless", "--no-remote", "--profile", profile, ...args, url];
    const own = { ...env, DISPLAY: undefined, HOME: folder, ...extra };
    return outcomeOf(startGroup(programOf(programs, "firefox"), all, own), outcome);
  },
});

const NATIVE = 156;
const LINUX_FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";

export const claimVariants = [
  claiming({ id: "curl", part: "design", userAgent: "curl/8.5.0" }),
  claiming({ id: "mozilla", part: "design", userAgent: "Mozilla/5.0" }),
  claiming({ id: "opera", part: "design", userAgent: `${LINUX_CHROME(NATIVE)} OPR/142.0.0.0` }),
  claiming({ id: "chrome-136", part: "design", userAgent: LINUX_CHROME(136) }),
  claiming({ id: "chromeos-headless", part: "design", userAgent: CHROMEOS_CHROME(NATIVE), args: ["--headless"] }),
  claiming({ id: "ubuntu", part: "design", userAgent: LINUX_CHROME(NATIVE).replace("X11; ", "X11; Ubuntu; ") }),
  claiming({ id: "i686", part: "design", userAgent: LINUX_CHROME(NATIVE).replace("x86_64", "i686") }),
  claiming({ id: "seamonkey", part: "design", userAgent: `${LINUX_CHROME(NATIVE)} SeaMonkey/2.53.18` }),
  claiming({ id: "twice", part: "design", userAgent: `${LINUX_CHROME(NATIVE)} ${LINUX_CHROME(NATIVE)}` }),
  firefoxClaiming({ id: "i686", part: "design", userAgent: LINUX_FIREFOX.replace("x86_64", "i686") }),
  firefoxClaiming({
    id: "windows",
    part: "design",
    userAgent: LINUX_FIREFOX.replace("X11; Linux x86_64", "Windows NT 10.0; Win64; x64"),
  }),
  firefoxClaiming({ id: "chrome", part: "design", userAgent: LINUX_CHROME(NATIVE) }),
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

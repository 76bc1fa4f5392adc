/** Browsers as people start them: no driver, no flag that a page can see. The page reports by itself. */
import fs from "node:fs";
import path from "node:path";

import { outcomeOf, startGroup } from "../processes.mjs";
import { QUIET, SOFTWARE_GRAPHICS } from "./chromium-arguments.mjs";
import { userJs } from "./firefox-preferences.mjs";

/** @param {{ id: string, program: string, part: string, command: (folder: string, url: string) => string[] }} options */
const clean = ({ id, program, part, command, env: extra = {}, screen, needs = [], name, address }) => ({
  id: `clean-${id}`,
  tool: name,
  part,
  isClean: true,
  isDefinitive: false,
  needs: [program, "xvfb", ...needs],
  packages: [],
  screen,
  address,
  async visit(kit, { url, outcome, env, folder }) {
    const home = {
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      XDG_CONFIG_HOME: folder,
      XDG_CACHE_HOME: folder,
      XDG_DATA_HOME: folder,
    };
    fs.chmodSync(folder, 0o700);
    const [first, ...rest] = command(folder, url);
    const file = kit.programs[first] ?? first;
    const args = rest.map((argument) => kit.programs[argument] ?? argument);
    return outcomeOf(startGroup(file, args, { ...env, ...home, ...extra }), outcome);
  },
});

const chromium = ({ args = [], ...options }) =>
  clean({
    ...options,
    name: "Chromium",
    program: "chromium",
    command: (folder, url) => {
      const isApp = args.includes("--app");
      const own = args.filter((argument) => argument !== "--app");
      return ["chromium", ...QUIET, `--user-data-dir=${folder}/profile`, ...own, isApp ? `--app=${url}` : url];
    },
  });

const firefox = ({ args = [], preferences = {}, ...options }) =>
  clean({
    ...options,
    name: "Firefox",
    program: "firefox",
    command: (folder, url) => {
      const profile = path.join(folder, "profile");
      fs.mkdirSync(profile);
      fs.writeFileSync(path.join(profile, "user.js"), userJs(preferences));
      return ["firefox", "--no-remote", "--profile", profile, ...args, url];
    },
  });

const WEBKIT_ENV = { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" };
const QT_ENV = { QTWEBENGINE_DISABLE_SANDBOX: "1" };

const epiphany = (options) =>
  clean({
    ...options,
    name: "Epiphany",
    program: "epiphany",
    needs: ["dbus"],
    env: { ...WEBKIT_ENV, ...options.env },
    command: (folder, url) => ["dbus", "--", "epiphany", `--profile=${folder}/profile`, url],
  });
const miniBrowser = (options) =>
  clean({
    ...options,
    name: "WebKitGTK MiniBrowser",
    program: "miniBrowser",
    env: { ...WEBKIT_ENV, ...options.env },
    command: (_folder, url) => ["miniBrowser", url],
  });
const falkon = (options) =>
  clean({
    ...options,
    name: "Falkon",
    program: "falkon",
    env: { ...QT_ENV, ...options.env },
    command: (_folder, url) => ["falkon", "--no-remote", url],
  });
const qutebrowser = (options) =>
  clean({
    ...options,
    name: "qutebrowser",
    program: "qutebrowser",
    env: { ...QT_ENV, ...options.env },
    command: (_folder, url) => ["qutebrowser", "--temp-basedir", url],
  });

const BERLIN = { TZ: "Europe/Berlin" };
/** Visits at home, whose answers are captured and sent again afterwards. */
const AT_HOME = { env: BERLIN, address: "87.140.20.7" };
const PARIS = { TZ: "Europe/Paris" };
const TOKYO = { TZ: "Asia/Tokyo", LANG: "ja_JP.UTF-8", LANGUAGE: "ja" };
const NEW_YORK = { TZ: "America/New_York" };
const PRIVATE = ["--private-window"];
const FPP = { "privacy.fingerprintingProtection": true };
const STRICT = { "browser.contentblocking.category": "strict", "privacy.globalprivacycontrol.enabled": true };
const RFP = { "privacy.resistFingerprinting": true };

export const cleanVariants = [
  chromium({ id: "chromium-at-home", part: "design", args: SOFTWARE_GRAPHICS, ...AT_HOME }),
  firefox({ id: "firefox-at-home", part: "design", ...AT_HOME }),
  chromium({ id: "chromium", part: "design" }),
  chromium({ id: "chromium-incognito", part: "design", args: ["--incognito"] }),
  chromium({ id: "chromium-paris", part: "design", env: PARIS, args: SOFTWARE_GRAPHICS, screen: "1920x1080" }),
  firefox({ id: "firefox", part: "design" }),
  firefox({ id: "firefox-private", part: "design", args: PRIVATE }),
  firefox({ id: "firefox-fpp", part: "design", preferences: FPP }),
  firefox({ id: "firefox-rfp", part: "design", preferences: RFP }),
  epiphany({ id: "epiphany", part: "design" }),
  falkon({ id: "falkon", part: "design" }),
  qutebrowser({ id: "qutebrowser", part: "design" }),
  chromium({
    id: "chromium-new-york",
    part: "hold-out",
    env: NEW_YORK,
    screen: "1280x800",
    args: ["--start-maximized"],
  }),
  chromium({ id: "chromium-tokyo", part: "hold-out", env: TOKYO, args: ["--lang=ja"] }),
  chromium({
    id: "chromium-scaled",
    part: "hold-out",
    args: ["--force-device-scale-factor=1.5", ...SOFTWARE_GRAPHICS],
    screen: "2560x1440",
  }),
  chromium({ id: "chromium-kiosk", part: "hold-out", args: ["--kiosk"] }),
  chromium({ id: "chromium-app", part: "hold-out", args: ["--app"], env: PARIS }),
  chromium({
    id: "chromium-incognito-paris",
    part: "hold-out",
    args: ["--incognito", ...SOFTWARE_GRAPHICS],
    env: PARIS,
  }),
  firefox({ id: "firefox-paris", part: "hold-out", env: PARIS, screen: "1920x1080" }),
  firefox({ id: "firefox-private-tokyo", part: "hold-out", args: PRIVATE, env: TOKYO }),
  firefox({ id: "firefox-fpp-new-york", part: "hold-out", preferences: FPP, env: NEW_YORK, screen: "1280x800" }),
  firefox({ id: "firefox-rfp-paris", part: "hold-out", preferences: RFP, env: PARIS, screen: "1920x1080" }),
  firefox({ id: "firefox-rfp-private", part: "hold-out", preferences: RFP, args: PRIVATE }),
  firefox({ id: "firefox-kiosk", part: "hold-out", args: ["--kiosk"] }),
  epiphany({ id: "epiphany-paris", part: "hold-out", env: PARIS, screen: "1920x1080" }),
  miniBrowser({ id: "minibrowser", part: "hold-out" }),
  miniBrowser({ id: "minibrowser-tokyo", part: "hold-out", env: TOKYO, screen: "1280x800" }),
  falkon({ id: "falkon-paris", part: "hold-out", env: PARIS, screen: "1920x1080" }),
  qutebrowser({ id: "qutebrowser-new-york", part: "hold-out", env: NEW_YORK, screen: "1280x800" }),
  chromium({ id: "chromium-developer-tools", part: "hold-out", args: ["--auto-open-devtools-for-tests"] }),
  chromium({ id: "chromium-dark", part: "hold-out", args: ["--force-dark-mode"], env: NEW_YORK }),
  chromium({ id: "chromium-german", part: "hold-out", args: ["--lang=de", "--accept-lang=de-DE,de"], env: BERLIN }),
  chromium({ id: "chromium-small", part: "hold-out", args: ["--window-size=500,600"] }),
  chromium({ id: "chromium-without-graphics", part: "hold-out", args: ["--disable-gpu", "--disable-3d-apis"] }),
  chromium({ id: "chromium-reduced-motion", part: "hold-out", args: ["--force-prefers-reduced-motion"], env: PARIS }),
  chromium({
    id: "chromium-without-webrtc-addresses",
    part: "hold-out",
    args: ["--force-webrtc-ip-handling-policy=disable_non_proxied_udp"],
  }),
  firefox({
    id: "firefox-german",
    part: "hold-out",
    preferences: { "intl.accept_languages": "de-DE,de" },
    env: BERLIN,
  }),
  firefox({ id: "firefox-strict", part: "hold-out", preferences: STRICT }),
  firefox({ id: "firefox-small-screen", part: "hold-out", screen: "1024x768" }),
  firefox({ id: "firefox-without-webgl", part: "hold-out", preferences: { "webgl.disabled": true } }),
  epiphany({ id: "epiphany-berlin", part: "hold-out", env: BERLIN }),
];

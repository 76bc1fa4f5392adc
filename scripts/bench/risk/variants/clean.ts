/**
 * Browsers as people start them: no driver, and no flags that a page can detect. The page reports its results itself.
 */
import fs from "node:fs";
import path from "node:path";

import { userJs } from "../../../common/firefox-preferences";
import { startGroup } from "../../../common/process-group";
import { PROGRAM_NAMES, type ProgramName, type Programs } from "../tools";
import { outcomeOf, type Part, type Variant } from "../variant";
import { QUIET, SOFTWARE_GRAPHICS } from "./chromium-arguments";

type Visitor = {
  id: string;
  part: Part;
  env?: Readonly<Record<string, string>>;
  screen?: string;
  address?: string;
};
type Browser = {
  name: string;
  program: ProgramName;
  needs?: readonly ProgramName[];
  /** Words that match a known program's name are replaced by its path. */
  command: (folder: string, url: string) => [string, ...string[]];
};

function located(programs: Programs, word: string): string {
  const name = PROGRAM_NAMES.find((known) => known === word);
  return name === undefined ? word : (programs[name] ?? word);
}

const clean = ({ id, part, env: extra, screen, address }: Visitor, browser: Browser): Variant => ({
  id: `clean-${id}`,
  tool: browser.name,
  part,
  isClean: true,
  isDefinitive: false,
  needs: [browser.program, "xvfb", ...(browser.needs ?? [])],
  packages: [],
  screen,
  address,
  visit({ programs }, { url, outcome, env, folder }) {
    const home = {
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      XDG_CONFIG_HOME: folder,
      XDG_CACHE_HOME: folder,
      XDG_DATA_HOME: folder,
    };
    fs.chmodSync(folder, 0o700);
    const [file = "", ...args] = browser.command(folder, url).map((word) => located(programs, word));
    return outcomeOf(startGroup(file, args, { ...env, ...home, ...extra }), outcome);
  },
});

const chromium = ({ args = [], ...visitor }: Visitor & { args?: readonly string[] }) =>
  clean(visitor, {
    name: "Chromium",
    program: "chromium",
    command: (folder, url) => {
      const isApp = args.includes("--app");
      const own = args.filter((argument) => argument !== "--app");
      return ["chromium", ...QUIET, `--user-data-dir=${folder}/profile`, ...own, isApp ? `--app=${url}` : url];
    },
  });

type Preferences = Readonly<Record<string, unknown>>;

const firefox = ({
  args = [],
  preferences = {},
  ...visitor
}: Visitor & { args?: readonly string[]; preferences?: Preferences }) =>
  clean(visitor, {
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

const epiphany = (visitor: Visitor) =>
  clean(
    { ...visitor, env: { ...WEBKIT_ENV, ...visitor.env } },
    {
      name: "Epiphany",
      program: "epiphany",
      needs: ["dbus"],
      command: (folder, url) => ["dbus", "--", "epiphany", `--profile=${folder}/profile`, url],
    },
  );
const miniBrowser = (visitor: Visitor) =>
  clean(
    { ...visitor, env: { ...WEBKIT_ENV, ...visitor.env } },
    { name: "WebKitGTK MiniBrowser", program: "miniBrowser", command: (_folder, url) => ["miniBrowser", url] },
  );
const falkon = (visitor: Visitor) =>
  clean(
    { ...visitor, env: { ...QT_ENV, ...visitor.env } },
    { name: "Falkon", program: "falkon", command: (_folder, url) => ["falkon", "--no-remote", url] },
  );
const qutebrowser = (visitor: Visitor) =>
  clean(
    { ...visitor, env: { ...QT_ENV, ...visitor.env } },
    { name: "qutebrowser", program: "qutebrowser", command: (_folder, url) => ["qutebrowser", "--temp-basedir", url] },
  );

const BERLIN = { TZ: "Europe/Berlin" };
/** Visits from home that are captured and replayed afterwards. */
const AT_HOME = { env: BERLIN, address: "87.140.20.7" };
const PARIS = { TZ: "Europe/Paris" };
const TOKYO = { TZ: "Asia/Tokyo", LANG: "ja_JP.UTF-8", LANGUAGE: "ja" };
const NEW_YORK = { TZ: "America/New_York" };
const PRIVATE = ["--private-window"];
const FPP = { "privacy.fingerprintingProtection": true };
const STRICT = { "browser.contentblocking.category": "strict", "privacy.globalprivacycontrol.enabled": true };
const RFP = { "privacy.resistFingerprinting": true };

export const cleanVariants: readonly Variant[] = [
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

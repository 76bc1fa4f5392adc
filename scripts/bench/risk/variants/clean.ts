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

type Preferences = Readonly<Record<string, unknown>>;

const asGiven = (url: string) => [url];
/** The visit's page in a frame of a page of another site. */
const inForeignFrame = (url: string) => [url.replace("/visit/", "/frame/").replace("localhost", "other.localhost")];
const prerendered = (url: string) => [url.replace("/visit/", "/prerender/")];
const asApp = (url: string) => [`--app=${url}`];
/** Behind another page, whose tab is in front. */
const inBackground = (url: string) => ["about:blank", url];

type BrowserVisitor = Visitor & {
  args?: readonly string[];
  preferences?: Preferences;
  open?: (url: string) => string[];
};

const chromium = ({ args = [], preferences = {}, open = asGiven, ...visitor }: BrowserVisitor) =>
  clean(visitor, {
    name: "Chromium",
    program: "chromium",
    command: (folder, url) => {
      fs.mkdirSync(`${folder}/profile/Default`, { recursive: true });
      fs.writeFileSync(`${folder}/profile/Default/Preferences`, JSON.stringify(preferences));
      return ["chromium", ...QUIET, `--user-data-dir=${folder}/profile`, ...args, ...open(url)];
    },
  });

const firefox = ({ args = [], preferences = {}, open = asGiven, ...visitor }: BrowserVisitor) =>
  clean(visitor, {
    name: "Firefox",
    program: "firefox",
    command: (folder, url) => {
      const profile = path.join(folder, "profile");
      fs.mkdirSync(profile);
      fs.writeFileSync(path.join(profile, "user.js"), userJs(preferences));
      return ["firefox", "--no-remote", "--profile", profile, ...args, ...open(url)];
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

const WITHOUT_RFP = { "privacy.resistFingerprinting": false };
/** What guides to a private Firefox recommend. */
const HARDENED = {
  ...STRICT,
  ...RFP,
  "privacy.resistFingerprinting.letterboxing": true,
  "webgl.disabled": true,
  "media.peerconnection.enabled": false,
  "network.http.referer.XOriginPolicy": 2,
  "network.http.referer.XOriginTrimmingPolicy": 2,
  "dom.webnotifications.enabled": false,
  "dom.serviceWorkers.enabled": false,
  "dom.battery.enabled": false,
  "javascript.options.asmjs": false,
  "javascript.options.wasm": false,
};
const WITHOUT_COMPILER = {
  "javascript.options.ion": false,
  "javascript.options.baselinejit": false,
  "javascript.options.native_regexp": false,
};
/** Chromium counts its levels of zoom as powers of 1.2. */
const zoomedBy = (factor: number) => ({ partition: { default_zoom_level: { x: Math.log(factor) / Math.log(1.2) } } });
/** The default for every site: block. */
const WITHOUT_COOKIES = { profile: { default_content_setting_values: { cookies: 2 } } };

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
  chromium({ id: "chromium-app", part: "hold-out", open: asApp, env: PARIS }),
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
  chromium({ id: "chromium-framed", part: "hold-out", args: SOFTWARE_GRAPHICS, open: inForeignFrame }),
  chromium({ id: "chromium-prerendered", part: "hold-out", args: SOFTWARE_GRAPHICS, open: prerendered }),
  chromium({ id: "chromium-in-background", part: "hold-out", args: SOFTWARE_GRAPHICS, open: inBackground }),
  chromium({ id: "chromium-zoomed-in", part: "hold-out", preferences: zoomedBy(1.75), env: PARIS }),
  chromium({ id: "chromium-zoomed-out", part: "hold-out", preferences: zoomedBy(0.5), env: PARIS }),
  chromium({ id: "chromium-guest", part: "hold-out", args: ["--guest"] }),
  chromium({ id: "chromium-without-compiler", part: "hold-out", args: ["--js-flags=--jitless"] }),
  chromium({ id: "chromium-without-canvas-reads", part: "hold-out", args: ["--disable-reading-from-canvas"] }),
  chromium({ id: "chromium-without-cookies", part: "hold-out", preferences: WITHOUT_COOKIES }),
  firefox({ id: "firefox-framed", part: "hold-out", open: inForeignFrame }),
  firefox({ id: "firefox-in-background", part: "hold-out", open: inBackground }),
  firefox({ id: "firefox-scaled", part: "hold-out", preferences: { "layout.css.devPixelsPerPx": "1.3" } }),
  firefox({ id: "firefox-hardened", part: "hold-out", preferences: HARDENED }),
  firefox({ id: "firefox-hardened-without-rfp", part: "hold-out", preferences: { ...HARDENED, ...WITHOUT_RFP } }),
  firefox({ id: "firefox-without-cookies", part: "hold-out", preferences: { "network.cookie.cookieBehavior": 2 } }),
  firefox({ id: "firefox-without-compiler", part: "hold-out", preferences: WITHOUT_COMPILER }),
];

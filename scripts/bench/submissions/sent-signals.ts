import { FEATURES } from "@/lib/contract/signal-lists";
import { Signals } from "@/lib/contract/signals";
import { offsetOfZone } from "@/lib/platform/time-zones";
import chromium from "@/lib/visits/risk/captures/chromium.json";
import epiphany from "@/lib/visits/risk/captures/epiphany.json";
import firefox from "@/lib/visits/risk/captures/firefox.json";
import { earlyFeatures, foreignFeatures } from "@/lib/visits/risk/domain/feature-versions";
import { releaseOf } from "@/lib/visits/risk/domain/releases";
import { madeUpBrand } from "@/lib/visits/risk/domain/rules/version-brand-list";
import { parseUserAgent } from "@/lib/visits/risk/domain/user-agent";
import { groupValue, type Visit } from "@/lib/visits/risk/domain/visit";

/** Captured signals of a browser per engine, used for everything that the generator does not produce. */
const CAPTURED = {
  blink: Signals.parse(chromium.signals),
  gecko: Signals.parse(firefox.signals),
  webkit: Signals.parse(epiphany.signals),
  unknown: Signals.parse(chromium.signals),
};

/** Values of most graphics cards, in the order of `WEBGL_LIMITS`. */
const GPU_LIMITS = [16_384, 16_384, 16_384, 16_384, 4_096, 4_096, 16];

/** Height of a desktop browser's UI around the page. */
const BARS_PIXELS = 87;

const ok = <T>(value: T) => ({ state: "ok" as const, value });

/** Offsets in minutes west of Greenwich, in winter, in summer and now. */
function offsetsOf(timeZone: string) {
  const now = new Date();
  const at = (instant: Date) => 0 - (offsetOfZone(timeZone, instant) ?? 0);
  const inMonth = (month: number) => at(new Date(Date.UTC(now.getUTCFullYear(), month, 1)));
  return { january: inMonth(0), july: inMonth(6), now: at(now) };
}

/**
 * Feature digits of the captured browser, without features that the release in `userAgent`, or its kind of machine,
 * lacks.
 */
function featuresOf(userAgent: string, captured: string): string {
  const release = releaseOf(parseUserAgent(userAgent));
  if (release === undefined) return captured;
  const all = "1".repeat(FEATURES.length);
  const early = earlyFeatures(all, release.engine, release.version).map(({ feature }) => feature);
  // The browsers were captured on computers.
  const isPhone = /Mobile|Android/.test(userAgent);
  const foreign = isPhone ? foreignFeatures(all, release.engine, release.version, "onDesktopsOnly") : [];
  const lacking = new Set([...early, ...foreign].map((feature) => FEATURES.indexOf(feature)));
  return Array.from(captured, (digit, index) => (lacking.has(index) ? "0" : digit)).join("");
}

/** A Chromium's brand list in its own order, including the GREASE brand of its release, with full versions. */
function brandsOf({ signals }: Visit) {
  const named = groupValue(signals, "uaData")?.brands ?? [];
  const major = named[0]?.version ?? "";
  const madeUp = madeUpBrand(Number(major));
  const full = (version: string | undefined) => `${version}.0.0.0`;
  return {
    brands: [...named, madeUp],
    fullVersionList: [...named, madeUp].map(({ brand, version }) => ({ brand, version: full(version) })),
  };
}

function screenOf(visit: Visit, captured: Signals) {
  const screen = { ...groupValue(captured, "screen"), ...groupValue(visit.signals, "screen") };
  const { availWidth = 0, availHeight = 0 } = screen;
  const isMobile = groupValue(visit.signals, "navigator")?.maxTouchPoints !== 0;
  const innerHeight = availHeight - (isMobile ? 0 : BARS_PIXELS);
  const media = groupValue(captured, "screen")?.media;
  return { ...screen, media, outerWidth: availWidth, outerHeight: availHeight, innerWidth: availWidth, innerHeight };
}

/** Claims of the browser that every realm repeats. */
function claimsOf(visit: Visit, captured: Signals) {
  const drawn = groupValue(visit.signals, "navigator");
  const navigator = { ...groupValue(captured, "navigator"), deviceMemory: undefined, ...drawn };
  const { userAgent = "", platform, languages, hardwareConcurrency, deviceMemory, webdriver } = navigator;
  return { navigator, webdriver, claims: { userAgent, platform, languages, hardwareConcurrency, deviceMemory } };
}

/** Signal groups that only Chromium has. */
function chromiumOf(visit: Visit, captured: Signals) {
  const drawn = groupValue(visit.signals, "uaData");
  if (drawn === undefined) return { uaData: { state: "absent" as const }, ofWorker: {} };
  const { brands, fullVersionList } = brandsOf(visit);
  const uaData = ok({ ...groupValue(captured, "uaData"), ...drawn, brands, fullVersionList });
  return { uaData, ofWorker: { brands, uaPlatform: drawn.platform } };
}

/** Omits what the generator does not know about a browser. */
const withoutNull = (_name: string, value: unknown): unknown => (value === null ? undefined : value);

/**
 * A generated visit completed with everything that a browser of its engine and release sends, consistent in its worker
 * and frame.
 */
export function sentSignals(visit: Visit): Signals {
  const captured = CAPTURED[groupValue(visit.signals, "engine")?.family ?? "unknown"];
  const { navigator, webdriver, claims } = claimsOf(visit, captured);
  const { uaData, ofWorker } = chromiumOf(visit, captured);
  const { timeZone = "UTC" } = groupValue(visit.signals, "timezone") ?? {};
  const timezone = { timeZone, ...offsetsOf(timeZone) };
  const gpu = groupValue(visit.signals, "webgl");
  const realm = { ...claims, timezoneOffset: timezone.now };
  const signals = {
    ...captured,
    ...visit.signals,
    navigator: ok(navigator),
    uaData,
    worker: ok({ ...realm, vendor: gpu?.vendor, renderer: gpu?.renderer, ...ofWorker }),
    iframe: ok({ ...realm, webdriver, isSelfWindow: true }),
    engine: ok({ ...groupValue(captured, "engine"), ...groupValue(visit.signals, "engine") }),
    features: ok(featuresOf(claims.userAgent, groupValue(captured, "features") ?? "")),
    screen: ok(screenOf(visit, captured)),
    timezone: ok(timezone),
    locale: ok({ locale: navigator.language }),
    webgl: ok({ ...gpu, limits: GPU_LIMITS }),
  };
  return Signals.parse(JSON.parse(JSON.stringify(signals, withoutNull)));
}

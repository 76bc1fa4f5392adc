import { dayOf, type DeviceProfile } from "./profile";
import { type DeviceTraits, localeText } from "./traits";
import { dottedOrder } from "./version-order";

/**
 * One fact, and how many times likelier this candidate shows it than another machine of the same model in the same
 * network.
 */
export type LinkEvidence = { fact: LinkFact; text: string; factor: number };

type LinkFact = "locale" | "screen" | "fonts" | "browser version" | "system version" | "canvas";

/**
 * Likelihood ratios of the candidate against another machine of the same model in the same network. Equal machines
 * agree in nearly everything, so agreement adds almost nothing and every change counts against the link.
 * `docs/identity.md` gives the source of each number.
 */
const RATIOS = {
  equal: 1,
  languagesChanged: 0.03,
  timeZoneChanged: 0.2,
  screenNew: 0.15,
  fontsGrown: 0.1,
  fontsChanged: 0.005,
  systemUpdated: 0.5,
  versionAsExpected: 1,
  versionJumped: 0.2,
  canvasChanged: 0.006,
  canvasChangedWithVersion: 0.8,
} as const;

/**
 * Chromium and Firefox release a major version every four weeks. This leaves a margin for visits on either side of a
 * release.
 */
const DAYS_PER_MAJOR = 20;

const found = (fact: LinkFact, text: string, factor: number): LinkEvidence => ({ fact, text, factor });

function compareLocale(now: DeviceTraits, device: DeviceProfile): LinkEvidence {
  if (device.locales.includes(localeText(now))) return found("locale", "same languages and time zone", RATIOS.equal);
  if (now.languages !== device.latest.languages) return found("locale", "other languages", RATIOS.languagesChanged);
  return found("locale", "same languages in another time zone", RATIOS.timeZoneChanged);
}

function compareScreen(now: DeviceTraits, device: DeviceProfile): LinkEvidence[] {
  if (now.screen === "" || device.screens.length === 0) return [];
  return device.screens.includes(now.screen)
    ? [found("screen", "same screen", RATIOS.equal)]
    : [found("screen", "a screen not seen there before", RATIOS.screenNew)];
}

const hasAll = (now: string, before: string) =>
  Array.from(before).every((digit, index) => digit === "0" || now[index] === "1");

function compareFonts(now: DeviceTraits, before: DeviceTraits): LinkEvidence[] {
  if (now.fonts === "" || before.fonts === "") return [];
  if (now.fonts === before.fonts) return [found("fonts", "same fonts", RATIOS.equal)];
  return hasAll(now.fonts, before.fonts)
    ? [found("fonts", "fonts were added", RATIOS.fontsGrown)]
    : [found("fonts", "other fonts", RATIOS.fontsChanged)];
}

function compareVersions(now: DeviceTraits, { latest: before, day }: DeviceProfile, today: number): LinkEvidence[] {
  const evidence: LinkEvidence[] = [];
  if (now.browserMajor !== undefined && before.browserMajor !== undefined) {
    const isExpected = now.browserMajor - before.browserMajor <= 1 + (today - day) / DAYS_PER_MAJOR;
    evidence.push(
      isExpected
        ? found("browser version", "version as expected after this time", RATIOS.versionAsExpected)
        : found("browser version", "version newer than this time explains", RATIOS.versionJumped),
    );
  }
  if (now.systemVersion !== "" && before.systemVersion !== "")
    evidence.push(
      dottedOrder(now.systemVersion, before.systemVersion) === 0
        ? found("system version", "same system version", RATIOS.equal)
        : found("system version", "the system was updated", RATIOS.systemUpdated),
    );
  return evidence;
}

function compareCanvas(now: DeviceTraits, before: DeviceTraits): LinkEvidence[] {
  if (now.canvas === "" || before.canvas === "") return [];
  if (now.canvas === before.canvas) return [found("canvas", "same picture", RATIOS.equal)];
  return now.browserMajor === before.browserMajor
    ? [found("canvas", "other picture in the same version", RATIOS.canvasChanged)]
    : [found("canvas", "other picture after an update", RATIOS.canvasChangedWithVersion)];
}

/** Weighs all evidence for and against `device` having sent the visit. */
export function weigh(now: DeviceTraits, device: DeviceProfile, at: Date): LinkEvidence[] {
  return [
    compareLocale(now, device),
    ...compareScreen(now, device),
    ...compareFonts(now, device.latest),
    ...compareVersions(now, device, dayOf(at)),
    ...compareCanvas(now, device.latest),
  ];
}

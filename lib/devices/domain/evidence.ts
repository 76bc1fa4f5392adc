import type { Shares } from "./population";
import { dayOf, type DeviceProfile } from "./profile";
import { type DeviceTraits, localeText } from "./traits";
import { dottedOrder } from "./version-order";

/** One fact and how many times likelier it makes it that the candidate, rather than a stranger, sent the visit. */
export type LinkEvidence = { fact: LinkFact; text: string; factor: number };

export type LinkFact =
  "hardware" | "locale" | "screen" | "fonts" | "browser version" | "system version" | "canvas" | "network";

/**
 * Likelihood ratios of what changed. A value that is equal counts 1 / (its share of the population) instead; one that
 * changed earns nothing for being rare. `docs/identity.md` says where each number comes from.
 */
export const RATIOS = {
  languagesChanged: 0.002,
  timeZoneChanged: 0.03,
  screenNew: 0.08,
  fontsGrown: 0.05,
  fontsChanged: 0.001,
  systemUpdated: 0.15,
  versionAsExpected: 0.8,
  versionJumped: 0.1,
  canvasEqual: 2,
  canvasChanged: 0.003,
  canvasChangedWithVersion: 0.5,
  networkKnown: 60,
  networkNew: 0.5,
} as const;

/** Chromium and Firefox publish a major version every four weeks; this leaves room for two visits across a release. */
const DAYS_PER_MAJOR = 20;
const NETWORK_REMEMBERED_DAYS = 45;

const found = (fact: LinkFact, text: string, factor: number): LinkEvidence => ({ fact, text, factor });
const shared = (fact: LinkFact, what: string, share: number): LinkEvidence =>
  found(fact, `same ${what}, which about 1 device in ${Math.max(1, Math.round(1 / share))} shares`, 1 / share);

function compareLocale(now: DeviceTraits, device: DeviceProfile, { locale: share }: Shares): LinkEvidence {
  if (device.locales.includes(localeText(now))) return shared("locale", "languages and time zone", share);
  if (now.languages !== device.latest.languages) return found("locale", "other languages", RATIOS.languagesChanged);
  return found("locale", "same languages in another time zone", RATIOS.timeZoneChanged);
}

function compareScreen(now: DeviceTraits, device: DeviceProfile, shares: Shares): LinkEvidence[] {
  if (now.screen === "" || device.screens.length === 0) return [];
  if (!device.screens.includes(now.screen))
    return [found("screen", "a screen not seen there before", RATIOS.screenNew)];
  return [shared("screen", "screen among devices of its kind", shares.screen)];
}

const hasAll = (now: string, before: string) =>
  Array.from(before).every((digit, index) => digit === "0" || now[index] === "1");

function compareFonts(now: DeviceTraits, before: DeviceTraits, shares: Shares): LinkEvidence[] {
  if (now.fonts === "" || before.fonts === "") return [];
  if (now.fonts === before.fonts) return [shared("fonts", "fonts", shares.fonts)];
  return hasAll(now.fonts, before.fonts)
    ? [found("fonts", "fonts were added", RATIOS.fontsGrown)]
    : [found("fonts", "other fonts", RATIOS.fontsChanged)];
}

function compareVersions(
  now: DeviceTraits,
  { latest: before, day }: DeviceProfile,
  shares: Shares,
  today: number,
): LinkEvidence[] {
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
        ? shared("system version", "system version", shares.systemVersion)
        : found("system version", "the system was updated", RATIOS.systemUpdated),
    );
  return evidence;
}

function compareCanvas(now: DeviceTraits, before: DeviceTraits): LinkEvidence[] {
  if (now.canvas === "" || before.canvas === "") return [];
  if (now.canvas === before.canvas) return [found("canvas", "same picture", RATIOS.canvasEqual)];
  return now.browserMajor === before.browserMajor
    ? [found("canvas", "other picture in the same version", RATIOS.canvasChanged)]
    : [found("canvas", "other picture after an update", RATIOS.canvasChangedWithVersion)];
}

function compareNetwork(now: DeviceTraits, { networks }: DeviceProfile, today: number): LinkEvidence[] {
  if (now.network === "") return [];
  const known = networks.find(({ network }) => network === now.network);
  return known !== undefined && today - known.day <= NETWORK_REMEMBERED_DAYS
    ? [found("network", "a network that the device used lately", RATIOS.networkKnown)]
    : [found("network", "another network", RATIOS.networkNew)];
}

/** Everything that speaks for or against `device` having sent the visit. */
export function weigh(now: DeviceTraits, device: DeviceProfile, shares: Shares, at: Date): LinkEvidence[] {
  const today = dayOf(at);
  return [
    shared("hardware", "hardware and browser", shares.hardware),
    compareLocale(now, device, shares),
    ...compareScreen(now, device, shares),
    ...compareFonts(now, device.latest, shares),
    ...compareVersions(now, device, shares, today),
    ...compareCanvas(now, device.latest),
    ...compareNetwork(now, device, today),
  ];
}

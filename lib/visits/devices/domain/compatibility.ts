import { type Appearance, appearanceOf, type Habits, looksLikeAnother } from "./appearance";
import { dottedOrder } from "./version-order";
import { changedHardware, type Hardware, type HardwareFact, hardwareOf, OTHER_MACHINE_MIN } from "./hardware";
import type { DeviceTraits } from "./traits";

/** Major versions that a browser may appear to go back, after a rolled-back update or a staged release. */
const TOKEN_MAJOR_SLACK = 1;

export type TokenContradiction = "system" | "browser" | "version" | "hardware";

const isLower = (now: number | undefined, before: number | undefined, slack: number): boolean =>
  now !== undefined && before !== undefined && now < before - slack;

/**
 * Facts that a token is checked against. Profiles stored by 0.1.0 lack the hardware of the first visit, those before
 * 0.2.0 its appearance.
 */
export type HardFacts = {
  browser: string;
  system: string;
  browserMajor?: number | undefined;
  touchPoints?: number | undefined;
  shown?: Appearance;
} & Partial<Hardware>;

export const hardFactsOf = (traits: DeviceTraits): HardFacts => ({
  browser: traits.browser,
  system: traits.system,
  browserMajor: traits.browserMajor,
  touchPoints: traits.touchPoints,
  shown: appearanceOf(traits),
  ...hardwareOf(traits),
});

/** Phones and tablets in desktop-site mode report Linux: Chrome, Firefox and Samsung Internet on Android. */
const isDesktopSite = (one: HardFacts, other: HardFacts): boolean =>
  ((one.system === "android" && other.system === "linux") || (one.system === "linux" && other.system === "android")) &&
  (one.touchPoints ?? 0) > 0 &&
  (other.touchPoints ?? 0) > 0;

const contradict = (now: string, before: string): boolean =>
  now !== before && now !== "unknown" && before !== "unknown";

/** The states of a device that its token is checked against. Without `habits`, appearances are not compared. */
export type TokenStates = { first: HardFacts; latest: DeviceTraits; habits?: Habits };

const isOtherMachine = (now: DeviceTraits, before: HardFacts, habits: Habits | undefined): boolean =>
  changedHardware(now, before).length >= OTHER_MACHINE_MIN ||
  (habits !== undefined &&
    before.shown !== undefined &&
    looksLikeAnother(now, { ...before, shown: before.shown }, habits));

/**
 * Why a signed token cannot belong to the browser that sent it, or undefined if it can. The browser and system of one
 * installation never change, its version does not drop below that of its first visit, and at most one hardware part
 * changes at a time, or its graphics, but neither together with two of fonts, screen and language. Otherwise the token
 * was copied.
 */
export function tokenContradiction(
  now: DeviceTraits,
  { first, latest, habits }: TokenStates,
): TokenContradiction | undefined {
  if (contradict(now.system, first.system) && !isDesktopSite(now, first)) return "system";
  if (contradict(now.browser, first.browser)) return "browser";
  if (isLower(now.browserMajor, first.browserMajor, TOKEN_MAJOR_SLACK)) return "version";
  if (isDesktopSite(now, first)) return undefined;
  return [first, hardFactsOf(latest)].every((state) => isOtherMachine(now, state, habits)) ? "hardware" : undefined;
}

/** Hardware parts that differ from every known state of the device, but are too few to make it another machine. */
export function swappedHardware(now: DeviceTraits, states: readonly HardFacts[]): HardwareFact[] {
  if (states.some((state) => isDesktopSite(now, state))) return [];
  const [changed = [], ...others] = states.map((state) => changedHardware(now, state));
  return changed.filter((fact) => others.every((other) => other.includes(fact)));
}

const differ = <T>(now: T | undefined, before: T | undefined) =>
  now !== undefined && before !== undefined && now !== before;

/**
 * Whether one installation can have produced both. A device that fails this check is no candidate, however much else
 * agrees.
 */
export function canBeSameDevice(now: DeviceTraits, before: DeviceTraits): boolean {
  const isSameClass =
    now.system === before.system &&
    now.browser === before.browser &&
    now.gpu === before.gpu &&
    now.model === before.model &&
    now.architecture === before.architecture &&
    now.memory === before.memory &&
    now.touchPoints === before.touchPoints &&
    !differ(now.cores, before.cores);
  return (
    isSameClass &&
    !isLower(now.browserMajor, before.browserMajor, 0) &&
    dottedOrder(now.systemVersion, before.systemVersion) >= 0
  );
}

/** Whether `now` shows a newer browser or system than `before`. */
export const isNewer = (now: DeviceTraits, before: DeviceTraits): boolean =>
  isLower(before.browserMajor, now.browserMajor, 0) || dottedOrder(now.systemVersion, before.systemVersion) > 0;

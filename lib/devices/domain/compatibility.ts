import { dottedOrder } from "./version-order";
import type { DeviceTraits } from "./traits";

/** Versions that a browser may seem to have gone back: an update that was rolled back, or a staged release. */
const TOKEN_MAJOR_SLACK = 1;

const isLower = (now: number | undefined, before: number | undefined, slack: number): boolean =>
  now !== undefined && before !== undefined && now < before - slack;

/** What a token is held against. */
export type HardFacts = {
  browser: string;
  system: string;
  browserMajor?: number | undefined;
  touchPoints?: number | undefined;
};

export const hardFactsOf = ({ browser, system, browserMajor, touchPoints }: DeviceTraits): HardFacts => ({
  browser,
  system,
  browserMajor,
  touchPoints,
});

/** Phones and tablets that ask for desktop sites call themselves Linux: Chrome, Firefox and Samsung Internet on Android. */
const isDesktopSite = (one: HardFacts, other: HardFacts): boolean =>
  [one.system, other.system].sort().join() === "android,linux" &&
  (one.touchPoints ?? 0) > 0 &&
  (other.touchPoints ?? 0) > 0;

const contradict = (now: string, before: string): boolean =>
  now !== before && now !== "unknown" && before !== "unknown";

/**
 * Why a signed token cannot belong to the browser that sent it; nothing when it can. Browser and system of one
 * installation never change, and its version does not go back behind that of its first visit: otherwise somebody copied
 * the token.
 */
export function tokenContradiction(now: HardFacts, first: HardFacts): "system" | "browser" | "version" | undefined {
  if (contradict(now.system, first.system) && !isDesktopSite(now, first)) return "system";
  if (contradict(now.browser, first.browser)) return "browser";
  return isLower(now.browserMajor, first.browserMajor, TOKEN_MAJOR_SLACK) ? "version" : undefined;
}

const differ = <T>(now: T | undefined, before: T | undefined) =>
  now !== undefined && before !== undefined && now !== before;

/** Whether one installation can have shown both; a device that fails this is no candidate, whatever else agrees. */
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

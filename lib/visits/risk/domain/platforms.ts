import type { OperatingSystemFamily } from "./families";

type Known = Exclude<OperatingSystemFamily, "unknown">;

/**
 * Values of `navigator.platform` on each system. Phones in desktop-site mode claim Linux or a Mac, and iPads always do
 * so. Unix systems other than Linux report their own names.
 */
const PLATFORMS: Record<Known, RegExp> = {
  windows: /^Win/,
  macos: /^(?:Mac|iPhone|iPad|iPod)/,
  ios: /^(?:iPhone|iPad|iPod|Mac)/,
  android: /^(?:Android|Linux$|Linux a)/,
  chromeos: /^(?:Linux|CrOS|X11)/,
  linux: /^(?:Linux|X11|CrOS|FreeBSD|OpenBSD|NetBSD|DragonFly|SunOS)/,
};

/** The platform that most browsers report on a system, for people. */
export const USUAL_PLATFORMS: Record<OperatingSystemFamily, string> = {
  windows: "Win32",
  macos: "MacIntel",
  ios: "iPhone or iPad",
  android: "Linux armv8l or similar",
  chromeos: "Linux x86_64",
  linux: "Linux x86_64",
  unknown: "any",
};

/** Whether a platform belongs to a system. True if either is unknown. */
export const platformFits = (system: OperatingSystemFamily, platform: string): boolean =>
  system === "unknown" || platform === "" || PLATFORMS[system].test(platform);

/** Systems that a browser may switch between in desktop-site mode. */
const DESKTOP_SITE_PAIRS = [
  ["android", "linux"],
  ["android", "chromeos"],
  ["ios", "macos"],
];

const isPair = ([left, right]: readonly string[], one: string, other: string): boolean =>
  (one === left && other === right) || (one === right && other === left);

/**
 * Whether the systems are the same or interchangeable. True if either is unknown. Devices with desktop-site mode have a
 * touch screen; `touchPoints` is undefined if unknown.
 */
export const systemsAgree = (one: OperatingSystemFamily, other: OperatingSystemFamily, touchPoints?: number): boolean =>
  one === other ||
  one === "unknown" ||
  other === "unknown" ||
  isPair(["linux", "chromeos"], one, other) ||
  (touchPoints !== 0 && DESKTOP_SITE_PAIRS.some((pair) => isPair(pair, one, other)));

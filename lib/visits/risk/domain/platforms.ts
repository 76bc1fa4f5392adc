import type { OperatingSystemFamily } from "./families";

type Known = Exclude<OperatingSystemFamily, "unknown">;

/**
 * What `navigator.platform` says on each system. A phone that asks for the desktop site claims Linux or a Mac; an iPad
 * does so always; the free systems other than Linux name themselves.
 */
const PLATFORMS: Record<Known, RegExp> = {
  windows: /^Win/,
  macos: /^(?:Mac|iPhone|iPad|iPod)/,
  ios: /^(?:iPhone|iPad|iPod|Mac)/,
  android: /^(?:Android|Linux$|Linux a)/,
  chromeos: /^(?:Linux|CrOS|X11)/,
  linux: /^(?:Linux|X11|CrOS|FreeBSD|OpenBSD|NetBSD|DragonFly|SunOS)/,
};

/** For people: the platform that most browsers of a system tell. */
export const USUAL_PLATFORMS: Record<OperatingSystemFamily, string> = {
  windows: "Win32",
  macos: "MacIntel",
  ios: "iPhone or iPad",
  android: "Linux armv8l or alike",
  chromeos: "Linux x86_64",
  linux: "Linux x86_64",
  unknown: "any",
};

/** Whether a platform belongs to a system; true for what is not known. */
export const platformFits = (system: OperatingSystemFamily, platform: string): boolean =>
  system === "unknown" || platform === "" || PLATFORMS[system].test(platform);

/** Systems between which a browser switches when a person asks for the desktop site. */
const DESKTOP_SITE_PAIRS = [
  ["android", "linux"],
  ["android", "chromeos"],
  ["ios", "macos"],
  ["linux", "chromeos"],
];

/** Two names for one system, or one of the two is not known. */
export const systemsAgree = (one: OperatingSystemFamily, other: OperatingSystemFamily): boolean =>
  one === other ||
  one === "unknown" ||
  other === "unknown" ||
  DESKTOP_SITE_PAIRS.some((pair) => pair.includes(one) && pair.includes(other));

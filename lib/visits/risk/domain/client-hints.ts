import { cacheResults } from "./cache-results";
import type { BrowserFamily, OperatingSystemFamily } from "./families";
import { majorOf } from "./user-agent";
import { groupValue, type Visit } from "./visit";

export type Brand = { brand: string; version?: string };

const MAX_HEADER = 1024;
const MAX_BRANDS = 8;

/** Brand names as vendors send them. The first entry that a browser's list contains identifies it. */
const FAMILY_BY_BRAND: readonly (readonly [string, BrowserFamily])[] = [
  ["HeadlessChrome", "headless-chrome"],
  ["Brave", "brave"],
  ["Microsoft Edge", "edge"],
  ["Microsoft Edge WebView2", "edge"],
  ["Opera", "opera"],
  ["Opera GX", "opera"],
  ["OperaMobile", "opera"],
  ["Vivaldi", "vivaldi"],
  ["YaBrowser", "yandex"],
  ["Samsung Internet", "samsung-internet"],
  ["DuckDuckGo", "duckduckgo"],
  ["HuaweiBrowser", "huawei-browser"],
  ["Whale", "whale"],
  ["Android WebView", "android-webview"],
  ["Google Chrome", "chrome"],
  ["Chromium", "chromium"],
];

type LooseBrand = { brand?: string | undefined; version?: string | undefined };

const tidy = (brands: readonly LooseBrand[] | undefined): Brand[] =>
  (brands ?? []).flatMap(({ brand, version }) =>
    brand === undefined || brand === "" ? [] : [version === undefined ? { brand } : { brand, version }],
  );

const parseBrands = cacheResults((header): readonly Brand[] => {
  const items = header.matchAll(/"([^"\\]{1,64})"(?:\s{0,4};\s{0,4}v="([\d.]{1,32})")?/g);
  return tidy([...items].slice(0, MAX_BRANDS).map(([, brand, version]) => ({ brand, version })));
});

/** Parses `Sec-CH-UA` into a list of brands (RFC 8941: list of strings with parameter `v`). */
export const parseBrandHeader = (header: string | undefined): readonly Brand[] =>
  parseBrands((header ?? "").slice(0, MAX_HEADER));

/** Unquotes a structured string, such as `Sec-CH-UA-Platform`. */
export const unquote = (header: string | undefined): string | undefined =>
  /^\s{0,4}"([^"]{1,64})"\s{0,4}$/.exec((header ?? "").slice(0, MAX_HEADER))?.[1];

export type HintedBrowser = { family: BrowserFamily; version?: string; chromiumMajorVersion?: number };

const PLACES = new Map(FAMILY_BY_BRAND.map(([name], place) => [name, place]));

/** The browser that a brand list identifies. Undefined if it has no known brand. */
export function browserOfBrands(brands: readonly Brand[]): HintedBrowser | undefined {
  const [name, family] = FAMILY_BY_BRAND[Math.min(...brands.map(({ brand }) => PLACES.get(brand) ?? Infinity))] ?? [];
  if (family === undefined) return undefined;
  const version = brands.find(({ brand }) => brand === name)?.version;
  const chromiumMajorVersion = majorOf(brands.find(({ brand }) => brand === "Chromium")?.version);
  return {
    family,
    ...(version === undefined ? {} : { version }),
    ...(chromiumMajorVersion === undefined ? {} : { chromiumMajorVersion }),
  };
}

/** A brand list and the browser that it identifies. */
export type BrandList = { label: string; brands: readonly Brand[]; browser: HintedBrowser | undefined };

const brandList = (label: string, brands: readonly Brand[]): BrandList => ({
  label,
  brands,
  browser: browserOfBrands(brands),
});

function readBrandLists({ signals, request }: Visit): readonly BrandList[] {
  const uaData = groupValue(signals, "uaData");
  return [
    brandList("Client hints, full version list", tidy(uaData?.fullVersionList)),
    brandList("Client hints, brands", tidy(uaData?.brands)),
    brandList("Sec-CH-UA header", parseBrandHeader(request.clientHints.brands)),
    brandList("Client hints in a worker", tidy(groupValue(signals, "worker")?.brands)),
  ];
}

const listsOfVisits = new WeakMap<Visit, readonly BrandList[]>();

/** All brand lists of a visit, most specific first. Cached, since several rules read them. */
export function brandLists(visit: Visit): readonly BrandList[] {
  const lists = listsOfVisits.get(visit) ?? readBrandLists(visit);
  listsOfVisits.set(visit, lists);
  return lists;
}

const SYSTEM_BY_PLATFORM: Record<string, OperatingSystemFamily> = {
  Windows: "windows",
  macOS: "macos",
  "Mac OS X": "macos",
  iOS: "ios",
  Android: "android",
  "Chrome OS": "chromeos",
  "Chromium OS": "chromeos",
  Linux: "linux",
};

/** The operating system of a client-hints platform name. */
export const systemOfPlatform = (platform: string | undefined): OperatingSystemFamily | undefined =>
  platform !== undefined && Object.hasOwn(SYSTEM_BY_PLATFORM, platform) ? SYSTEM_BY_PLATFORM[platform] : undefined;

const WINDOWS_BEFORE_10: Record<string, string> = { "0.1": "7", "0.2": "8", "0.3": "8.1" };

/**
 * The marketing version for a `platformVersion`. Windows reports the number of its API contract: 13 and later are
 * Windows 11, 1 to 10 are Windows 10. Linux reports a kernel version, which is not the system's version.
 *
 * Source: Microsoft, "Detect Windows 11 using User-Agent Client Hints".
 */
export function systemVersion(family: OperatingSystemFamily, platformVersion: string | undefined): string | undefined {
  const written = /^\d{1,6}(?:\.\d{1,6}){0,3}/.exec(platformVersion ?? "")?.[0];
  if (written === undefined || family === "linux" || family === "unknown") return undefined;
  if (family !== "windows") return written.replace(/(?:\.0)+$/, "");
  const major = majorOf(written) ?? 0;
  if (major >= 13) return "11";
  return major >= 1 ? "10" : WINDOWS_BEFORE_10[written.split(".").slice(0, 2).join(".")];
}

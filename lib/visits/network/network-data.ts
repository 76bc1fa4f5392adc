import type { LRUCache } from "lru-cache";
import type { Reader, Response } from "maxmind";
import type { AsnTable } from "./asn-table";
import type { PackageName } from "./data-packages";
import type { OrganisationClass } from "./domain/classify-organisation";
import type { Anonymity, NetworkFacts } from "./domain/network-facts";
import type { CityReaders } from "./geo-records";
import type { ListName } from "./list-files";
import type { FileRole, OperatorFile } from "./operator-file";
import type { Ranges } from "./ranges";

export type DataSetName = PackageName | `${FileRole}-file` | `${ListName}-list`;

export type LoadedDataSet = {
  name: DataSetName;
  /** Package or file. */
  source: string;
  present: boolean;
  /** Type according to the file. */
  kind?: string;
  /** Build time of the data, in Unix milliseconds. */
  builtAtMs?: number;
  /** Why an installed set cannot be used, or only at a cost. */
  problem?: string;
};

/** A file that may be replaced while the service is running. */
export type WatchedFile = {
  path: string;
  /** Inode, size and time of the last contents read. */
  seen?: string;
} & ({ role: FileRole } | { list: ListName });

/** All data for lookups. Data and library handles only, since two module graphs share it. */
export type NetworkData = {
  city?: CityReaders;
  country?: Reader<Response>;
  asn?: AsnTable;
  /** Files supplied by the operator, which take precedence over the packages. */
  files: Partial<Record<FileRole, OperatorFile>>;
  lists: Partial<Record<ListName, Ranges>>;
  /** Cached classifications by AS number. */
  classByAsn: Map<number, OrganisationClass & { source: "asn-table" | "name"; anonymity?: Anonymity }>;
  /** Cached classifications by canonical address. */
  classByAddress: LRUCache<string, Readonly<NetworkFacts>>;
  dataSets: LoadedDataSet[];
  /** Files that are checked for changes while the service is running. */
  watched: WatchedFile[];
};

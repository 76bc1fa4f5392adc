import type { Reader, Response } from "maxmind";
import type { AsnTable } from "./asn-table";
import type { PackageName } from "./data-packages";
import type { OrganisationClass } from "./domain/classify-organisation";
import type { Anonymity } from "./domain/network-facts";
import type { CityReaders } from "./geo-records";
import type { ListName } from "./list-files";
import type { FileRole, OperatorFile } from "./operator-file";
import type { Ranges } from "./ranges";

export type DataSetName = PackageName | `${FileRole}-file` | `${ListName}-list`;

export type LoadedDataSet = {
  name: DataSetName;
  /** The package or the file. */
  source: string;
  present: boolean;
  /** What the file says it is. */
  kind?: string;
  /** Unix time in milliseconds at which the data was made. */
  builtAtMs?: number;
  /** Why a set that is installed cannot be used, or is used at a cost. */
  problem?: string;
};

/** A file that may be replaced while the service runs. */
export type WatchedFile = {
  path: string;
  /** Inode, size and time of the contents that were last read. */
  seen?: string;
} & ({ role: FileRole } | { list: ListName });

/** Everything that lookups read: data and library handles only, since two module graphs share it. */
export type NetworkData = {
  city?: CityReaders;
  country?: Reader<Response>;
  asn?: AsnTable;
  /** Files that the operator supplied; they go before the packages. */
  files: Partial<Record<FileRole, OperatorFile>>;
  lists: Partial<Record<ListName, Ranges>>;
  /** What was concluded about each AS number so far. */
  classByAsn: Map<number, OrganisationClass & { source: "asn-table" | "name"; anonymity?: Anonymity }>;
  dataSets: LoadedDataSet[];
  /** What is checked again while the service runs. */
  watched: WatchedFile[];
};

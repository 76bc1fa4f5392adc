import { DAY_MS } from "@/lib/platform/calendar";

import { DATA_PACKAGES } from "./data-packages";
import type { PackageName } from "./data-packages";
import type { DataSetName, NetworkData } from "./network-data";
import { openedNetworkData } from "./open-network-data";

type DataSetStatus = {
  name: DataSetName;
  /** Package or file that it comes from. */
  source: string;
  present: boolean;
  /** Type according to the file. */
  kind?: string;
  builtAt?: Date;
  /** Whole days since the data was built. */
  ageDays?: number;
  problem?: string;
};

export type NetworkDataStatus = { opened: boolean; dataSets: DataSetStatus[] };

const closedSets = (Object.keys(DATA_PACKAGES) as PackageName[]).map((name) => ({
  name,
  source: DATA_PACKAGES[name],
  present: false,
}));

export function describeNetworkData(data: NetworkData | undefined, now: Date): NetworkDataStatus {
  if (data === undefined) return { opened: false, dataSets: closedSets };
  const dataSets = data.dataSets.map(({ builtAtMs, ...set }) => ({
    ...set,
    ...(builtAtMs !== undefined && {
      builtAt: new Date(builtAtMs),
      ageDays: Math.max(0, Math.floor((now.getTime() - builtAtMs) / DAY_MS)),
    }),
  }));
  return { opened: true, dataSets };
}

/** Which network data this process uses, and how old it is. */
export const networkDataStatus = (now: Date): NetworkDataStatus => describeNetworkData(openedNetworkData(), now);

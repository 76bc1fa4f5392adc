import { isPackaged } from "@/lib/platform/program";
import { networkDataStatus } from "@/lib/visits/network";
import { type CheckResult, ok, warn } from "./domain/check-result";

const OLD_DATA_DAYS = 90;

const REFRESH = {
  data: (source: string) =>
    isPackaged() ? "Use a package made by `npm run package -- --with-network-data`" : `npm install ${source}@latest`,
  lists: () => (isPackaged() ? "imprint ip-update" : "npm run ip:update"),
};

type DataSet = ReturnType<typeof networkDataStatus>["dataSets"][number];

function describeDataSet({ name, source, present, kind, ageDays = 0, problem }: DataSet): CheckResult {
  const isList = name.endsWith("-list");
  const isPackage = source.startsWith("@");
  const absent = isPackage ? "is not installed: its facts are left out." : "was not created: nothing is listed.";
  const text = present ? `${kind ?? source}, ${ageDays} days old.` : `${source} ${absent}`;
  const isFine = problem === undefined && (present ? ageDays <= OLD_DATA_DAYS : isList);
  const refresh = isPackage ? REFRESH.data(source) : isList ? REFRESH.lists() : `Replace ${source}`;
  const fix = isPackage ? `${refresh}, then start the service again.` : `${refresh}.`;
  return isFine ? ok(`network-${name}`, text) : warn(`network-${name}`, problem ?? text, fix);
}

/** Facts about the network data, which must have been opened before. */
export const describeNetworkData = (now: Date): CheckResult[] => networkDataStatus(now).dataSets.map(describeDataSet);

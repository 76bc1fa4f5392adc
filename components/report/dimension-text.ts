import { CONNECTION_TYPES, REASONS } from "@/lib/contract/report";
import { choiceText, type ReportFilterName } from "@/lib/contract/report-filters";
import type { ExploredDimension } from "@/lib/visits/slices";
import { shortId } from "@/components/ui/id";
import { CONNECTION_TEXT } from "./connection-text";
import { countryName } from "./country-name";
import { REASON_COPY } from "./reason-copy";

export const DIMENSION_NAMES: Record<ExploredDimension, string> = {
  reason: "Reason",
  rule: "Rule",
  surface: "Surface",
  app: "Web App",
  country: "Country",
  network: "Network",
  connection: "Connection",
  browser: "Browser",
  system: "System",
  device: "Device",
  account: "Account",
};

const { network, ...filtered } = DIMENSION_NAMES;

/** Names of the list filters: those of the dimensions, and more. */
export const FILTER_NAMES: Record<ReportFilterName, string> = {
  ...filtered,
  asn: network,
  risk: "Verdict",
  address: "Address",
  search: "Id begins",
};

const isDimension = (name: string): name is ExploredDimension => Object.hasOwn(DIMENSION_NAMES, name);

/** The filter for visits with a value; undefined for visits without one. */
export function filterOfValue(dimension: ExploredDimension, value: string): Record<string, string> | undefined {
  if (value === "") return undefined;
  const isOne = dimension === "device" || dimension === "account";
  return {
    [dimension === "network" ? "asn" : dimension]: isOne ? value : choiceText({ isExcluded: false, values: [value] }),
  };
}

/** Display text of a value. */
export function valueText(
  dimension: ExploredDimension,
  value: string,
  webApps: readonly { webAppId: string; name: string }[] = [],
): string {
  if (value === "") return "unknown";
  if (dimension === "country") return countryName(value);
  if (dimension === "network") return `AS${value}`;
  if (dimension === "app") return webApps.find(({ webAppId }) => webAppId === value)?.name ?? shortId(value);
  if (dimension === "device" || dimension === "account") return shortId(value);
  const connection = CONNECTION_TYPES.find((type) => type === value);
  if (dimension === "connection" && connection) return CONNECTION_TEXT[connection];
  const reason = REASONS.find((known) => known === value);
  return dimension === "reason" && reason ? REASON_COPY[reason].title : value;
}

/** Display text of a filter's value; ids are abbreviated. */
export function filterText(name: ReportFilterName, value: string, webApps: Parameters<typeof valueText>[2]): string {
  const dimension = name === "asn" ? "network" : name;
  const text = isDimension(dimension) ? valueText(dimension, value, webApps) : value;
  return text === value ? shortId(value) : text;
}

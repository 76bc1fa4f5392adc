import { CONNECTION_TYPES, REASONS, REPORT_STATUSES } from "@/lib/contract/report";
import { type Choice, parseChoice, REPORT_FILTERS, type ReportFilterName } from "@/lib/contract/report-filters";
import type { ReportFilter } from "@/lib/visits/reports";

/** Parameters of a saved view that alerts ignore: an alert has its own window and does not group visits. */
const LEFT_OUT = ["span", "from", "to", "zone", "by", "and", "order"];

type Filter = Omit<ReportFilter, "from" | "to" | "workspaceId">;

/** Parses a filter into a choice. Undefined if one of its values is invalid. */
function choice<T>(text: string, known: (value: string) => T | undefined): Choice<T> | undefined {
  const parsed = parseChoice(text);
  const values = parsed?.values.flatMap((value) => known(value) ?? []) ?? [];
  return parsed && values.length === parsed.values.length ? { ...parsed, values } : undefined;
}

const asIs = (value: string) => value;
const numberOf = (value: string) => (/^\d{1,10}$/.test(value) ? Number(value) : undefined);

/** Parsers of a view's filters. They return undefined for invalid text. */
const MEANINGS: Record<ReportFilterName, (text: string) => Filter[keyof Filter]> = {
  risk: (text) => choice(text, (value) => REPORT_STATUSES.find((status) => status === value)),
  reason: (text) => choice(text, (value) => REASONS.find((reason) => reason === value)),
  rule: (text) => choice(text, asIs),
  surface: (text) => choice(text, asIs),
  country: (text) => choice(text, asIs),
  connection: (text) => choice(text, (value) => CONNECTION_TYPES.find((type) => type === value)),
  asn: (text) => choice(text, numberOf),
  browser: (text) => choice(text, asIs),
  system: (text) => choice(text, asIs),
  app: (text) => choice(text, asIs),
  account: asIs,
  address: asIs,
  device: asIs,
  search: asIs,
};

/** Field names that differ from the filter's name in URLs. */
const FIELDS: Partial<Record<ReportFilterName, keyof Filter>> = {
  risk: "status",
  app: "webAppId",
  account: "accountId",
  device: "deviceId",
};

const isFilter = (name: string): name is ReportFilterName => (REPORT_FILTERS as readonly string[]).includes(name);

/**
 * The filters of a saved view without its time range. Undefined if one of them is invalid, because ignoring it would
 * count other visits than the view shows.
 */
export function viewFilter(workspaceId: string, query: string): Omit<ReportFilter, "from" | "to"> | undefined {
  const entries = [...new URLSearchParams(query)].filter(([name]) => !LEFT_OUT.includes(name));
  if (new Set(entries.map(([name]) => name)).size < entries.length) return undefined;
  const filter: Record<string, unknown> = {};
  for (const [name, text] of entries) {
    const meaning = isFilter(name) ? MEANINGS[name](text) : undefined;
    if (!isFilter(name) || meaning === undefined) return undefined;
    filter[FIELDS[name] ?? name] = meaning;
  }
  return { workspaceId, ...(filter as Filter) }; // each value is that of its field
}

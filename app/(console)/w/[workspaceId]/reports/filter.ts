import type { ReportQuery } from "@/components/report/report-query";
import { CONNECTION_TYPES, REASONS, REPORT_STATUSES } from "@/lib/contract/report";
import { type Choice, parseChoice } from "@/lib/contract/report-filters";
import type { ReportFilter } from "@/lib/visits/reports";

/** Parses a filter into a choice of valid values; `known` drops the others. */
function choice<T>(text: string | undefined, known: (value: string) => T | undefined): Choice<T> | undefined {
  const parsed = text === undefined ? undefined : parseChoice(text);
  return parsed && { ...parsed, values: parsed.values.flatMap((value) => known(value) ?? []) };
}

const asIs = (value: string) => value;

/** The filters of a query string in the form that the verbs accept. */
export function filterOf(workspaceId: string, query: ReportQuery): Omit<ReportFilter, "from" | "to"> {
  return {
    workspaceId,
    status: choice(query.risk, (value) => REPORT_STATUSES.find((status) => status === value)),
    reason: choice(query.reason, (value) => REASONS.find((reason) => reason === value)),
    rule: choice(query.rule, asIs),
    surface: choice(query.surface, asIs),
    country: choice(query.country, asIs),
    connection: choice(query.connection, (value) => CONNECTION_TYPES.find((type) => type === value)),
    asn: choice(query.asn, Number),
    browser: choice(query.browser, asIs),
    system: choice(query.system, asIs),
    webAppId: choice(query.app, asIs),
    accountId: query.account,
    address: query.address,
    deviceId: query.device,
    search: query.search,
  };
}

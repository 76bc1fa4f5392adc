import type { ReportQuery } from "@/components/report/report-query";
import { CONNECTION_TYPES, REASONS, REPORT_STATUSES } from "@/lib/contract/report";
import type { ReportFilter } from "@/lib/visits/reports";

/** The filters of a query string as the verbs take them. */
export function filterOf(workspaceId: string, query: ReportQuery): Omit<ReportFilter, "from" | "to"> {
  return {
    workspaceId,
    status: REPORT_STATUSES.find((status) => status === query.risk),
    reason: REASONS.find((reason) => reason === query.reason),
    country: query.country,
    connection: CONNECTION_TYPES.find((type) => type === query.connection),
    asn: query.asn === undefined ? undefined : Number(query.asn),
    browser: query.browser,
    system: query.system,
    webAppId: query.app,
    accountId: query.account,
    address: query.address,
    deviceId: query.device,
    search: query.search,
  };
}

import { CONNECTION_TYPES, REASONS, REPORT_STATUSES } from "@/lib/contract/report";
import { REPORT_FILTERS } from "@/lib/contract/report-filters";
import type { ReportFilter } from "@/lib/visits/reports";

/** What of a saved view an alert leaves out: it counts over its own window. */
const TIME = ["span", "from", "to", "zone"];

/** The filters of a saved view, without its time; undefined where one of them is not understood. */
export function viewFilter(workspaceId: string, query: string): Omit<ReportFilter, "from" | "to"> | undefined {
  const entries = [...new URLSearchParams(query)].filter(([name]) => !TIME.includes(name));
  const values = new Map(entries);
  const isKnown = entries.every(([name]) => (REPORT_FILTERS as readonly string[]).includes(name));
  if (!isKnown || values.size < entries.length) return undefined;
  const [risk, reason, connection, asn] = ["risk", "reason", "connection", "asn"].map((name) => values.get(name));
  const status = REPORT_STATUSES.find((each) => each === risk);
  const ofReason = REASONS.find((each) => each === reason);
  const type = CONNECTION_TYPES.find((each) => each === connection);
  const isUnderstood = [
    [risk, status],
    [reason, ofReason],
    [connection, type],
  ].every(([given, found]) => given === undefined || found !== undefined);
  if (!isUnderstood || (asn !== undefined && !/^\d{1,10}$/.test(asn))) return undefined;
  return {
    ...{ workspaceId, status, reason: ofReason, connection: type, asn: asn === undefined ? undefined : Number(asn) },
    ...{ country: values.get("country"), browser: values.get("browser"), system: values.get("system") },
    ...{ webAppId: values.get("app"), accountId: values.get("account"), address: values.get("address") },
    ...{ deviceId: values.get("device"), search: values.get("search") },
  };
}

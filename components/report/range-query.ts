import { rangeText } from "@/components/chart/chart-data";
import { queryHref } from "@/components/shell/pages";
import type { RawQuery } from "@/components/ui/filter-texts";
import { isTimeLeftOut, parseReportQuery, type ReportQuery, type Span, SPANS, timeRange } from "./report-query";

/** The range requested by the query of a page that shows slices, with its name. */
export function askedRange(raw: RawQuery, now: Date, zone: string) {
  const { span, from, to, zone: own } = parseReportQuery(raw);
  const asked = { span, from, to, zone: own };
  return { asked: { ...asked, isLeftOut: isTimeLeftOut(raw) }, ...timeRange(asked, now, zone) };
}

export type AskedRange = Pick<ReportQuery, "span" | "from" | "to" | "zone"> & {
  /** The given time is invalid: `span` replaces it. */
  isLeftOut: boolean;
};

/** List filters for a range: its two ends. */
function rangeParameters(range: { from: Date; to: Date }): Record<string, string> {
  return { from: rangeText(range.from), to: rangeText(range.to) };
}

/** URL of the list of Reports for a range, with filters. */
export function reportsHref(
  workspaceId: string,
  range: { from: Date; to: Date },
  filters: Record<string, string> = {},
): string {
  return queryHref("reports", { workspaceId }, { ...rangeParameters(range), ...filters });
}

export const SPAN_NAMES = Object.keys(SPANS) as Span[]; // safe: the list is closed

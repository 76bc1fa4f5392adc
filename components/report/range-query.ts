import { rangeText } from "@/components/chart/chart-data";
import {
  isTimeLeftOut,
  parseReportQuery,
  type RawQuery,
  type ReportQuery,
  type Span,
  SPANS,
  timeRange,
} from "./report-query";

/** The range of a page that shows slices: what its query asks for, and what it is called. */
export function askedRange(raw: RawQuery, now: Date, zone: string) {
  const { span, from, to, zone: own } = parseReportQuery(raw);
  const asked = { span, from, to, zone: own };
  return { asked: { ...asked, isLeftOut: isTimeLeftOut(raw) }, ...timeRange(asked, now, zone) };
}

export type AskedRange = Pick<ReportQuery, "span" | "from" | "to" | "zone"> & {
  /** A time was named that is none: `span` stands in for it. */
  isLeftOut: boolean;
};

/** Filters of a range of the list: its span where the list means the same by it, else its two ends. */
function rangeParameters(range: { from: Date; to: Date }): Record<string, string> {
  return { from: rangeText(range.from), to: rangeText(range.to) };
}

/** The address of the list of Reports of a range, narrowed. */
export function reportsHref(
  workspaceId: string,
  range: { from: Date; to: Date },
  filters: Record<string, string> = {},
): string {
  return `/w/${workspaceId}/reports?${new URLSearchParams({ ...rangeParameters(range), ...filters }).toString()}`;
}

export const SPAN_NAMES = Object.keys(SPANS) as Span[]; // safe: the list is closed

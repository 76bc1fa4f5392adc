import { REPORT_STATUSES, type ReportStatus } from "@/lib/contract/report";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The spans that a list can cover, with the width of the chart's bars. */
export const SPANS = {
  "24h": { label: "24 hours", milliseconds: DAY_MS, stepSeconds: 3600 },
  "7d": { label: "7 days", milliseconds: 7 * DAY_MS, stepSeconds: 6 * 3600 },
  "30d": { label: "30 days", milliseconds: 30 * DAY_MS, stepSeconds: 86_400 },
  "90d": { label: "90 days", milliseconds: 90 * DAY_MS, stepSeconds: 86_400 },
} as const;
export type Span = keyof typeof SPANS;
const DEFAULT_SPAN: Span = "7d";

/** What the address of the list says. Everything that is shown can be shared by its address. */
export type ReportQuery = {
  span: Span;
  risk: ReportStatus | undefined;
  search: string | undefined;
  before: string | undefined;
  after: string | undefined;
};

type Raw = Record<string, string | string[] | undefined>;

const one = (raw: Raw, name: string): string | undefined => {
  const value = raw[name];
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text === "" ? undefined : text;
};

const isSpan = (text: string | undefined): text is Span => text !== undefined && Object.hasOwn(SPANS, text);

/** Reads the address; what is not understood counts as not said. */
export function parseReportQuery(raw: Raw): ReportQuery {
  const span = one(raw, "span");
  const risk = one(raw, "risk");
  return {
    span: isSpan(span) ? span : DEFAULT_SPAN,
    risk: REPORT_STATUSES.find((status) => status === risk),
    search: one(raw, "search")?.slice(0, 100),
    before: one(raw, "before"),
    after: one(raw, "after"),
  };
}

/** The address of the list with a change; a change of filters begins at the newest page again. */
export function reportListHref(path: string, query: ReportQuery, change: Partial<ReportQuery>): string {
  const isPaging = "before" in change || "after" in change;
  const { span, risk, search, before, after } = { ...query, before: undefined, after: undefined, ...change };
  const parameters = new URLSearchParams();
  if (span !== DEFAULT_SPAN) parameters.set("span", span);
  if (risk) parameters.set("risk", risk);
  if (search) parameters.set("search", search);
  if (isPaging && before) parameters.set("before", before);
  if (isPaging && after) parameters.set("after", after);
  const text = parameters.toString();
  return text ? `${path}?${text}` : path;
}

/** The span as instants: whole steps, the present one included. */
export function spanRange(span: Span, now: Date): { from: Date; to: Date; stepSeconds: number } {
  const { milliseconds, stepSeconds } = SPANS[span];
  const stepMs = stepSeconds * 1000;
  const to = new Date((Math.floor(now.getTime() / stepMs) + 1) * stepMs);
  return { from: new Date(to.getTime() - milliseconds), to, stepSeconds };
}

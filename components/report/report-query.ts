import type { RawQuery } from "@/components/ui/filter-texts";
import { instantOf, isZone, UTC, wallClock } from "@/components/ui/zone";
import { parseInstant, withinCalendar } from "@/lib/platform/calendar";
import { CONNECTION_TYPES, REASONS, REPORT_STATUSES } from "@/lib/contract/report";
import {
  CHOICE_FILTERS,
  type ChoiceFilterName,
  choiceText,
  parseChoice,
  REPORT_FILTERS,
} from "@/lib/contract/report-filters";
import { lastSteps, type Step, stepsBetween } from "./time-steps";

const HOUR_STEPS = 24;
export const SPANS = {
  "24h": { label: "24 hours", count: HOUR_STEPS, step: "hour" },
  "7d": { label: "7 days", count: 28, step: "quarter" },
  "30d": { label: "30 days", count: 30, step: "day" },
  "90d": { label: "90 days", count: 90, step: "day" },
} as const satisfies Record<string, { label: string; count: number; step: Step }>;
export type Span = keyof typeof SPANS;
const DEFAULT_SPAN: Span = "7d";

export type FilterName = (typeof REPORT_FILTERS)[number];

type OwnRange = { from: string; to: string; zone: string };

/** The query of the list. Every state can be shared by its URL. */
export type ReportQuery = Record<FilterName, string | undefined> & {
  span: Span;
  /** A custom range in the local time of `zone`; overrides `span`. */
  from: string | undefined;
  to: string | undefined;
  zone: string | undefined;
  before: string | undefined;
  after: string | undefined;
};

const one = (raw: RawQuery, name: string): string | undefined => {
  const value = raw[name];
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text === "" ? undefined : text;
};

const isSpan = (text: string | undefined): text is Span => text !== undefined && Object.hasOwn(SPANS, text);

const among =
  (values: readonly string[]) =>
  (text: string): boolean =>
    values.includes(text);
const like = (pattern: RegExp) => (text: string) => pattern.test(text);

const MEANS_SOMETHING: Record<FilterName, (text: string) => boolean> = {
  risk: among(REPORT_STATUSES),
  reason: among(REASONS),
  rule: like(/^[a-z][a-z0-9._-]{0,79}$/i),
  surface: like(/^.{1,100}$/),
  country: like(/^[A-Z]{2}$/),
  connection: among(CONNECTION_TYPES),
  asn: like(/^\d{1,10}$/),
  browser: like(/^.{1,60}$/),
  system: like(/^.{1,60}$/),
  app: like(/^app_[0-9a-f]{32}$/),
  account: like(/^acc_[0-9a-f]{32}$/),
  address: like(/^.{1,60}$/),
  device: like(/^dev_[0-9a-f]{32}$/),
  search: like(/^.{1,100}$/),
};

const WALL = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d)?)?$/;

function parseWall(text: string | undefined): Date | undefined {
  const [, day, time = "00:00"] = WALL.exec(text ?? "") ?? [];
  return parseInstant(`${day ?? ""}T${time}:00Z`);
}

const DAY_MS = 86_400_000;
export const MAX_DAYS = 400;

function parseOwnRange(raw: RawQuery): OwnRange | undefined {
  const [fromText, toText, zone = UTC] = [one(raw, "from"), one(raw, "to"), one(raw, "zone")];
  const [from, to] = [parseWall(fromText), parseWall(toText)];
  if (!from || !to || fromText === undefined || toText === undefined || !isZone(zone)) return undefined;
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  // Clocks that are put forward skip an hour: a time within it can be after one that is later on the clock.
  const isForward = days > 0 && instantOf(from, zone) < instantOf(to, zone);
  return isForward && days <= MAX_DAYS ? { from: fromText, to: toText, zone } : undefined;
}

const NO_RANGE = { from: undefined, to: undefined, zone: undefined };

/** Has an entry for every filter, enforced by the type. */
const forEachFilter = <T>(valueOf: (name: FilterName) => T): Record<FilterName, T> =>
  Object.fromEntries(REPORT_FILTERS.map((name) => [name, valueOf(name)])) as Record<FilterName, T>;

const isChoice = (name: FilterName): name is ChoiceFilterName => CHOICE_FILTERS.some((each) => each === name);

function readOne(raw: RawQuery, name: FilterName): string | undefined {
  const text = one(raw, name);
  return text !== undefined && MEANS_SOMETHING[name](text) ? text : undefined;
}

/** A form submits each ticked value as a separate parameter, and the exclusion as one more. */
function readChoice(raw: RawQuery, name: ChoiceFilterName): string | undefined {
  const value = raw[name];
  const choices = (Array.isArray(value) ? value : [value ?? ""]).flatMap((text) => parseChoice(text.trim()) ?? []);
  const values = choices.flatMap((choice) => choice.values.filter((each) => MEANS_SOMETHING[name](each)));
  if (values.length === 0) return undefined;
  const isExcluded = one(raw, `${name}-not`) !== undefined || choices.some((choice) => choice.isExcluded);
  return choiceText({ isExcluded, values: [...new Set(values)] });
}

const textsOf = (value: RawQuery[string]): string[] =>
  (Array.isArray(value) ? value : [value ?? ""]).map((text) => text.trim()).filter((text) => text !== "");

function isLeftOut(raw: RawQuery, name: FilterName): boolean {
  if (!isChoice(name)) return one(raw, name) !== undefined && readOne(raw, name) === undefined;
  return textsOf(raw[name]).some(
    (text) => parseChoice(text)?.values.every((value) => MEANS_SOMETHING[name](value)) !== true,
  );
}

/** Whether a URL has an invalid time: only one end, the end before the start, or too long. */
export const isTimeLeftOut = (raw: RawQuery): boolean => {
  const [from, to, span] = [one(raw, "from"), one(raw, "to"), one(raw, "span")];
  if (from !== undefined || to !== undefined) return parseOwnRange(raw) === undefined;
  return span !== undefined && !isSpan(span);
};

/** Filters of a URL with an invalid value: they do not narrow the list. */
export const filtersLeftOut = (raw: RawQuery): FilterName[] => REPORT_FILTERS.filter((name) => isLeftOut(raw, name));

/** Parses the query string; invalid values are ignored. */
export function parseReportQuery(raw: RawQuery): ReportQuery {
  const span = one(raw, "span");
  const filters = forEachFilter((name) => (isChoice(name) ? readChoice(raw, name) : readOne(raw, name)));
  return {
    ...filters,
    ...(parseOwnRange(raw) ?? NO_RANGE),
    span: isSpan(span) ? span : DEFAULT_SPAN,
    before: one(raw, "before"),
    after: one(raw, "after"),
  };
}

/** Whether the query string has repeated or empty values, as a submitted form does. */
export const isRedundant = (raw: RawQuery): boolean =>
  Object.entries(raw).some(([name, value]) => value === "" || Array.isArray(value) || name.endsWith("-not"));

/** The query as a query string. */
export function reportQueryText(query: ReportQuery): string {
  const parameters = new URLSearchParams();
  if (query.from !== undefined && query.to !== undefined) {
    parameters.set("from", query.from);
    parameters.set("to", query.to);
    if (query.zone !== undefined && query.zone !== UTC) parameters.set("zone", query.zone);
  } else if (query.span !== DEFAULT_SPAN) parameters.set("span", query.span);
  for (const name of [...REPORT_FILTERS, "before", "after"] as const) {
    const value = query[name];
    if (value !== undefined) parameters.set(name, value);
  }
  const text = parameters.toString();
  return text ? `?${text}` : "";
}

/** URL of the list with a change; changed filters reset paging. */
export function reportListHref(path: string, query: ReportQuery, change: Partial<ReportQuery>): string {
  const isPaging = "before" in change || "after" in change;
  const base = isPaging || Object.keys(change).length === 0 ? query : { ...query, before: undefined, after: undefined };
  const range = "span" in change ? NO_RANGE : {};
  const paged = isPaging ? { before: undefined, after: undefined } : {};
  return `${path}${reportQueryText({ ...base, ...range, ...paged, ...change })}`;
}

/** The list filtered by one value, over the longest span. */
export const narrowedHref = (path: string, filter: Partial<Record<FilterName, string>>): string =>
  reportListHref(path, parseReportQuery({}), { span: "90d", ...filter });

/** The filters that are set. */
export const setFilters = (query: ReportQuery): { name: FilterName; value: string }[] =>
  REPORT_FILTERS.flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : [{ name, value }];
  });

/** The ends of the query's custom range in the local time of `zone`, for a form. */
export function ownRangeIn(query: Pick<ReportQuery, "from" | "to" | "zone">, zone: string) {
  const inZone = (text: string | undefined) => {
    const wall = parseWall(text);
    if (!wall) return "";
    return wallClock(instantOf(wall, query.zone ?? UTC), zone)
      .toISOString()
      .slice(0, "2026-11-21T07:00".length);
  };
  return { from: inZone(query.from), to: inZone(query.to) };
}

export type TimeRange = { from: Date; to: Date; starts: Date[]; step: Step; label: string };

/** The time range of the query, and the steps of its chart in the local time of `zone`. */
export function timeRange(
  query: Pick<ReportQuery, "span" | "from" | "to" | "zone">,
  now: Date,
  zone: string,
): TimeRange {
  const [from, to] = [parseWall(query.from), parseWall(query.to)];
  if (from && to) {
    const own = query.zone ?? UTC;
    const edges = { from: withinCalendar(instantOf(from, own)), to: withinCalendar(instantOf(to, own)) };
    return { ...edges, ...stepsBetween(edges.from, edges.to, zone), label: "chosen time" };
  }
  const { count, step, label } = SPANS[query.span];
  return { ...lastSteps(count, step, now, zone), step, label: `last ${label}` };
}

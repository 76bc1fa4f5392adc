import { idToUuidText } from "@/lib/contract/ids";
import type { Db } from "@/db/client";
import type { Reason } from "@/lib/contract/report";
import {
  type PreparedFilter,
  seriesOfSlices,
  type SliceRange,
  sumSlices,
  type Verdicts,
} from "@/lib/visits/visit-store";
import { type FewValued, hourlySince } from "@/lib/visits/slices";
import { DAY_MS, HOUR_MS } from "@/lib/platform/calendar";
import { choiceOf, statusesOf } from "./domain/report-filter";

const MAX_VALUES = 40;
/** More rows than the values of a filter combined with all reasons. */
const MAX_REASONS_OF_VALUES = 10_000;

/** A value of the visits, most frequent first. The count is present if slices can tell it for the filtered visits. */
export type Facet = { value: string; count?: number };
type Only = { dimension: FewValued; values: readonly string[] };

const choicesOf = (filter: PreparedFilter) =>
  ({
    reason: choiceOf(filter.reason),
    rule: choiceOf(filter.rule),
    surface: choiceOf(filter.surface),
    country: choiceOf(filter.country),
    connection: choiceOf(filter.connection),
    network: choiceOf(filter.asn),
    browser: choiceOf(filter.browser),
    system: choiceOf(filter.system),
    app: choiceOf(filter.webAppId),
  }) as const;

/**
 * The filter's conditions on few-valued dimensions. Undefined if slices cannot answer it, as it excludes values or has
 * other conditions.
 */
function askedOf(filter: PreparedFilter): Only[] | undefined {
  const { deviceId, accountId, address, search } = filter;
  if ([deviceId, accountId, address, search].some((narrow) => narrow !== undefined)) return undefined;
  const asked: Only[] = [];
  for (const [name, choice] of Object.entries(choicesOf(filter))) {
    if (!choice) continue;
    const dimension = name as FewValued; // a key of the choices
    // A visit has several reasons and rules, and would be counted once for each of them.
    const isRepeated = (dimension === "reason" || dimension === "rule") && choice.values.length > 1;
    if (choice.isExcluded || isRepeated) return undefined;
    const values = choice.values.map(String);
    asked.push({ dimension, values: dimension === "app" ? values.map(idToUuidText) : values });
  }
  return asked.length <= 2 ? asked : undefined;
}

/** Roughly from rare to frequent values. */
const NARROWEST: readonly FewValued[] = [
  ...(["rule", "reason", "network", "surface", "app", "country", "connection", "system", "browser"] as const),
];

/**
 * The condition of a filter that is usually the narrowest and is counted in slices, and whether it is the filter's only
 * one apart from the verdict. Undefined for filters that have an index of their own.
 */
export function oftenNarrowest(filter: PreparedFilter): { only: Only | undefined; isExact: boolean } | undefined {
  const { deviceId, accountId, address, search, eventsOfRules } = filter;
  if ([deviceId, accountId, address, search, eventsOfRules].some((narrow) => narrow !== undefined)) return undefined;
  const choices = choicesOf(filter);
  const asked = NARROWEST.filter((dimension) => choices[dimension] !== undefined);
  const [dimension] = asked.filter((each) => choices[each]?.isExcluded === false);
  const values = (dimension && choices[dimension]?.values.map(String)) ?? [];
  const isCountedOnce = (dimension !== "rule" && dimension !== "reason") || values.length === 1;
  return {
    only: dimension && { dimension, values: dimension === "app" ? values.map(idToUuidText) : values },
    isExact: asked.length === (dimension ? 1 : 0) && isCountedOnce,
  };
}

const isWhole = (at: Date, unitMs: number) => at.getTime() % unitMs === 0;

/** Whether slices of pairs exist for this range: at whole UTC days, or recently at whole hours. */
const hasPairs = ({ from, to }: PreparedFilter, now: Date): boolean =>
  from >= hourlySince(now) || (isWhole(from, DAY_MS) && (to >= now || isWhole(to, DAY_MS)));

const dimensionsOf = (asked: readonly Only[]): SliceRange["dimensions"] => {
  const [one, other] = asked.map(({ dimension }) => dimension);
  if (one === undefined) return [];
  return other === undefined ? [one] : [one, other];
};

/** Counts visits by step from slices. Undefined if slices cannot answer the filter. */
export async function countStepsBySlices(
  db: Db,
  filter: PreparedFilter,
  { starts, now }: { starts: readonly Date[]; now: Date },
): Promise<({ step: number } & Verdicts)[] | undefined> {
  const asked = askedOf(filter);
  const { workspaceId, from, to } = filter;
  if (!asked || ![from, ...starts, to].every((at) => isWhole(at, HOUR_MS))) return undefined;
  const areDays = starts.every((at) => isWhole(at, DAY_MS));
  if (asked.length === 2 && !(from >= hourlySince(now) || (areDays && hasPairs(filter, now)))) return undefined;
  const range = { workspaceId, from, to, dimensions: dimensionsOf(asked), byHour: !areDays, only: asked };
  return await seriesOfSlices(db, range, starts);
}

const FACETS = ["rule", "surface", "country", "connection", "browser", "system"] as const;
type Faceted = (typeof FACETS)[number];

/**
 * The filter's other condition for counting a facet's values by slices. Undefined if that would take more than a pair
 * of dimensions.
 */
function narrowedTo(facet: Faceted | "reason", filter: PreparedFilter, now: Date): Only[] | undefined {
  const asked = askedOf(filter);
  const { status, from, to } = filter;
  const others = asked?.filter(({ dimension }) => dimension !== facet);
  if (!others || others.length > 1 || status !== undefined) return undefined;
  if (!isWhole(from, HOUR_MS) || !isWhole(to, HOUR_MS)) return undefined;
  return others.length === 0 || hasPairs(filter, now) ? others : undefined;
}

/** Column of the slices for each verdict. */
export const VERDICT_OF = { PASS: "passed", SUSPICIOUS: "suspicious", DECEPTIVE: "deceptive" } as const;

/** Counts visits of the filter by reason, most frequent first. Undefined if slices cannot answer the filter. */
export async function countReasonsBySlices(
  db: Db,
  filter: PreparedFilter,
  now: Date,
): Promise<Partial<Record<Reason, number>> | undefined> {
  const { workspaceId, from, to, reason } = filter;
  // Visits with one reason have others too, and slices only count pairs.
  const only = reason === undefined ? narrowedTo("reason", { ...filter, status: undefined }, now) : undefined;
  if (!only) return undefined;
  const [other] = only;
  const dimensions = other ? ([other.dimension, "reason"] as const) : (["reason"] as const);
  const range = { workspaceId, dimensions, from, to, byHour: false, only };
  const { rows } = await sumSlices(db, range, { order: "visits", limit: MAX_REASONS_OF_VALUES });
  const shown = statusesOf(filter);
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = other ? row.second : row.first;
    const visits = shown.reduce((sum, status) => sum + row[VERDICT_OF[status]], 0);
    if (visits > 0) counts.set(value, (counts.get(value) ?? 0) + visits);
  }
  const ordered = [...counts].sort(([a, of], [b, others]) => others - of || (a < b ? -1 : 1));
  return Object.fromEntries(ordered) as Partial<Record<Reason, number>>; // what is counted by reason
}

async function listFacet(db: Db, facet: Faceted, filter: PreparedFilter, now: Date): Promise<Facet[]> {
  const { workspaceId, from, to } = filter;
  const only = narrowedTo(facet, filter, now);
  const [other] = only ?? [];
  const dimensions = other ? ([other.dimension, facet] as const) : ([facet] as const);
  const range = { workspaceId, dimensions, from, to, byHour: false, only };
  const { rows } = await sumSlices(db, range, { order: "visits", limit: MAX_VALUES });
  const counts = new Map<string, number>();
  for (const { first, second, passed, suspicious, deceptive } of rows) {
    const value = other ? second : first;
    if (value !== "") counts.set(value, (counts.get(value) ?? 0) + passed + suspicious + deceptive);
  }
  return [...counts].map(([value, count]) => (only ? { value, count } : { value }));
}

/**
 * Lists the most frequent values for narrowing a filter further. They have counts if slices can tell them for the
 * filter; otherwise the values are those of all visits in the range.
 */
export async function listFacets(db: Db, filter: PreparedFilter, now: Date): Promise<Record<Faceted, Facet[]>> {
  const lists = await Promise.all(
    FACETS.map(async (facet) => [facet, await listFacet(db, facet, filter, now)] as const),
  );
  return Object.fromEntries(lists) as Record<Faceted, Facet[]>; // one for each of FACETS
}

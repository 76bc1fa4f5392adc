import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { ownRetention } from "@/lib/tenancy/workspaces";
import { type Dimension, isManyValued, isSecond, sliceCode, TOTAL_CODE } from "@/lib/visits/slices/domain/dimensions";
import { DAY_MS, HOUR_MS } from "@/lib/platform/calendar";
import { eventsBetween, listedTimes, uuid } from "./queries-parts";
import { eventFloor, joinsOf, type SliceHours, tablesOf, timestamp, valueOf } from "./queries-slices-parts";

export type Verdicts = { passed: number; suspicious: number; deceptive: number };

/**
 * Visits by no, one or two dimensions, from `from` (inclusive) to `to` (exclusive), both at whole hours. With `byHour`
 * only hourly slices are read, otherwise whole weeks and UTC days plus the hours around them.
 */
export type SliceRange = {
  workspaceId: string;
  dimensions: readonly [] | readonly [Dimension] | readonly [Dimension, Dimension];
  from: Date;
  to: Date;
  byHour: boolean;
  /** Only these values of the dimensions. */
  values?: readonly (readonly [string, string])[] | undefined;
  /** Only visits with one of these values of a dimension, which must be one of `dimensions`. */
  only?: readonly { dimension: Dimension; values: readonly string[] }[] | undefined;
};

/** Dimensions in stored order. */
function stored({ dimensions: [one, other], values }: Pick<SliceRange, "dimensions" | "values">) {
  if (one === undefined) return { code: TOTAL_CODE, dimensions: [], values, isTurned: false };
  if (other === undefined) return { code: sliceCode(one), dimensions: [one], values, isTurned: false };
  if (one === other) return { code: sliceCode(one, one), dimensions: [one, other], values, isTurned: false };
  const isTurned = isSecond(one, other);
  return {
    code: sliceCode(one, other),
    dimensions: isTurned ? [other, one] : [one, other],
    values: isTurned ? values?.map(([a, b]) => [b, a] as const) : values,
    isTurned,
  };
}

const pairs = (values: readonly (readonly [string, string])[]): SQL =>
  sql`json_to_recordset(${JSON.stringify(values.map(([first, second]) => ({ first, second })))}::json)
    as wanted(first text, second text)`;

/** Visits that are not counted yet, by value. For pairs of rules, those that fired together. */
function uncounted({ workspaceId, from, to }: SliceRange, dimensions: readonly Dimension[], wanted: SQL): SQL {
  const workspace = uuid(workspaceId);
  const [one, other] = dimensions;
  const isRules = one === "rule" && other === "rule";
  const first = one === undefined ? sql`''` : valueOf(one);
  const second = other === undefined ? sql`''` : isRules ? sql`other` : valueOf(other);
  const joins = isRules ? sql`${joinsOf(["rule"])} cross join lateral unnest(v.rules) other` : joinsOf(dimensions);
  return sql`
    select v.recorded_at as starts_at, v.first, v.second, (v.status = 'PASS')::int as passed,
      (v.status = 'SUSPICIOUS')::int as suspicious, (v.status = 'DECEPTIVE')::int as deceptive
    from (
      select v.recorded_at, v.status, ${first} as first, ${second} as second
      from visits v${joins}
      where v.workspace_id = ${workspace} and v.recorded_at >= greatest(${timestamp(from)}, (select until from mark))
        and v.recorded_at < ${timestamp(to)} and ${eventsBetween(from, to)}
          and v.event_id >= (select event_floor from mark)
        ${isRules ? sql`and rule < other` : sql``}) v
    where v.first is not null${wanted}`;
}

const onlyOf = (row: "s" | "v", { only = [] }: SliceRange, dimensions: readonly Dimension[]): SQL =>
  sql.join(
    only.map(({ dimension, values }) => {
      const column = sql.raw(`${row}.${dimensions.indexOf(dimension) === 1 ? "second" : "first"}`);
      return sql` and ${column} in (select json_array_elements_text(${JSON.stringify(values)}::json))`;
    }),
    sql``,
  );

const UNIT_MS: Record<SliceHours, number> = { 1: HOUR_MS, 24: DAY_MS, 168: 7 * DAY_MS };
/** Weeks begin on Monday, as in PostgreSQL. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

function rounded(at: Date, hours: SliceHours, round: (units: number) => number): Date {
  const origin = hours === 168 ? FIRST_MONDAY_MS : 0;
  return new Date(round((at.getTime() - origin) / UNIT_MS[hours]) * UNIT_MS[hours] + origin);
}

const UNTIL = sql`(select until from mark)`;

/**
 * Splits a range into slices: long ones in the middle, shorter ones before and after. The last long slice includes all
 * counted visits, so shorter slices are needed after it only if the range ends before the counted time.
 */
function partsOf(
  { from, to }: Pick<SliceRange, "from" | "to">,
  [hours, ...shorter]: readonly SliceHours[],
): {
  hours: SliceHours;
  begin: SQL;
  end: SQL;
}[] {
  if (hours === undefined) return [];
  const first = rounded(from, hours, Math.ceil);
  const begin = first < to ? first : to;
  const last = rounded(to, hours, Math.floor);
  const end = last > begin ? last : begin;
  const isOpen = sql`${UNTIL} <= ${timestamp(to)}`;
  const before = partsOf({ from, to: begin }, shorter);
  const after = end < to ? partsOf({ from: end, to }, shorter) : [];
  return [
    ...(from < begin ? before : []),
    { hours, begin: timestamp(begin), end: sql`case when ${isOpen} then ${timestamp(to)} else ${timestamp(end)} end` },
    // Empty if the long slices cover the rest.
    ...after.map((part) => ({ ...part, end: sql`case when ${isOpen} then ${part.begin} else ${part.end} end` })),
  ];
}

/**
 * The slices of a range as the CTE `sliced` (starts_at, first, second and verdicts), in which each uncounted visit is a
 * slice of its own. Takes a few scans of the primary key, regardless of the range's size.
 */
function slicedPart(range: SliceRange, grains: readonly SliceHours[]): { parts: SQL; isTurned: boolean } {
  const { workspaceId, from } = range;
  const { code, dimensions, values, isTurned } = stored(range);
  const workspace = uuid(workspaceId);
  const wantedOf = (row: "s" | "v") =>
    sql`${
      values === undefined
        ? sql``
        : sql` and (${sql.raw(row)}.first, ${sql.raw(row)}.second) in (select first, second from ${pairs(values)})`
    }${onlyOf(row, range, dimensions)}`;
  const wanted = wantedOf("s");
  const scanned = (table: SQL, hours: SliceHours, begin: SQL, end: SQL) => sql`
    select s.starts_at, s.first, s.second, s.passed, s.suspicious, s.deceptive from ${table} s
    where s.workspace_id = ${workspace} and s.code = ${sql.raw(String(code))} and s.hours = ${sql.raw(String(hours))}
      and s.starts_at >= ${begin} and s.starts_at < ${end}${wanted}`;
  // Looks up few values individually. The limit keeps the planner from reading all values of the time range instead.
  const lookedUp = (table: SQL, hours: SliceHours, begin: SQL, end: SQL) => sql`
    select s.* from ${pairs(values ?? [])},
      generate_series(${begin}, ${end} - interval '1 microsecond', ${sql.raw(`interval '${hours} hours'`)}) at, lateral (
        select s.starts_at, s.first, s.second, s.passed, s.suspicious, s.deceptive from ${table} s
        where s.workspace_id = ${workspace} and s.code = ${sql.raw(String(code))} and s.hours = ${sql.raw(String(hours))}
          and s.starts_at = at and s.first = wanted.first and s.second = wanted.second limit 1) s`;
  const slices = values === undefined ? scanned : lookedUp;
  const ofRange = sql.join(
    partsOf(range, grains).flatMap(({ hours, begin, end }) =>
      tablesOf(hours).map((table) => slices(table, hours, begin, end)),
    ),
    sql` union all `,
  );
  const tail = uncounted(range, dimensions, wantedOf("v"));
  return {
    isTurned,
    parts: sql`
      mark as materialized (
        select until, ${eventFloor(sql`until`)} as event_floor from (
          select coalesce((select counted_until from slice_marks where workspace_id = ${workspace}), ${timestamp(from)}) as until) m),
      sliced as (${ofRange} union all ${tail})`,
  };
}

const SUMS = sql`sum(passed)::int as passed, sum(suspicious)::int as suspicious, sum(deceptive)::int as deceptive`;

export type SliceRow = { first: string; second: string } & Verdicts;
export type SliceOrder = "visits" | "attention";

/** Sums the visits of a range by value, most frequent first, and counts the values. */
export async function sumSlices(
  db: Db,
  range: SliceRange,
  { order, limit }: { order: SliceOrder; limit: number },
): Promise<{ rows: SliceRow[]; values: number }> {
  const hasWeeks = !range.dimensions.some(isManyValued);
  const { parts, isTurned } = slicedPart(range, range.byHour ? [1] : hasWeeks ? [168, 24, 1] : [24, 1]);
  const most = order === "attention" ? sql`suspicious + deceptive` : sql`passed + suspicious + deceptive`;
  const rows = await db.execute<SliceRow & { values: number }>(sql`
    with ${parts}, summed as (select first, second, ${SUMS} from sliced group by 1, 2)
    select *, (count(*) over ())::int as values from summed where ${most} > 0
    order by ${most} desc, passed + suspicious + deceptive desc, first, second limit ${limit}`);
  return {
    values: rows[0]?.values ?? 0,
    rows: rows.map(({ first, second, passed, suspicious, deceptive }) => ({
      ...(isTurned ? { first: second, second: first } : { first, second }),
      ...{ passed, suspicious, deceptive },
    })),
  };
}

export type SeriesRow = SliceRow & { step: number };

/** Counts visits by value for the steps that begin at `starts`. Steps without visits are omitted. */
export async function seriesOfSlices(db: Db, range: SliceRange, starts: readonly Date[]): Promise<SeriesRow[]> {
  const { parts, isTurned } = slicedPart(range, range.byHour ? [1] : [24, 1]);
  const bounds = listedTimes(starts);
  const rows = await db.execute<SeriesRow>(sql`
    with ${parts}
    select width_bucket(starts_at, ${bounds}) - 1 as step, first, second, ${SUMS} from sliced group by 1, 2, 3`);
  return rows.map((row) => (isTurned ? { ...row, first: row.second, second: row.first } : row));
}

/**
 * Times from which a workspace's visits are counted in slices and kept at all. Ranges that begin earlier are
 * incomplete.
 */
export async function findSliceStart(
  db: Db,
  workspaceId: string,
  instanceDays: number,
): Promise<{ countedFrom: Date | undefined; keptFrom: Date | undefined }> {
  const workspace = uuid(workspaceId);
  const [row] = await db.execute<{ counted_ms: string | null; kept_ms: string | null }>(sql`
    select (select floor(extract(epoch from counted_from) * 1000)::text from slice_marks m
        where m.workspace_id = one.workspace_id and not m.is_complete) as counted_ms,
      floor(extract(epoch from statement_timestamp() - make_interval(
        days => least(${instanceDays}::int, ${ownRetention(sql`one`)}))) * 1000)::text as kept_ms
    from (select ${workspace} as workspace_id) one`);
  const at = (ms: string | null | undefined) => (ms == null ? undefined : new Date(Number(ms)));
  return { countedFrom: at(row?.counted_ms), keptFrom: at(row?.kept_ms) };
}

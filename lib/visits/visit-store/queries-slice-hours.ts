import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { type FewValued, sliceCode, TOTAL_CODE } from "@/lib/visits/slices/domain/dimensions";
import type { ReportStatus } from "@/lib/contract/report";
import { textList, uuid } from "./queries-parts";
import { slicesOf, timestamp } from "./queries-slices-parts";

export type HoursAsked = {
  workspaceId: string;
  from: Date;
  to: Date;
  /** Only visits with one of these values; all visits if undefined. */
  only: { dimension: FewValued; values: readonly string[] } | undefined;
  statuses: readonly ReportStatus[];
  /** Number of visits after which to stop, in list order. Only if the slices count exactly the wanted visits. */
  enough: number | undefined;
  isOldestFirst: boolean;
};

const COLUMNS: Record<ReportStatus, SQL> = {
  PASS: sql`s.passed`,
  SUSPICIOUS: sql`s.suspicious`,
  DECEPTIVE: sql`s.deceptive`,
};

/** Counts the visits of the slices that begin at `at`, as `n`, with one primary key lookup per value. */
function countAt(hours: 1 | 24, { workspaceId, only, statuses }: HoursAsked): SQL {
  const code = only === undefined ? TOTAL_CODE : sliceCode(only.dimension);
  const workspace = uuid(workspaceId);
  const counted = statuses.map((status) => COLUMNS[status]);
  return sql`lateral (
    select coalesce(sum(${sql.join(counted, sql` + `)}), 0)::int as n
    from ${slicesOf(workspace, hours)} s where s.workspace_id = ${workspace} and s.code = ${sql.raw(String(code))}
      and s.hours = ${sql.raw(String(hours))} and s.starts_at = at
      and s.first = any(${textList(only?.values ?? [""])}::text[]) and s.second = '') counted`;
}

/**
 * The required ones of `slices` (at, n, is_edge). A slice at the edge of the range includes visits outside it, so it is
 * always required but not counted.
 */
function needed(slices: SQL, { enough, isOldestFirst }: HoursAsked): SQL {
  if (enough === undefined) return sql`select at from ${slices} where n > 0`;
  const inside = sql`case when is_edge then 0 else n end`;
  return sql`
    select at from (
      select at, sum(${inside}) over (order by at ${isOldestFirst ? sql`` : sql`desc`}) - ${inside} as before
      from ${slices} where n > 0) ordered
    where before < ${enough}`;
}

/**
 * Finds the hours with visits according to the slices, oldest first, and the time up to which slices are known (at most
 * the end of the range). Undefined if part of the range is not counted yet.
 */
export async function findHoursWithVisits(
  db: Db,
  asked: HoursAsked,
): Promise<{ hours: Date[]; countedUntil: Date } | undefined> {
  const workspace = uuid(asked.workspaceId);
  const [from, to] = [timestamp(asked.from), timestamp(asked.to)];
  const isEdge = (length: string) => sql`at < ${from} or at + ${sql.raw(`interval '${length}'`)} > until`;
  const rows = await db.execute<{ until_ms: string; at_ms: string | null }>(sql`
    with mark as materialized (
      select least(counted_until, ${to}) as until, greatest(date_trunc('day', ${from}, 'UTC'), (
          select min(s.starts_at) from ${slicesOf(workspace, 24)} s
          where s.workspace_id = ${workspace} and s.code = ${sql.raw(String(TOTAL_CODE))} and s.hours = 24)) as since
      from slice_marks m where m.workspace_id = ${workspace} and (m.is_complete or m.counted_from <= ${from})
    ), days as materialized (
      select at, n, ${isEdge("24 hours")} as is_edge
      from mark, generate_series(since, until - interval '1 microsecond', interval '24 hours') at, ${countAt(24, asked)}
    ), hours as materialized (
      select at, n, ${isEdge("1 hour")} as is_edge
      from mark, (${needed(sql`days`, asked)}) d(day), generate_series(day, day + interval '23 hours', interval '1 hour') at,
        ${countAt(1, asked)}
      where at < until and at + interval '1 hour' > ${from}
    )
    select floor(extract(epoch from until) * 1000)::text as until_ms, floor(extract(epoch from at) * 1000)::text as at_ms
    from mark left join (${needed(sql`hours`, asked)}) found on true order by at`);
  const [first] = rows;
  return (
    first && {
      hours: [...rows].flatMap(({ at_ms: at }) => (at === null ? [] : [new Date(Number(at))])),
      countedUntil: new Date(Number(first.until_ms)),
    }
  );
}

import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import {
  ALL_CODES,
  HOURLY_DAYS,
  LONG_CODES,
  MANY_VALUED_CODES,
  sliceCode,
} from "@/lib/visits/slices/domain/dimensions";
import { uuid } from "./queries-parts";
import { ADDED_SLICES, codes, countedSlices, tablesOf, timestamp } from "./queries-slices-parts";

const TABLES = tablesOf(24);

/**
 * Deletes about `limit` of a workspace's slices, and their mark once there are none, so that its visits are counted again.
 * In the order of the key: with statistics older than the rows, a join with their keys would compare each with each.
 *
 * @returns whether there are more
 */
export async function forgetSlices(db: Db, workspaceId: string, limit: number): Promise<boolean> {
  const workspace = uuid(workspaceId);
  for (const table of TABLES) {
    const [last] = await db.execute<{ code: number; hours: number; at: string }>(sql`
      select code, hours, starts_at::text as at from ${table} where workspace_id = ${workspace}
      order by code, hours, starts_at, first, second offset ${limit - 1} limit 1`);
    const upToLast =
      last && sql`and (code, hours, starts_at) <= (${last.code}, ${last.hours}, ${last.at}::timestamptz)`;
    await db.execute(sql`delete from ${table} where workspace_id = ${workspace} ${upToLast ?? sql``}`);
    if (last) return true;
  }
  await db.execute(sql`delete from slice_marks where workspace_id = ${workspace}`);
  return false;
}

/**
 * CTEs that subtract the CTE `added` from the slices that exist.
 *
 * Each slice is looked up by its key: with statistics older than the rows, a join would compare each slice with each
 * other one. `offset 0` prevents the planner from making it a join.
 */
const subtracted = (workspace: SQL): SQL =>
  sql.join(
    TABLES.map(
      (table) => sql`taken_from_${table} as (
    insert into ${table} as s (workspace_id, code, hours, starts_at, first, second, passed, suspicious, deceptive)
    select ${workspace}, code, hours, starts_at, first, second, -passed, -suspicious, -deceptive from added t
    where exists (select 1 from ${table} o where o.workspace_id = ${workspace} and o.code = t.code
      and o.hours = t.hours and o.starts_at = t.starts_at and o.first = t.first and o.second = t.second offset 0)
    on conflict (workspace_id, code, hours, starts_at, first, second) do update set
      passed = s.passed + excluded.passed, suspicious = s.suspicious + excluded.suspicious,
      deceptive = s.deceptive + excluded.deceptive)`,
    ),
    sql`, `,
  );

/** Slices of one length that are no longer kept: those of `codes` that began at `latest` or before. */
type Expired = { table: SQL; hours: 1 | 24 | 168; codes: readonly number[]; latest: SQL };

/** A slice is kept as long as any of its visits. */
function expiredBefore(to: Date): Expired[] {
  const endedBy = (hours: number) => sql`${timestamp(to)} - ${sql.raw(`interval '${hours} hours'`)}`;
  const short = ALL_CODES.filter((code) => !LONG_CODES.includes(code));
  const unread = sql`statement_timestamp() - make_interval(days => ${HOURLY_DAYS})`;
  return [
    ...([168, 24] as const).flatMap((hours) =>
      TABLES.map((table): Expired => ({ table, hours, codes: ALL_CODES, latest: endedBy(hours) })),
    ),
    ...tablesOf(1).flatMap((table): Expired[] => [
      { table, hours: 1, codes: LONG_CODES, latest: endedBy(1) },
      { table, hours: 1, codes: short, latest: sql`greatest(${endedBy(1)}, ${unread})` },
    ]),
  ];
}

/** Number of slices of one code after which the next ones are deleted by another statement. */
const SLICES_AT_ONCE = 500;

/** The start up to which the next slices are deleted, about `SLICES_AT_ONCE` of the code that has most. */
async function nextExpired(db: Db, workspace: SQL, expired: Expired): Promise<string | undefined> {
  const [row] = await db.execute<{ until: string | null }>(sql`
    select min(due.until)::text as until from unnest(${codes(expired.codes)}) k(code) cross join lateral (
      select max(starts_at) as until from (
        select o.starts_at from ${expired.table} o
        where o.workspace_id = ${workspace} and o.code = k.code and o.hours = ${sql.raw(String(expired.hours))}
          and o.starts_at <= ${expired.latest}
        order by o.starts_at limit ${SLICES_AT_ONCE}) page) due`);
  return row?.until ?? undefined;
}

/**
 * Deletes slices that end at `to` or before, and hourly ones that are no longer needed, in short statements. The days are
 * subtracted from the week that is kept in part, so that a week has as many visits as its days.
 */
export async function deleteSlicesBefore(db: Db, workspaceId: string, to: Date, signal?: AbortSignal): Promise<void> {
  const workspace = uuid(workspaceId);
  for (const expired of expiredBefore(to))
    for (let until = await nextExpired(db, workspace, expired); until !== undefined && !signal?.aborted;) {
      await db.execute(sql`
        with gone as (
          delete from ${expired.table} where workspace_id = ${workspace} and code = any(${codes(expired.codes)})
            and hours = ${sql.raw(String(expired.hours))} and starts_at <= ${until}::timestamptz returning *
        ), added as materialized (
          select code, 168::smallint as hours, date_trunc('week', starts_at, 'UTC') as starts_at, first, second,
            sum(passed)::int as passed, sum(suspicious)::int as suspicious, sum(deceptive)::int as deceptive from gone
          where hours = 24 and starts_at >= date_trunc('week', ${timestamp(to)}, 'UTC') group by 1, 3, 4, 5
        ), ${subtracted(workspace)} select 1`);
      until = await nextExpired(db, workspace, expired);
    }
}

/** Locks the mark, so that visits deleted in this transaction can be subtracted from the slices that contain them. */
export async function lockSlices(tx: Db, workspaceId: string): Promise<void> {
  await tx.execute(sql`select 1 from slice_marks where workspace_id = ${uuid(workspaceId)} for update`);
}

/**
 * CTEs that subtract the visits of `gone`, with their links in `unlinked`, from the slices, for the statement that
 * deletes the visits. An earlier statement must have locked the mark.
 */
export const takenFromSlices = (workspace: SQL, gone: SQL, unlinked: SQL): SQL => sql`
  counted as materialized (${countedSlices(
    sql`(select g.* from ${gone} g, slice_marks m where m.workspace_id = ${workspace}
      and g.recorded_at >= m.counted_from and g.recorded_at < m.counted_until)`,
    unlinked,
  )}),
  added as materialized (${ADDED_SLICES}),
  ${subtracted(workspace)}`;

/** Deletes the slices of one value of a many-valued dimension, and of values without any remaining visits. */
export async function deleteSlicesOf(
  tx: Db,
  workspaceId: string,
  dimension: "device" | "account",
  value: string,
): Promise<void> {
  // A concurrent count may still have seen the rows that are being deleted.
  await lockSlices(tx, workspaceId);
  for (const table of TABLES)
    await tx.execute(sql`
      delete from ${table} where workspace_id = ${uuid(workspaceId)} and code = any(${codes(MANY_VALUED_CODES)})
        and (code = ${sliceCode(dimension)} and first = ${value} or passed + suspicious + deceptive <= 0)`);
}

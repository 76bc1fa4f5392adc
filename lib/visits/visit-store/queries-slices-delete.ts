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

/** Deletes a workspace's slices, so that they are counted again. */
export async function forgetSlices(db: Db, workspaceId: string): Promise<void> {
  const workspace = uuid(workspaceId);
  await db.execute(sql`
    with mark as (delete from slice_marks where workspace_id = ${workspace}),
      closed as (delete from closed_slices where workspace_id = ${workspace})
    delete from visit_slices where workspace_id = ${workspace}`);
}

/** Deletes slices that began before `to`, and hourly ones that are no longer needed. */
export async function deleteSlicesBefore(db: Db, workspaceId: string, to: Date): Promise<void> {
  const workspace = uuid(workspaceId);
  const short = ALL_CODES.filter((code) => !LONG_CODES.includes(code));
  for (const table of TABLES)
    await db.execute(sql`
      delete from ${table} where workspace_id = ${workspace} and code = any(${codes(ALL_CODES)})
        and hours in (1, 24, 168) and starts_at < ${timestamp(to)}`);
  await db.execute(sql`
    delete from visit_slices where workspace_id = ${workspace} and code = any(${codes(short)})
      and hours = 1 and starts_at < statement_timestamp() - make_interval(days => ${HOURLY_DAYS})`);
}

/** Locks the mark, so that visits deleted in this transaction can be subtracted from the slices that contain them. */
export async function lockSlices(tx: Db, workspaceId: string): Promise<void> {
  await tx.execute(sql`select 1 from slice_marks where workspace_id = ${uuid(workspaceId)} for update`);
}

/**
 * CTEs that subtract the visits of `gone`, with their links in `unlinked`, from the slices, for the statement that
 * deletes the visits. An earlier statement must have locked the mark.
 *
 * Each slice is looked up by its key: with statistics older than the rows, a join would compare each slice with each
 * other one. `offset 0` prevents the planner from making it a join.
 */
export const takenFromSlices = (workspace: SQL, gone: SQL, unlinked: SQL): SQL => sql`
  counted as materialized (${countedSlices(
    sql`(select g.* from ${gone} g, slice_marks m where m.workspace_id = ${workspace}
      and g.recorded_at >= m.counted_from and g.recorded_at < m.counted_until)`,
    unlinked,
  )}),
  added as materialized (${ADDED_SLICES}),
  ${sql.join(
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
  )}`;

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

import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { uuidToId } from "@/lib/contract/ids";
import { ALL_CODES, KEPT_VALUES, MANY_VALUED_CODES } from "@/lib/visits/slices/domain/dimensions";
import { DAY_MS } from "@/lib/platform/calendar";
import { evidenceOf, type StoredEvidence } from "./pack-json";
import { eventsBetween, uuid, uuids } from "./queries-parts";
import { forgetSlices, lockSlices } from "./queries-slices-delete";
import { ADDED_SLICES, codes, countedSlices } from "./queries-slices-parts";

/**
 * Visits are counted once no running transaction can still store an earlier one. Transactions end after twelve seconds.
 */
export const COUNTED_AFTER_SECONDS = 60;

/** Times with microseconds, as formatted by the database. */
type Span = { from: string; to: string };

/** A mark that is further ahead was made before the clock was set back: the visits before it are not all counted. */
const AHEAD = sql`statement_timestamp() + interval '1 hour'`;

const instant = (text: string): SQL => sql`${text}::timestamptz`;

/** Those of the workspaces that may have visits missing from their slices. */
export async function listUncountedSlices(db: Db, workspaceIds: readonly string[]): Promise<string[]> {
  const rows = await db.execute<{ workspace_id: string }>(sql`
    select m.workspace_id from slice_marks m
    where m.workspace_id = any (${uuids(workspaceIds)}) and m.is_complete and m.counted_until < ${AHEAD} and not exists (
      select 1 from visits v where v.workspace_id = m.workspace_id and v.recorded_at >= m.counted_until
        and v.recorded_at < statement_timestamp() - make_interval(secs => ${COUNTED_AFTER_SECONDS}))`);
  const counted = new Set(rows.map((row) => uuidToId("workspace", row.workspace_id)));
  return workspaceIds.filter((workspaceId) => !counted.has(workspaceId));
}

type Mark = { counted_from: string; counted_until: string; is_complete: boolean; is_ahead: boolean; latest: string };

/** Locks a workspace's mark until the transaction ends, creating it if necessary. Serializes counting. */
async function lockMark(tx: Db, workspace: SQL, lagSeconds: number): Promise<Mark> {
  const latest = sql`statement_timestamp() - make_interval(secs => ${lagSeconds})`;
  await tx.execute(sql`
    insert into slice_marks (workspace_id, counted_from, counted_until, is_complete)
    select ${workspace}, hour, hour, false from date_trunc('hour', ${latest}, 'UTC') hour on conflict do nothing`);
  const [mark] = await tx.execute<Mark>(sql`
    select counted_from::text, counted_until::text, is_complete, counted_until > ${AHEAD} as is_ahead,
      (${latest})::text as latest
    from slice_marks where workspace_id = ${workspace} for update`);
  if (!mark) throw new Error("the slice mark is missing");
  return mark;
}

/** Visits from before 0.2 have their rules only in the evidence. Visits without a reason have none. */
async function fillRules(tx: Db, workspace: SQL, span: Span): Promise<void> {
  const rows = await tx.execute<{ event_id: string } & StoredEvidence>(sql`
    select event_id, evidence, evidence_packed from visits v
    where workspace_id = ${workspace} and ${within(span)} and rules is null and reasons <> '{}'`);
  if (rows.length === 0) return;
  const filled = [...rows].map((row) => {
    const { risk } = evidenceOf(row) as { risk?: { ruleId: string }[] }; // as the service wrote it
    return { event_id: row.event_id, rules: [...new Set((risk ?? []).map(({ ruleId }) => ruleId))] };
  });
  await tx.execute(sql`
    update visits v set rules = f.rules
    from json_to_recordset(${JSON.stringify(filled)}::json) as f(event_id uuid, rules text[])
    where v.workspace_id = ${workspace} and v.event_id = f.event_id`);
}

/** The event ids limit the partitions that are read. Times have microseconds, so the bounds are slightly wider. */
const within = ({ from, to }: Span): SQL => sql`
  v.recorded_at >= ${instant(from)} and v.recorded_at < ${instant(to)}
    and ${eventsBetween(new Date(from), new Date(new Date(to).getTime() + 1))}`;

async function addVisits(tx: Db, workspace: SQL, span: Span): Promise<void> {
  await fillRules(tx, workspace, span);
  const visits = sql`(select * from visits v where v.workspace_id = ${workspace} and ${within(span)})`;
  await tx.execute(sql`
    with counted as materialized (${countedSlices(visits, sql`account_links`)})
    insert into visit_slices as s (workspace_id, code, hours, starts_at, first, second, passed, suspicious, deceptive)
    select ${workspace}, * from (${ADDED_SLICES}) added
    on conflict (workspace_id, code, hours, starts_at, first, second) do update set
      passed = s.passed + excluded.passed, suspicious = s.suspicious + excluded.suspicious,
      deceptive = s.deceptive + excluded.deceptive`);
}

type RareValues = { code: number; starts_at: string; values: string };

/**
 * Keeps only the most frequent values of many-valued dimensions, for the hours and days that ended between two times.
 * Rare values are selected first, as there are usually none. In a join of the table with its own ranking, the planner
 * repeats the ranking for every row if it assumes the table to be small, for example after many visits were counted at
 * once.
 */
async function pruneValues(tx: Db, workspace: SQL, { from, to }: Span): Promise<void> {
  for (const [unit, hours, kept] of [
    ["hour", 1, KEPT_VALUES.hour],
    ["day", 24, KEPT_VALUES.day],
  ] as const) {
    const start = (at: string) => sql`date_trunc(${unit}, ${instant(at)}, 'UTC')`;
    const rare = await tx.execute<RareValues>(sql`
      select code, starts_at::text, array_agg(first)::text as values from (
        select code, starts_at, first, row_number() over (
          partition by code, starts_at order by passed + suspicious + deceptive desc, first) as place
        from visit_slices
        where workspace_id = ${workspace} and code = any(${codes(MANY_VALUED_CODES)}) and hours = ${hours}
          and starts_at >= ${start(from)} and starts_at < ${start(to)}) ranked
      where place > ${kept} group by code, starts_at`);
    for (const { code, starts_at, values } of rare)
      await tx.execute(sql`
        delete from visit_slices
        where workspace_id = ${workspace} and code = ${code} and hours = ${hours}
          and starts_at = ${instant(starts_at)} and first = any(${values}::text[]) and second = ''`);
  }
}

const dayAfter = (at: string): string => new Date(Math.ceil(Date.parse(at) / DAY_MS) * DAY_MS).toISOString();

type Counting = { workspaceId: string; limit: number; lagSeconds: number };

/**
 * Adds up to `limit` visits after the counted ones. If the clock was set back since, all are counted again. Requires its
 * own transaction.
 *
 * @returns whether there may be more
 */
export async function countNewerVisits(tx: Db, { workspaceId, limit, lagSeconds }: Counting): Promise<boolean> {
  const workspace = uuid(workspaceId);
  const mark = await lockMark(tx, workspace, lagSeconds);
  if (mark.is_ahead) {
    await forgetSlices(tx, workspaceId, limit);
    return true;
  }
  const [next] = await tx.execute<{ at: string }>(sql`
    select recorded_at::text as at from visits
    where workspace_id = ${workspace} and recorded_at >= ${instant(mark.counted_until)}
      and recorded_at < ${instant(mark.latest)} order by recorded_at offset ${limit} limit 1`);
  const span = { from: mark.counted_until, to: next?.at ?? mark.latest };
  if (new Date(span.to) < new Date(span.from)) return false;
  await addVisits(tx, workspace, span);
  await tx.execute(sql`
    update slice_marks set counted_until = greatest(counted_until, ${instant(span.to)}) where workspace_id = ${workspace}`);
  await pruneValues(tx, workspace, span);
  return next !== undefined;
}

/**
 * Adds about `limit` visits before the counted ones, newest first. This is how visits from before the introduction of
 * slices are counted. Requires its own transaction.
 *
 * @returns whether there may be more
 */
export async function countOlderVisits(tx: Db, { workspaceId, limit, lagSeconds }: Counting): Promise<boolean> {
  const workspace = uuid(workspaceId);
  const mark = await lockMark(tx, workspace, lagSeconds);
  if (mark.is_complete) return false;
  const older = sql`from visits where workspace_id = ${workspace} and recorded_at < ${instant(mark.counted_from)}`;
  const [first] = await tx.execute<{ at: string; is_last: boolean }>(sql`
    with page as materialized (select recorded_at ${older} order by recorded_at desc limit ${limit})
    select min(recorded_at)::text as at, count(*) < ${limit} as is_last from page`);
  if (first?.at) await addVisits(tx, workspace, { from: first.at, to: mark.counted_from });
  const isComplete = first?.is_last ?? true;
  await tx.execute(sql`
    update slice_marks set counted_from = coalesce(${first?.at ?? null}::timestamptz, counted_from), is_complete = ${isComplete}
    where workspace_id = ${workspace}`);
  // Prunes days once they are complete: those completed by this step, except for the day that newer visits are added
  // to.
  const reached = first?.at ?? mark.counted_from;
  const [start, end] = [isComplete ? reached : dayAfter(reached), dayAfter(mark.counted_from)];
  if (end < mark.counted_until) await pruneValues(tx, workspace, { from: start, to: end });
  return !isComplete;
}

/** Slices of past days or weeks with one code, up to and including those of a time. */
type DueSlices = { code: number; hours: number; until: string };

/**
 * The slices that have not been moved yet, once all older visits are counted: for each code and length about `limit`,
 * since slices of one time are moved together.
 */
const listDueSlices = (tx: Db, workspace: SQL, limit: number) =>
  tx.execute<DueSlices>(sql`
    select k.code, h.hours, due.until::text
    from (
      select 24::smallint as hours, date_trunc('day', m.counted_until, 'UTC') as open_from
      from slice_marks m where m.workspace_id = ${workspace} and m.is_complete
      union all
      select 168::smallint, date_trunc('week', m.counted_until, 'UTC')
      from slice_marks m where m.workspace_id = ${workspace} and m.is_complete) h
    cross join unnest(${codes(ALL_CODES)}) k(code)
    cross join lateral (
      select max(starts_at) as until from (
        select o.starts_at from visit_slices o
        where o.workspace_id = ${workspace} and o.code = k.code and o.hours = h.hours and o.starts_at < h.open_from
        order by o.starts_at limit ${limit}) page) due
    where due.until is not null`);

/** @returns number of slices moved */
async function moveSlices(tx: Db, workspace: SQL, { code, hours, until }: DueSlices): Promise<number> {
  const [row] = await tx.execute<{ moved: number }>(sql`
    with gone as (
      delete from visit_slices
      where workspace_id = ${workspace} and code = ${code} and hours = ${hours} and starts_at <= ${instant(until)}
      returning *
    ), closed as (
      insert into closed_slices as c (workspace_id, code, hours, starts_at, first, second, passed, suspicious, deceptive)
      select workspace_id, code, hours, starts_at, first, second, passed, suspicious, deceptive
      from gone order by starts_at, first, second
      on conflict (workspace_id, code, hours, starts_at, first, second) do update set
        passed = c.passed + excluded.passed, suspicious = c.suspicious + excluded.suspicious,
        deceptive = c.deceptive + excluded.deceptive
    )
    select count(*)::int as moved from gone`);
  return row?.moved ?? 0;
}

/**
 * Moves about `limit` slices of past days and weeks to the table that stores them in key order, once all older visits
 * are counted. Requires its own transaction.
 *
 * Ranges of the primary key instead of a join with a list of keys: with statistics older than the rows, a join would
 * read all slices of the workspace each time.
 *
 * @returns whether there may be more
 */
export async function closeSlices(tx: Db, { workspaceId, limit }: Counting): Promise<boolean> {
  const workspace = uuid(workspaceId);
  // Usually nothing is due, and no lock needs to be written.
  if ((await listDueSlices(tx, workspace, 1)).length === 0) return false;
  await lockSlices(tx, workspaceId);
  let moved = 0;
  for (const due of await listDueSlices(tx, workspace, limit)) {
    moved += await moveSlices(tx, workspace, due);
    if (moved >= limit) return true;
  }
  return false;
}

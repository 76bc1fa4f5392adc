import { type SQL, sql } from "drizzle-orm";

import { deleteByKey } from "@/db/batches";
import type { Db } from "@/db/client";
import { byDistribution, readRow, type RowQuery, type Statement, statement } from "@/db/prepared";
import { rateBuckets } from "@/db/schema";
import type { Take } from "./permit-store";

const step = sql`${sql.placeholder("step")}::bigint`;
const room = sql`${sql.placeholder("room")}::bigint`;
/** In `do update` the clock is read under the row lock, so a step that had to wait does not use a stale time. */
const CLOCK = sql`(select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros) clock`;
/** The clock was set back, see `advanceTat`. */
const IMPOSSIBLE = sql`b.arrival_micros > micros + ${room}`;

/** `advanceTat` for several permits at once. */
const STEP = sql`
  insert into rate_buckets as b (bucket, arrival_micros)
  select ${sql.placeholder("bucket")}, micros + ${step} from ${CLOCK}
  on conflict (bucket) do update
  set arrival_micros = (
    select case when ${IMPOSSIBLE} then micros + ${room} else greatest(b.arrival_micros, micros) + ${step} end from ${CLOCK})
  where (select ${IMPOSSIBLE} or greatest(b.arrival_micros, micros) + ${step} <= micros + ${room} from ${CLOCK})
  returning arrival_micros - (select micros from ${CLOCK}) as tat_ahead`;

const advanceTat = statement<{ tat_ahead: string }>(STEP, "take permits");

type Row = Readonly<Record<string, unknown>>;
type SteppedRow = { tat_ahead: string | null } & Record<string, unknown>;
const piggybackStatements = new WeakMap<SQL, Statement<SteppedRow>>();

/** The step combined with a piggybacked query, compiled on first use of that query. */
function stepAndRead(query: SQL): Statement<SteppedRow> {
  const made =
    piggybackStatements.get(query) ??
    statement<SteppedRow>(
      sql`
      with step as (${STEP})
      select step.tat_ahead, query.* from (select 1) one left join step on true left join (${query}) query on true`,
      "take permits and read",
      { isRouted: false },
    );
  piggybackStatements.set(query, made);
  return made;
}

/**
 * Takes `permits` if the bucket allows all of them, and runs the piggybacked query in either case.
 *
 * @returns how far the theoretical arrival time is then ahead of the database clock, in microseconds; `undefined` if
 * refused
 */
export async function takePermits(
  db: Db,
  bucket: string,
  { permits, emissionMicros, burst }: Take,
  query?: RowQuery,
): Promise<{ tatAheadMicros: number | undefined; row?: Row }> {
  const values = { bucket, step: permits * emissionMicros, room: burst * emissionMicros };
  const step = async () => {
    const [row] = await advanceTat(db, values);
    return { tatAheadMicros: row && Number(row.tat_ahead) };
  };
  if (!query) return await step();
  const together = async () => {
    const [{ tat_ahead, ...row } = { tat_ahead: null }] = await stepAndRead(query.sql)(db, values, ...query.values);
    return { tatAheadMicros: tat_ahead === null ? undefined : Number(tat_ahead), row };
  };
  // Buckets are on one node, the workspace's rows on its shard: both are queried concurrently.
  const separately = async () => {
    const [taken, row] = await Promise.all([step(), readRow(db, query)]);
    return { ...taken, row };
  };
  return await byDistribution<{ tatAheadMicros: number | undefined; row?: Row }>(db, together, separately);
}

/** How far the theoretical arrival time is ahead of the database clock, in microseconds. */
export async function readTatAhead(db: Db, bucket: string): Promise<number> {
  const [row] = await db.execute<{ tat_ahead: string }>(sql`
    select arrival_micros - (extract(epoch from clock_timestamp()) * 1000000)::bigint as tat_ahead
    from rate_buckets where bucket = ${bucket}`);
  return row ? Number(row.tat_ahead) : 0;
}

/** Deletes buckets that have been idle for an hour: they are equivalent to new ones. */
export const deleteIdleBuckets = (db: Db, signal?: AbortSignal): Promise<number> =>
  deleteByKey(
    db,
    rateBuckets,
    sql`arrival_micros < (extract(epoch from clock_timestamp() - interval '1 hour') * 1000000)::bigint`,
    signal,
  );

import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { type RowQuery, type Statement, statement } from "@/db/prepared";
import type { Take } from "./permit-store";

const step = sql`${sql.placeholder("step")}::bigint`;

const CLOCK = sql`clock as (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros)`;
const STEP = sql`
  insert into rate_buckets as b (bucket, arrival_micros)
  select ${sql.placeholder("bucket")}, micros + ${step} from clock
  on conflict (bucket) do update
  set arrival_micros = greatest(b.arrival_micros, (select micros from clock)) + ${step}
  where greatest(b.arrival_micros, (select micros from clock)) + ${step} - (select micros from clock)
    <= ${sql.placeholder("room")}::bigint
  returning arrival_micros - (select micros from clock) as tat_ahead`;

const advanceTat = statement<{ tat_ahead: string }>(sql`with ${CLOCK} ${STEP}`);

type SteppedRow = { tat_ahead: string | null } & Record<string, unknown>;
const piggybackStatements = new WeakMap<SQL, Statement<SteppedRow>>();

/** The step with a piggybacked query, compiled on first use of that query. */
function stepAndRead(query: SQL): Statement<SteppedRow> {
  const made =
    piggybackStatements.get(query) ??
    statement<SteppedRow>(sql`
      with ${CLOCK}, step as (${STEP})
      select step.tat_ahead, query.* from (select 1) one left join step on true left join (${query}) query on true`);
  piggybackStatements.set(query, made);
  return made;
}

/**
 * Takes `permits` if the bucket allows all of them, and runs the piggybacked query in any case.
 *
 * @returns how far the theoretical arrival time then is ahead of the database clock, in microseconds; `undefined` when
 * refused
 */
export async function takePermits(
  db: Db,
  bucket: string,
  { permits, emissionMicros, burst }: Take,
  query?: RowQuery,
): Promise<{ tatAheadMicros: number | undefined; row?: Record<string, unknown> }> {
  const values = { bucket, step: permits * emissionMicros, room: burst * emissionMicros };
  if (query) {
    const [{ tat_ahead, ...row } = { tat_ahead: null }] = await stepAndRead(query.sql)(db, values, ...query.values);
    return { tatAheadMicros: tat_ahead === null ? undefined : Number(tat_ahead), row };
  }
  const [row] = await advanceTat(db, values);
  return { tatAheadMicros: row && Number(row.tat_ahead) };
}

/** How far the theoretical arrival time is ahead of the database clock, in microseconds. */
export async function readTatAhead(db: Db, bucket: string): Promise<number> {
  const [row] = await db.execute<{ tat_ahead: string }>(sql`
    select arrival_micros - (extract(epoch from clock_timestamp()) * 1000000)::bigint as tat_ahead
    from rate_buckets where bucket = ${bucket}`);
  return row ? Number(row.tat_ahead) : 0;
}

/** Deletes buckets that have been idle for an hour: they are equivalent to new ones. */
export async function deleteIdleBuckets(db: Db): Promise<void> {
  await db.execute(sql`
    delete from rate_buckets
    where arrival_micros < (extract(epoch from clock_timestamp() - interval '1 hour') * 1000000)::bigint`);
}

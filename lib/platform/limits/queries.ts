import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { type Reading, type Statement, statement } from "@/db/prepared";
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
  returning arrival_micros - (select micros from clock) as debt`;

const stepArrival = statement<{ debt: string }>(sql`with ${CLOCK} ${STEP}`);

type SteppedRow = { debt: string | null } & Record<string, unknown>;
const readingStatements = new WeakMap<SQL, Statement<SteppedRow>>();

/** The step with a reading beside it, made when it is first needed for that reading. */
function stepAndRead(reading: SQL): Statement<SteppedRow> {
  const made =
    readingStatements.get(reading) ??
    statement<SteppedRow>(sql`
      with ${CLOCK}, step as (${STEP})
      select step.debt, reading.* from (select 1) one left join step on true left join (${reading}) reading on true`);
  readingStatements.set(reading, made);
  return made;
}

/**
 * Takes `permits` at once when the bucket allows them, and reads what is to be read with them, allowed or not.
 *
 * @returns how far the arrival time then lies ahead of the database clock, in microseconds; `undefined` when refused
 */
export async function takePermits(
  db: Db,
  bucket: string,
  { permits, emissionMicros, burst }: Take,
  reading?: Reading,
): Promise<{ debtMicros: number | undefined; row?: Record<string, unknown> }> {
  const values = { bucket, step: permits * emissionMicros, room: burst * emissionMicros };
  if (reading) {
    const [{ debt, ...row } = { debt: null }] = await stepAndRead(reading.sql)(db, values, reading.values);
    return { debtMicros: debt === null ? undefined : Number(debt), row };
  }
  const [row] = await stepArrival(db, values);
  return { debtMicros: row && Number(row.debt) };
}

/** How far the bucket's arrival time lies ahead of the database clock, in microseconds. */
export async function readDebt(db: Db, bucket: string): Promise<number> {
  const [row] = await db.execute<{ debt: string }>(sql`
    select arrival_micros - (extract(epoch from clock_timestamp()) * 1000000)::bigint as debt
    from rate_buckets where bucket = ${bucket}`);
  return row ? Number(row.debt) : 0;
}

/** Deletes buckets that have been idle for an hour: they hold nothing that a new one would not. */
export async function deleteIdleBuckets(db: Db): Promise<void> {
  await db.execute(sql`
    delete from rate_buckets
    where arrival_micros < (extract(epoch from clock_timestamp() - interval '1 hour') * 1000000)::bigint`);
}

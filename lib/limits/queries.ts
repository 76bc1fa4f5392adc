import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { statement } from "@/db/prepared";
import type { Take } from "./permit-store";

const step = sql`${sql.placeholder("step")}::bigint`;

const stepArrival = statement<{ debt: string }>(sql`
  with clock as (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros)
  insert into rate_buckets as b (bucket, arrival_micros)
  select ${sql.placeholder("bucket")}, micros + ${step} from clock
  on conflict (bucket) do update
  set arrival_micros = greatest(b.arrival_micros, (select micros from clock)) + ${step}
  where greatest(b.arrival_micros, (select micros from clock)) + ${step} - (select micros from clock)
    <= ${sql.placeholder("room")}::bigint
  returning arrival_micros - (select micros from clock) as debt`);

/**
 * Takes `permits` at once when the bucket allows them.
 *
 * @returns how far the arrival time then lies ahead of the database clock, in microseconds; `undefined` when refused
 */
export async function takePermits(
  db: Db,
  bucket: string,
  { permits, emissionMicros, burst }: Take,
): Promise<number | undefined> {
  const [row] = await stepArrival(db, { bucket, step: permits * emissionMicros, room: burst * emissionMicros });
  return row ? Number(row.debt) : undefined;
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

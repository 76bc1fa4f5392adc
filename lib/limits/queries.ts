import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";

/**
 * Takes `permits` at once when the bucket allows them.
 *
 * @returns how far the arrival time then lies ahead of the database clock, in microseconds; `undefined` when refused
 */
export async function takePermits(
  db: Db,
  bucket: string,
  take: { permits: number; emissionMicros: number; burst: number },
): Promise<number | undefined> {
  const step = take.permits * take.emissionMicros;
  const room = take.burst * take.emissionMicros;
  const rows = await db.execute<{ debt: string }>(sql`
    with clock as (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros)
    insert into rate_buckets as b (bucket, arrival_micros)
    select ${bucket}, micros + ${step}::bigint from clock
    on conflict (bucket) do update
    set arrival_micros = greatest(b.arrival_micros, (select micros from clock)) + ${step}::bigint
    where greatest(b.arrival_micros, (select micros from clock)) + ${step}::bigint - (select micros from clock) <= ${room}::bigint
    returning arrival_micros - (select micros from clock) as debt`);
  const [row] = rows;
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

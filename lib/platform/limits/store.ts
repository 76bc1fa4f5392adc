import type { Db } from "@/db/client";
import { env } from "@/lib/platform/env";
import type { PermitStore } from "./permit-store";
import { readDebt, takePermits } from "./queries";
import { sharedRedisStore } from "./redis-store";

/** Buckets in an unlogged table of PostgreSQL. */
export const postgresStore = (db: Db): PermitStore => ({
  async take(bucket, take, reading) {
    const { debtMicros, ...read } = await takePermits(db, bucket, take, reading);
    if (debtMicros !== undefined) return { allowed: true, debtMicros, ...read };
    return { allowed: false, debtMicros: await readDebt(db, bucket), ...read };
  },
});

/** The store of this installation: Redis or Valkey when it names one, else its database. */
export const storeOf = (db: Db): PermitStore =>
  env.REDIS_URL === undefined ? postgresStore(db) : sharedRedisStore(env.REDIS_URL);

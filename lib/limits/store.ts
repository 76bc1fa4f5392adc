import type { Db } from "@/db/client";
import { env } from "@/lib/env";
import type { PermitStore } from "./permit-store";
import { readDebt, takePermits } from "./queries";
import { sharedRedisStore } from "./redis-store";

/** Buckets in an unlogged table of PostgreSQL. */
export const postgresStore = (db: Db): PermitStore => ({
  async take(bucket, take) {
    const debtMicros = await takePermits(db, bucket, take);
    if (debtMicros !== undefined) return { allowed: true, debtMicros };
    return { allowed: false, debtMicros: await readDebt(db, bucket) };
  },
});

/** The store of this installation: Redis or Valkey when it names one, else its database. */
export const storeOf = (db: Db): PermitStore =>
  env.REDIS_URL === undefined ? postgresStore(db) : sharedRedisStore(env.REDIS_URL);

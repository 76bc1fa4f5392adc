import type { Db } from "@/db/client";
import { env } from "@/lib/platform/env";
import type { PermitStore } from "./permit-store";
import { readTatAhead, takePermits } from "./queries";
import { sharedRedisStore } from "./redis-store";
import { createStoreHealth } from "./store-health";

/** Buckets in an unlogged table of PostgreSQL. */
export const postgresStore = (db: Db): PermitStore => ({
  async take(bucket, take, query) {
    const { tatAheadMicros, ...read } = await takePermits(db, bucket, take, query);
    if (tatAheadMicros !== undefined) return { allowed: true, tatAheadMicros, ...read };
    return { allowed: false, tatAheadMicros: await readTatAhead(db, bucket), ...read };
  },
  health: createStoreHealth(),
});

const stores = new WeakMap<Db, PermitStore>();

function storeIn(db: Db): PermitStore {
  const store = stores.get(db) ?? postgresStore(db);
  stores.set(db, store);
  return store;
}

/** Redis or Valkey if configured, else the database. */
export const storeOf = (db: Db): PermitStore =>
  env.REDIS_URL === undefined ? storeIn(db) : sharedRedisStore(env.REDIS_URL);

import type { RowQuery } from "@/db/prepared";
import type { StoreHealth } from "./store-health";

export type Take = { permits: number; emissionMicros: number; burst: number };

/** A store's decision, and how far the theoretical arrival time is then ahead of the store's clock. */
export type Taken = {
  allowed: boolean;
  tatAheadMicros: number;
  /** Row of the piggybacked query, with null columns if it found none; absent if the store does not run queries. */
  row?: Readonly<Record<string, unknown>>;
};

/**
 * Theoretical arrival times, shared by all replicas. `take` is atomic and uses the store's clock. The database store also
 * runs a query in the same round trip.
 */
export type PermitStore = {
  take: (bucket: string, take: Take, query?: RowQuery) => Promise<Taken>;
  health: StoreHealth;
};

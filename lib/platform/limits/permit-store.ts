import type { RowQuery } from "@/db/prepared";

export type Take = { permits: number; emissionMicros: number; burst: number };

/** What a store decided, and how far the bucket's arrival time then lies ahead of the store's clock. */
export type Taken = {
  allowed: boolean;
  tatAheadMicros: number;
  /** The row that was to be read with it, its columns null where there is none; absent where the store reads nothing. */
  row?: Readonly<Record<string, unknown>>;
};

/**
 * Where arrival times are kept for all replicas. Taking is one atomic step on the store's own clock. A store in the
 * database answers a query in the same round trip.
 */
export type PermitStore = {
  take: (bucket: string, take: Take, query?: RowQuery) => Promise<Taken>;
};

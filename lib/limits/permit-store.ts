export type Take = { permits: number; emissionMicros: number; burst: number };

/** What a store decided, and how far the bucket's arrival time then lies ahead of the store's clock. */
export type Taken = { allowed: boolean; debtMicros: number };

/** Where arrival times are kept for all replicas. Taking is one atomic step on the store's own clock. */
export type PermitStore = {
  take: (bucket: string, take: Take) => Promise<Taken>;
};

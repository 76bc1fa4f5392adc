/** `burst` requests at once, then `ratePerSecond` sustained. */
export type Limit = { name: string; ratePerSecond: number; burst: number };

/** Microseconds between two requests at the limit's rate. */
export const emissionMicros = (limit: Limit): number => Math.round(1_000_000 / limit.ratePerSecond);

/** Maximum permits per lease of one process: a tenth of a second's rate, at least one. */
export const leaseSize = (limit: Limit): number =>
  Math.max(1, Math.min(Math.floor(limit.ratePerSecond / 10), limit.burst - 1));

/**
 * Burst of the shared bucket. Leased permits may be used later than they were taken, by up to the time in which they are
 * earned. Reducing the burst by one lease keeps allowed requests within rate x time + burst in every window.
 */
export const usableBurst = (limit: Limit): number => {
  const lease = leaseSize(limit);
  return lease > 1 ? limit.burst - lease : limit.burst;
};

/**
 * A limit with an effective burst of `atOnce`: with leases, the nominal burst is larger by one lease.
 */
export function limitOf(name: string, ratePerSecond: number, atOnce: number): Limit {
  const lease = leaseSize({ name, ratePerSecond, burst: Number.POSITIVE_INFINITY });
  return { name, ratePerSecond, burst: lease > 1 ? atOnce + lease : atOnce };
}

/** Milliseconds for which leased permits stay valid: the time in which a full lease is earned. */
export const leaseLifetimeMs = (limit: Limit): number => (leaseSize(limit) * emissionMicros(limit)) / 1000;

/**
 * Size of the next lease: as many permits as will be used before it expires, at the rate of the last one. Unused permits
 * are lost to other processes.
 */
export const nextLease = (limit: Limit, { used, inMs }: { used: number; inMs: number }): number =>
  Math.max(1, Math.min(leaseSize(limit), Math.floor((used * leaseLifetimeMs(limit)) / Math.max(1, inMs))));

/** Permits available when the theoretical arrival time is `tatAheadMicros` ahead of the clock. */
export const freePermits = (limit: Limit, tatAheadMicros: number): number =>
  Math.max(0, Math.floor(usableBurst(limit) - Math.max(0, tatAheadMicros) / emissionMicros(limit)));

/** Microseconds until a permit is available; zero or less if one is. */
export const waitMicros = (limit: Limit, tatAheadMicros: number): number =>
  tatAheadMicros - emissionMicros(limit) * (usableBurst(limit) - 1);

/** Whole seconds until a permit is available, at least one. */
export const retryAfterSeconds = (limit: Limit, tatAheadMicros: number): number =>
  Math.max(1, Math.ceil(waitMicros(limit, tatAheadMicros) / 1_000_000));

/** Maximum by which the theoretical arrival time may be ahead of the clock. */
export const maxTatAheadMicros = (limit: Limit): number => emissionMicros(limit) * usableBurst(limit);

/**
 * One step of the generic cell rate algorithm: the next theoretical arrival time, or `undefined` to refuse. The SQL and
 * the Redis script implement the same rule. Source: ITU-T I.371, virtual scheduling.
 *
 * An arrival time too far ahead to result from any step means that the clock was set back. The bucket then counts as
 * nearly empty, so that requests continue at the limit's rate.
 */
export function advanceTat(limit: Limit, tatMicros: number, nowMicros: number): number | undefined {
  const [incrementMicros, toleranceMicros] = [emissionMicros(limit), maxTatAheadMicros(limit)];
  const latestMicros = nowMicros + toleranceMicros;
  const fromMicros = tatMicros > latestMicros ? latestMicros - incrementMicros : Math.max(tatMicros, nowMicros);
  return fromMicros + incrementMicros <= latestMicros ? fromMicros + incrementMicros : undefined;
}

/** `burst` requests at once, then `ratePerSecond` in the long run. */
export type Limit = { name: string; ratePerSecond: number; burst: number };

/** Microseconds between two requests at the limit's rate. */
export const emissionMicros = (limit: Limit): number => Math.round(1_000_000 / limit.ratePerSecond);

/** Permits that one process may lease at a time: a tenth of a second's rate, at least one. */
export const leaseSize = (limit: Limit): number =>
  Math.max(1, Math.min(Math.floor(limit.ratePerSecond / 10), limit.burst - 1));

/**
 * The burst of the shared bucket. Leased permits may be used later than they were taken, by at most the time in which
 * they are earned; a burst that is smaller by one lease keeps allowed requests at or below rate x time + burst in every
 * window.
 */
export const usableBurst = (limit: Limit): number => {
  const lease = leaseSize(limit);
  return lease > 1 ? limit.burst - lease : limit.burst;
};

/**
 * A limit with an effective burst of `atOnce` requests: with leases the burst is larger by one lease.
 */
export function limitOf(name: string, ratePerSecond: number, atOnce: number): Limit {
  const lease = leaseSize({ name, ratePerSecond, burst: Number.POSITIVE_INFINITY });
  return { name, ratePerSecond, burst: lease > 1 ? atOnce + lease : atOnce };
}

/** Milliseconds for which leased permits may be used: the time in which a whole lease is earned. */
export const leaseLifetimeMs = (limit: Limit): number => (leaseSize(limit) * emissionMicros(limit)) / 1000;

/**
 * Permits of the next lease: as many as will be used in time at the rate of the last lease. Unused permits are lost to
 * other processes.
 */
export const nextLease = (limit: Limit, { used, inMs }: { used: number; inMs: number }): number =>
  Math.max(1, Math.min(leaseSize(limit), Math.floor((used * leaseLifetimeMs(limit)) / Math.max(1, inMs))));

/** Free permits when the theoretical arrival time is `tatAheadMicros` ahead of the clock. */
export const freePermits = (limit: Limit, tatAheadMicros: number): number =>
  Math.max(0, Math.floor(usableBurst(limit) - Math.max(0, tatAheadMicros) / emissionMicros(limit)));

/** Microseconds until one permit is free; zero or less when one is. */
export const waitMicros = (limit: Limit, tatAheadMicros: number): number =>
  tatAheadMicros - emissionMicros(limit) * (usableBurst(limit) - 1);

/** Whole seconds until one permit is free again, at least one. */
export const retryAfterSeconds = (limit: Limit, tatAheadMicros: number): number =>
  Math.max(1, Math.ceil(waitMicros(limit, tatAheadMicros) / 1_000_000));

/** Microseconds by which the theoretical arrival time may be ahead of the clock. */
export const maxTatAheadMicros = (limit: Limit): number => emissionMicros(limit) * usableBurst(limit);

/**
 * One step of the generic cell rate algorithm: the next theoretical arrival time, or `undefined` to refuse. The database
 * and Redis run the same rule. Source: ITU-T I.371, virtual scheduling.
 *
 * A time that no step can have made means that the clock was set back: the bucket then counts as nearly empty, so that
 * requests go on at the limit's rate.
 */
export function advanceTat(limit: Limit, tatMicros: number, nowMicros: number): number | undefined {
  const [step, room] = [emissionMicros(limit), maxTatAheadMicros(limit)];
  const from = tatMicros > nowMicros + room ? nowMicros + room - step : Math.max(tatMicros, nowMicros);
  return from + step - nowMicros <= room ? from + step : undefined;
}

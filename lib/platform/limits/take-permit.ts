import { type Db, isDatabaseUnavailable } from "@/db/client";
import type { RowQuery } from "@/db/prepared";
import { isAppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";
import {
  emissionMicros,
  freePermits,
  leaseLifetimeMs,
  leaseSize,
  type Limit,
  nextLease,
  retryAfterSeconds,
  advanceTat,
  usableBurst,
  waitMicros,
} from "./domain/gcra";
import type { PermitStore, Taken } from "./permit-store";
import { storeOf } from "./store";

export type Decision = { limit: Limit; allowed: boolean; remaining: number; retryAfterSeconds: number };

/** What this process knows of a bucket. Times are of the monotonic process clock, in milliseconds. */
type Known = {
  permits: number;
  permitsUntil: number;
  /** Permits of the last lease, and when it was taken. */
  leased: number;
  leasedAt: number;
  refusedUntil: number;
  tatAheadMicros: number;
  tatAheadAt: number;
  lease: Promise<boolean> | undefined;
  /** Arrival time of the in-process bucket that stands in while the store is away. */
  fallbackTatMicros: number;
};

/** Buckets of one generation: those that two generations did not ask for are forgotten, at no cost for each. */
const GENERATION_BUCKETS = 10_000;
let [young, old] = [new Map<string, Known>(), new Map<string, Known>()];

const unknown = (): Known => ({
  permits: 0,
  permitsUntil: 0,
  leased: 0,
  leasedAt: 0,
  refusedUntil: 0,
  tatAheadMicros: 0,
  tatAheadAt: 0,
  lease: undefined,
  fallbackTatMicros: 0,
});

function remember(bucket: string, state: Known): Known {
  if (young.size >= GENERATION_BUCKETS) [young, old] = [new Map<string, Known>(), young];
  young.set(bucket, state);
  return state;
}

const recall = (bucket: string): Known => young.get(bucket) ?? remember(bucket, old.get(bucket) ?? unknown());

/** Forgets a bucket of which nothing is known that the store does not know: most addresses come once. */
function forget(bucket: string, limit: Limit, state: Known): void {
  if (leaseSize(limit) > 1 || state.lease !== undefined || state.fallbackTatMicros !== 0) return;
  young.delete(bucket);
  old.delete(bucket);
}

const clockMs = () => performance.now();

const tatAheadNow = (state: Known) => state.tatAheadMicros - (clockMs() - state.tatAheadAt) * 1000;

function decide(limit: Limit, state: Known, allowed: boolean): Decision {
  const tatAhead = tatAheadNow(state);
  return {
    limit,
    allowed,
    remaining: allowed ? freePermits(limit, tatAhead) + Math.max(0, state.permits) : 0,
    retryAfterSeconds: allowed ? 0 : retryAfterSeconds(limit, tatAhead),
  };
}

/** What the caller that leases reads in the same round trip, and what it got. */
type PiggybackRead = { query: RowQuery | undefined; row: Taken["row"] };

/** Leases permits, and spends one for the caller: a call that comes in between cannot take it. False when refused. */
async function refill(
  store: PermitStore,
  bucket: string,
  limit: Limit,
  state: Known,
  piggyback: PiggybackRead,
): Promise<boolean> {
  let tatAhead = 0;
  const emission = emissionMicros(limit);
  const wanted = nextLease(limit, { used: state.leased - state.permits, inMs: clockMs() - state.leasedAt });
  const attempts = wanted > 1 ? [wanted, 1] : [1];
  for (const permits of attempts) {
    const take = { permits, emissionMicros: emission, burst: usableBurst(limit) };
    const taken = await store.take(bucket, take, piggyback.query);
    piggyback.row = taken.row;
    tatAhead = taken.tatAheadMicros;
    if (!taken.allowed) continue;
    // What is left of a lease is kept for the time in which it is earned.
    const at = clockMs();
    const lease = { permits: permits - 1, leased: permits, leasedAt: at, permitsUntil: at + leaseLifetimeMs(limit) };
    Object.assign(state, { ...lease, tatAheadMicros: tatAhead, tatAheadAt: at });
    return true;
  }
  const waitMs = Math.max(0, waitMicros(limit, tatAhead) / 1000);
  Object.assign(state, {
    permits: 0,
    leased: 0,
    tatAheadMicros: tatAhead,
    tatAheadAt: clockMs(),
    refusedUntil: clockMs() + waitMs,
  });
  return false;
}

const hasPermit = ({ permits, permitsUntil }: Known) => permits > 0 && clockMs() <= permitsUntil;

function spend(state: Known): boolean {
  if (!hasPermit(state)) return false;
  state.permits -= 1;
  return true;
}

const bucketOf = (limit: Limit, subject: string) => `${limit.name}:${subject}`;

/** The refusal that `takePermit` would answer without asking its store, or nothing. */
export function knownRefusal(limit: Limit, subject: string): Decision | undefined {
  const bucket = bucketOf(limit, subject);
  const state = young.get(bucket) ?? old.get(bucket);
  const isRefused = state !== undefined && !hasPermit(state) && clockMs() < state.refusedUntil;
  return isRefused ? decide(limit, state, false) : undefined;
}

function decideWithoutStore(limit: Limit, state: Known): Decision {
  const nowMicros = clockMs() * 1000;
  const next = advanceTat(limit, state.fallbackTatMicros, nowMicros);
  if (next !== undefined) state.fallbackTatMicros = next;
  const tatAhead = state.fallbackTatMicros - nowMicros;
  return {
    limit,
    allowed: next !== undefined,
    remaining: freePermits(limit, tatAhead),
    retryAfterSeconds: next === undefined ? retryAfterSeconds(limit, tatAhead) : 0,
  };
}

/**
 * Takes one permit of `limit` for `subject`. Exact over replicas: allowed <= rate x time + burst.
 *
 * With `failureMode: "open"` a process-local bucket decides while the store is away;
 * with `"closed"` the failure is thrown.
 *
 * @throws AppError service_unavailable
 */
export const takePermit = (db: Db, limit: Limit, subject: string, failureMode: "open" | "closed"): Promise<Decision> =>
  takePermitFrom(storeOf(db), limit, subject, failureMode);

/**
 * `takePermit` that reads one row in the same round trip, where it makes one to the database.
 *
 * @returns `row` with null columns where the query finds none; none at all where nothing was read
 * @throws AppError service_unavailable
 */
export async function takePermitAndRead(
  db: Db,
  limit: Limit,
  subject: string,
  failureMode: "open" | "closed",
  query: RowQuery | undefined,
): Promise<{ decision: Decision; row: Taken["row"] }> {
  const piggyback: PiggybackRead = { query, row: undefined };
  const decision = await takePermitFrom(storeOf(db), limit, subject, failureMode, piggyback);
  return { decision, row: piggyback.row };
}

/** `takePermit` at a given store. */
export async function takePermitFrom(
  store: PermitStore,
  limit: Limit,
  subject: string,
  failureMode: "open" | "closed",
  piggyback: PiggybackRead = { query: undefined, row: undefined },
): Promise<Decision> {
  const bucket = bucketOf(limit, subject);
  const state = recall(bucket);
  try {
    for (;;) {
      if (spend(state)) return decide(limit, state, true);
      if (clockMs() < state.refusedUntil) return decide(limit, state, false);
      const mine = state.lease === undefined;
      state.lease ??= refill(store, bucket, limit, state, piggyback).finally(() => {
        state.lease = undefined;
      });
      const isAllowed = await state.lease;
      // Those who waited look again: for what the lease left over, at its refusal, or for one of their own.
      if (!mine) continue;
      if (isAllowed) forget(bucket, limit, state);
      return decide(limit, state, isAllowed);
    }
  } catch (error) {
    const isAway = isDatabaseUnavailable(error) || (isAppError(error) && error.code === "service_unavailable");
    if (failureMode === "closed" || !isAway) throw error;
    log.warn({ err: error, limit: limit.name }, "the rate limiter decides in process: its store is away");
    return decideWithoutStore(limit, state);
  }
}

import { LRUCache } from "lru-cache";

import { type Db, isDatabaseUnavailable } from "@/db/client";
import type { RowQuery } from "@/db/prepared";
import { isAppError } from "@/lib/contract/errors";
import { metrics } from "@/lib/platform/metrics";
import {
  emissionMicros,
  freePermits,
  leaseLifetimeMs,
  type Limit,
  nextLease,
  retryAfterSeconds,
  maxTatAheadMicros,
  advanceTat,
  usableBurst,
  waitMicros,
} from "./domain/gcra";
import type { PermitStore, Taken } from "./permit-store";
import { storeOf } from "./store";

export type Decision = { limit: Limit; allowed: boolean; remaining: number; retryAfterSeconds: number };

/** State of a bucket in this process. Times are in milliseconds of the monotonic clock. */
type BucketState = {
  permits: number;
  permitsUntil: number;
  /** Size and time of the last lease. */
  leased: number;
  leasedAt: number;
  refusedUntil: number;
  tatAheadMicros: number;
  tatAheadAt: number;
  lease: Promise<boolean> | undefined;
  /** Theoretical arrival time of this process's own bucket, which decides while the store is unavailable. */
  aloneTatMicros: number;
};

/** Most recently used buckets. Evicting one is safe: the store has the state that counts. */
const MAX_BUCKETS = 20_000;
const states = new LRUCache<string, BucketState>({ max: MAX_BUCKETS });

const newState = (): BucketState => ({
  permits: 0,
  permitsUntil: 0,
  leased: 0,
  leasedAt: 0,
  refusedUntil: 0,
  tatAheadMicros: 0,
  tatAheadAt: 0,
  lease: undefined,
  aloneTatMicros: 0,
});

function stateOf(bucket: string): BucketState {
  const state = states.get(bucket) ?? newState();
  if (!states.has(bucket)) states.set(bucket, state);
  return state;
}

const clockMs = () => performance.now();

const tatAheadNow = (state: BucketState) => state.tatAheadMicros - (clockMs() - state.tatAheadAt) * 1000;

function countRefusal({ name }: Limit): void {
  metrics()?.count("imprint_permits_refused_total", { limit: name });
}

function decide(limit: Limit, state: BucketState, allowed: boolean): Decision {
  if (!allowed) countRefusal(limit);
  const tatAhead = tatAheadNow(state);
  return {
    limit,
    allowed,
    remaining: allowed ? freePermits(limit, tatAhead) + Math.max(0, state.permits) : 0,
    retryAfterSeconds: allowed ? 0 : retryAfterSeconds(limit, tatAhead),
  };
}

/** A query for the lease's round trip, and its row. Set by the caller that leases. */
type PiggybackRead = { query: RowQuery | undefined; row: Taken["row"] };

/** Leases permits and spends one for the caller, atomically with respect to other calls. False if refused. */
async function refill(
  store: PermitStore,
  bucket: string,
  limit: Limit,
  state: BucketState,
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
    store.health.onAnswer();
    tatAhead = Math.min(taken.tatAheadMicros, maxTatAheadMicros(limit)); // larger if the clock was set back since
    if (!taken.allowed) continue;
    // Unused permits stay valid for the time in which they are earned.
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

const hasPermit = ({ permits, permitsUntil }: BucketState) => permits > 0 && clockMs() <= permitsUntil;

function spend(state: BucketState): boolean {
  if (!hasPermit(state)) return false;
  state.permits -= 1;
  return true;
}

const bucketOf = (limit: Limit, subject: string) => `${limit.name}:${subject}`;

/** The refusal that `takePermit` would return without asking its store; undefined if it would ask. */
export function knownRefusal(limit: Limit, subject: string): Decision | undefined {
  const bucket = bucketOf(limit, subject);
  const state = states.get(bucket);
  const isRefused = state !== undefined && !hasPermit(state) && clockMs() < state.refusedUntil;
  return isRefused ? decide(limit, state, false) : undefined;
}

/** Takes from this process's own bucket, which continues from the last known state of the shared one. */
function takeAlone(limit: Limit, state: BucketState): Decision {
  const nowMicros = clockMs() * 1000;
  const tat = Math.max(state.aloneTatMicros, nowMicros + tatAheadNow(state));
  const next = advanceTat(limit, tat, nowMicros);
  if (next === undefined) countRefusal(limit);
  metrics()?.count("imprint_limiter_fallbacks_total", {});
  state.aloneTatMicros = next ?? tat;
  const tatAhead = state.aloneTatMicros - nowMicros;
  return {
    limit,
    allowed: next !== undefined,
    remaining: freePermits(limit, tatAhead),
    retryAfterSeconds: next === undefined ? retryAfterSeconds(limit, tatAhead) : 0,
  };
}

/** After an outage, permits granted without the store still count until they are earned again: the store has no record of them. */
function takeOutstanding(limit: Limit, state: BucketState): Decision | undefined {
  if (state.aloneTatMicros <= clockMs() * 1000) return undefined;
  return takeAlone(limit, state);
}

/**
 * Takes one permit of `limit` for `subject`. Exact across replicas: allowed <= rate x time + burst.
 *
 * While the store is unavailable, `failureMode: "open"` makes each process enforce the limit by itself, and `"closed"`
 * rethrows the failure.
 *
 * @throws AppError `service_unavailable`
 */
export const takePermit = (db: Db, limit: Limit, subject: string, failureMode: "open" | "closed"): Promise<Decision> =>
  takePermitFrom(storeOf(db), limit, subject, failureMode);

/**
 * `takePermit` that also reads one row, if it makes a round trip to the database.
 *
 * @returns `row` has null columns if the query finds none, and is undefined if nothing was read
 * @throws AppError `service_unavailable`
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

type Request = {
  store: PermitStore;
  bucket: string;
  limit: Limit;
  state: BucketState;
  piggyback: PiggybackRead;
};

/** Takes from the shared bucket; undefined while the store is suspended. */
async function takeShared({ store, bucket, limit, state, piggyback }: Request, canDecideAlone: boolean) {
  for (;;) {
    if (spend(state)) return decide(limit, state, true);
    if (clockMs() < state.refusedUntil) return decide(limit, state, false);
    const isLeader = state.lease === undefined;
    if (isLeader && canDecideAlone && store.health.isSuspended()) return undefined;
    state.lease ??= refill(store, bucket, limit, state, piggyback).finally(() => {
      state.lease = undefined;
    });
    const isAllowed = await state.lease;
    // Callers that waited retry: with a permit of that lease, its refusal, or a lease of their own.
    if (isLeader) return decide(limit, state, isAllowed);
  }
}

const isUnavailable = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || (isAppError(error) && error.code === "service_unavailable");

export async function takePermitFrom(
  store: PermitStore,
  limit: Limit,
  subject: string,
  failureMode: "open" | "closed",
  piggyback: PiggybackRead = { query: undefined, row: undefined },
): Promise<Decision> {
  const bucket = bucketOf(limit, subject);
  const state = stateOf(bucket);
  const outstanding = takeOutstanding(limit, state);
  if (outstanding?.allowed === false) return outstanding;
  try {
    const shared = await takeShared({ store, bucket, limit, state, piggyback }, failureMode === "open");
    if (shared) return shared;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    store.health.onFailure(error);
    if (failureMode === "closed") throw error;
  }
  return outstanding ?? takeAlone(limit, state);
}

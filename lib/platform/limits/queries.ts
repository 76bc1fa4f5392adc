import { type SQL, sql } from "drizzle-orm";

import { deleteByKey } from "@/db/batches";
import type { Db } from "@/db/client";
import { isOfOneRow } from "@/db/failures";
import { byDistribution, overRows, readRow, type RowQuery, rowsOf, statement } from "@/db/prepared";
import { rateBuckets } from "@/db/schema";
import { createBatcher } from "@/lib/platform/batcher";
import type { Take } from "./permit-store";

const increment = sql`${sql.placeholder("incrementMicros")}::bigint`;
const tolerance = sql`${sql.placeholder("toleranceMicros")}::bigint`;
/** In `do update` the clock is read under the row lock, so a step that had to wait does not use a stale time. */
const CLOCK = sql`(select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros) clock`;
/** The clock was set back, see `advanceTat`. */
const IMPOSSIBLE = sql`b.arrival_micros > micros + ${tolerance}`;

const RETURNED = sql`arrival_micros - (select micros from ${CLOCK}) as tat_ahead`;

/** `advanceTat` for several permits at once, for the buckets that `from` adds to the clock. */
const stepOf = (bucket: SQL, from: SQL, returned: SQL): SQL => sql`
  insert into rate_buckets as b (bucket, arrival_micros)
  select ${bucket}, micros + ${increment} from ${CLOCK}${from}
  on conflict (bucket) do update
  set arrival_micros = (
    select case when ${IMPOSSIBLE} then micros + ${tolerance} else greatest(b.arrival_micros, micros) + ${increment} end from ${CLOCK})
  where (select ${IMPOSSIBLE} or greatest(b.arrival_micros, micros) + ${increment} <= micros + ${tolerance} from ${CLOCK})
  returning ${returned}`;

const STEP = stepOf(sql`${sql.placeholder("bucket")}`, sql``, RETURNED);
/** For different buckets, in their order, so that two statements do not wait for each other. */
const STEPS = stepOf(
  sql`given.bucket`,
  sql` cross join (select bucket from given order by bucket) given`,
  sql`bucket, ${RETURNED}`,
);

const advanceTat = statement<{ tat_ahead: string }>(STEP, "take permits");

type Row = Readonly<Record<string, unknown>>;
type SteppedRow = { tat_ahead: string | null } & Record<string, unknown>;
type Taken = { tatAheadMicros: number | undefined; row: Row };

function takenOf({ tat_ahead, ...row }: SteppedRow): Taken {
  return { tatAheadMicros: tat_ahead === null ? undefined : Number(tat_ahead), row };
}

/** The step combined with a piggybacked query. */
const stepAndRead = (query: SQL) =>
  statement<SteppedRow>(
    sql`
      with step as (${STEP})
      select step.tat_ahead, query.* from (select 1) one left join step on true left join (${query}) query on true`,
    "take permits and read",
    { isRouted: false },
  );

/** Maximum number of buckets in a statement, which also tells the planner how few they are. */
const MAX_TOGETHER = 8;

/** The same for several buckets, with the query's row for each. */
function stepAndReadEach(query: SQL) {
  const { rows, query: ofRow } = overRows(query, "bucket");
  return statement<SteppedRow & { of_bucket: string }>(
    sql`
      with given as (select * from ${rows} limit ${MAX_TOGETHER}), step as (${STEPS})
      select given.bucket as of_bucket, step.tat_ahead, query.* from given
      left join step on step.bucket = given.bucket left join lateral (${ofRow}) query on true`,
    "take permits and read",
    { isRouted: false },
  );
}

/** Permits to take, and the values of the query to run with it. */
type PermitRequest = {
  bucket: string;
  incrementMicros: number;
  toleranceMicros: number;
  values: RowQuery["values"];
};

/** Takes permits and runs the query, for all buckets that are waiting in one statement. */
function createTaker(db: Db, query: SQL) {
  const single = stepAndRead(query);
  const several = stepAndReadEach(query);
  const readOne = async ({ bucket, incrementMicros, toleranceMicros, values }: PermitRequest): Promise<Taken> => {
    const permit = { bucket, incrementMicros, toleranceMicros };
    const [row = { tat_ahead: null }] = await single(db, permit, ...values);
    return takenOf(row);
  };
  async function readSeveral(requests: readonly [PermitRequest, ...PermitRequest[]]): Promise<Taken[]> {
    const [{ incrementMicros, toleranceMicros }] = requests;
    const lists = requests.map(({ bucket, values }) => [{ bucket }, ...values]);
    const taken = new Map<string, Taken>();
    for (const { of_bucket: bucket, ...row } of await several(db, { incrementMicros, toleranceMicros }, rowsOf(lists)))
      taken.set(bucket, takenOf(row));
    return requests.flatMap(({ bucket }) => taken.get(bucket) ?? []);
  }
  return createBatcher<PermitRequest, Taken>({
    maxItems: MAX_TOGETHER,
    groupOf: ({ incrementMicros, toleranceMicros }) => `${incrementMicros} ${toleranceMicros}`,
    keysOf: ({ bucket }) => [bucket],
    async run(requests) {
      if (requests.length === 1) return [await readOne(requests[0])];
      try {
        return await readSeveral(requests);
      } catch (error) {
        if (isOfOneRow(error)) return "retryIndividually";
        throw error;
      }
    },
  });
}

const takers = new WeakMap<Db, WeakMap<SQL, ReturnType<typeof createTaker>>>();

function takerOf(db: Db, query: SQL) {
  const ofDatabase = takers.get(db) ?? new WeakMap<SQL, ReturnType<typeof createTaker>>();
  takers.set(db, ofDatabase);
  const taker = ofDatabase.get(query) ?? createTaker(db, query);
  ofDatabase.set(query, taker);
  return taker;
}

/**
 * Takes `permits` if the bucket allows all of them, and runs the piggybacked query in either case.
 *
 * @returns how far the theoretical arrival time is then ahead of the database clock, in microseconds; `undefined` if
 * refused
 */
export async function takePermits(
  db: Db,
  bucket: string,
  { permits, emissionMicros, burst }: Take,
  query?: RowQuery,
): Promise<{ tatAheadMicros: number | undefined; row?: Row }> {
  const permit = { bucket, incrementMicros: permits * emissionMicros, toleranceMicros: burst * emissionMicros };
  const alone = async () => {
    const [row] = await advanceTat(db, permit);
    return { tatAheadMicros: row && Number(row.tat_ahead) };
  };
  if (!query) return await alone();
  const together = () => takerOf(db, query.sql)({ ...permit, values: query.values });
  // Buckets are on one node, the workspace's rows on its shard: both are queried concurrently.
  const separately = async () => {
    const [taken, row] = await Promise.all([alone(), readRow(db, query)]);
    return { ...taken, row };
  };
  return await byDistribution<{ tatAheadMicros: number | undefined; row?: Row }>(db, together, separately);
}

/** How far the theoretical arrival time is ahead of the database clock, in microseconds. */
export async function readTatAhead(db: Db, bucket: string): Promise<number> {
  const [row] = await db.execute<{ tat_ahead: string }>(sql`
    select arrival_micros - (extract(epoch from clock_timestamp()) * 1000000)::bigint as tat_ahead
    from rate_buckets where bucket = ${bucket}`);
  return row ? Number(row.tat_ahead) : 0;
}

/** Deletes buckets that have been idle for an hour: they are equivalent to new ones. */
export const deleteIdleBuckets = (db: Db, signal?: AbortSignal): Promise<number> =>
  deleteByKey(
    db,
    rateBuckets,
    sql`arrival_micros < (extract(epoch from clock_timestamp() - interval '1 hour') * 1000000)::bigint`,
    signal,
  );

import type postgres from "postgres";

import { foldAllUsage } from "@/lib/operations/jobs/fold-all-usage";
import { call, createSite, readReport } from "@/test/visits";
import { countAllSlices } from "@/lib/visits/slices";
import { type CleanUp, progress } from "../../common/command";
import { seededRandom } from "../../common/random";
import { quantile } from "../../common/report";
import { drawSample } from "../match/sample";
import { openPlace, type Place } from "../storage/place";
import { type MakeSubmission, submissionMaker } from "../submissions/submissions";
import { inParallel, integers } from "../../common/in-parallel";

const WORKSPACES = 5;
/** Concurrent visits. */
const AT_ONCE = 8;
/** Interval of autovacuum and of the counting jobs: stands in for a minute of a real service. */
const MINUTE_SECONDS = 10;

/** Tables whose rows are updated frequently. */
const HOT = [
  "devices",
  "device_profiles",
  "device_addresses",
  "device_tokens",
  "device_populations",
  "unit_slices",
  "visit_slices",
  "usage_days",
  "rate_buckets",
  "payload_sightings",
] as const;

export type TableGrowth = {
  table: string;
  updates: number;
  /** Share of HOT updates, which write no index. */
  hot: number;
  vacuums: number;
  bytes: number;
  /** Size of the rows and indexes after a rewrite. */
  leastBytes: number;
};

export type Served = { visits: number; p50Ms: number; p99Ms: number };

type Shop = { make: MakeSubmission; apiKey: string };

async function openShops(place: Place, seed: number): Promise<Shop[]> {
  const random = seededRandom(seed);
  const sample = drawSample(random);
  const shops: Shop[] = [];
  for (let index = 0; index < WORKSPACES; index += 1) {
    const site = await createSite(place.db);
    shops.push({ make: submissionMaker(site, sample, random), apiKey: site.apiKey });
  }
  return shops;
}

/** Makes a submission and the first delivery of its Report; returns the duration of the submission. */
async function visitOnce({ make, apiKey }: Shop): Promise<number> {
  const { address, headers, body } = make();
  const startedAt = performance.now();
  const answer = await call("/api/v1/imprints", { method: "POST", headers, body, address });
  const tookMs = performance.now() - startedAt;
  const { imprint } = (await answer.json()) as { imprint?: string };
  if (imprint === undefined) throw new Error(`A submission returned ${answer.status}`);
  await readReport(apiKey, imprint);
  return tookMs;
}

/** Serves `count` visits, of which the share `hotShare` goes to the first shop. */
async function serve(shops: readonly Shop[], count: number, hotShare: number): Promise<Served> {
  const took: number[] = [];
  await inParallel(AT_ONCE, integers(count), async (index) => {
    const others = shops.length - 1;
    const shop = shops[index % 100 < hotShare * 100 ? 0 : 1 + (index % others)];
    if (shop) took.push(await visitOnce(shop));
  });
  return { visits: took.length, p50Ms: quantile(took, 0.5), p99Ms: quantile(took, 0.99) };
}

const sizesOf = (admin: postgres.Sql) => admin<{ name: string; bytes: number }[]>`
  select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and relname in ${admin([...HOT])}`;

async function measureTables(admin: postgres.Sql): Promise<TableGrowth[]> {
  const counted = await admin<{ name: string; updates: number; hot: number; vacuums: number }[]>`
    select relname as name, n_tup_upd::float8 as updates, n_tup_hot_upd::float8 as hot, autovacuum_count::int as vacuums
    from pg_stat_user_tables where relname in ${admin([...HOT])}`;
  const before = await sizesOf(admin);
  for (const table of HOT) await admin.unsafe(`vacuum full ${table}`);
  const after = await sizesOf(admin);
  const bytesIn = (rows: typeof before, table: string) => rows.find(({ name }) => name === table)?.bytes ?? 0;
  return HOT.map((table) => {
    const row = counted.find(({ name }) => name === table);
    const updates = row?.updates ?? 0;
    return {
      ...{ table, updates, vacuums: row?.vacuums ?? 0 },
      hot: updates === 0 ? 1 : (row?.hot ?? 0) / updates,
      ...{ bytes: bytesIn(before, table), leastBytes: bytesIn(after, table) },
    };
  });
}

export type UnusedIndex = { index: string; bytes: number };

/** Indexes that no statement has read, except those that enforce uniqueness. */
const listUnused = (admin: postgres.Sql) => admin<UnusedIndex[]>`
  select s.indexrelname as index, pg_relation_size(s.indexrelid)::float8 as bytes
  from pg_stat_user_indexes s join pg_index i using (indexrelid)
  where s.idx_scan = 0 and not i.indisunique order by 2 desc, 1`;

/** Simulates a day of constant load, with the counting jobs and autovacuum running as often as in a day. */
export async function runGrowth(options: { visits: number; seed: number }, cleanUp: CleanUp) {
  const place = await openPlace(cleanUp, options.seed, async (admin) => {
    await admin.unsafe(`alter system set autovacuum_naptime = '${MINUTE_SECONDS}s'`);
    await admin.unsafe("select pg_reload_conf()");
  });
  const shops = await openShops(place, options.seed);
  const { signal } = new AbortController();
  const counting = setInterval(() => {
    const failed = (error: unknown) => {
      progress(`counting failed: ${String(error)}`);
    };
    countAllSlices(place.db, signal).catch(failed);
    const run = { db: place.db, now: new Date(), signal, progress: "", saveProgress: () => Promise.resolve() };
    foldAllUsage(run).catch(failed);
  }, MINUTE_SECONDS * 1000);
  cleanUp.push(() => {
    clearInterval(counting);
  });
  await serve(shops, options.visits >> 2, 1 / WORKSPACES);
  const even = await serve(shops, options.visits >> 1, 1 / WORKSPACES);
  progress(`evenly: ${even.visits} visits, p50 ${even.p50Ms.toFixed(1)} ms, p99 ${even.p99Ms.toFixed(1)} ms`);
  const skewed = await serve(shops, options.visits >> 1, 0.8);
  clearInterval(counting);
  const unused = await listUnused(place.admin);
  return { even, skewed, tables: await measureTables(place.admin), unused };
}

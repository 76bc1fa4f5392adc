import { setTimeout as delay } from "node:timers/promises";

import { type Place, putVisits } from "./place";

/** Tables with rows kept for minutes only: their space is reused, so it does not grow with the number of visits. */
const TRANSIENT = ["challenge_uses", "rate_buckets", "usage_batches", "api_key_uses"];

type Sizes = { table: string; heap: number; toast: number; indexes: number };

/** Bytes of each table, summed over partitions. */
const sizesOf = ({ admin }: Place) => admin<Sizes[]>`
  select coalesce(p.relname, c.relname)::text as table, sum(pg_relation_size(c.oid))::float8 as heap,
    sum(coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0))::float8 as toast,
    sum(pg_indexes_size(c.oid))::float8 as indexes
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`;

async function writtenAhead({ admin }: Place): Promise<number> {
  const [row] = await admin<{ bytes: number }[]>`select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes`;
  return row?.bytes ?? 0;
}

/** WAL bytes written by `visits` visits, with or without the full-page images that follow a checkpoint. */
async function measureLog(place: Place, visits: number, images: "on" | "off"): Promise<number> {
  const { admin } = place;
  await admin.unsafe(`alter system set full_page_writes = ${images}`);
  await admin`select pg_reload_conf()`;
  await admin.unsafe("vacuum analyze");
  await admin.unsafe("checkpoint");
  // The server's processes reload their settings between two statements.
  await delay(200);
  const before = await writtenAhead(place);
  await putVisits(place, visits);
  return ((await writtenAhead(place)) - before) / visits;
}

/** Disk space and write-ahead log of one visit, in bytes, once many devices are known. */
export async function measureVisit(place: Place, visits: number) {
  await putVisits(place, visits);
  const before = new Map((await sizesOf(place)).map((sizes) => [sizes.table, sizes]));
  const logWithoutImages = await measureLog(place, visits, "off");
  const startedAt = performance.now();
  const logWithImages = await measureLog(place, visits, "on");
  const millisecondsOfVisit = (performance.now() - startedAt) / visits;
  const tables = (await sizesOf(place))
    .map(({ table, ...after }) => {
      const was = before.get(table) ?? { heap: 0, toast: 0, indexes: 0 };
      const per = (kind: "heap" | "toast" | "indexes") => Math.round((after[kind] - was[kind]) / (2 * visits));
      const sizes = { heap: per("heap"), toast: per("toast"), indexes: per("indexes") };
      return { table, ...sizes, all: sizes.heap + sizes.toast + sizes.indexes };
    })
    .filter(({ all }) => all > 0)
    .sort((a, b) => b.all - a.all);
  const isKept = ({ table }: { table: string }) => !TRANSIENT.includes(table);
  return {
    visits,
    tables: tables.filter(isKept),
    diskBytes: tables.filter(isKept).reduce((sum, { all }) => sum + all, 0),
    transientBytes: tables.filter((each) => !isKept(each)).reduce((sum, { all }) => sum + all, 0),
    logBytes: Math.round(logWithImages),
    logBytesWithoutImages: Math.round(logWithoutImages),
    millisecondsOfVisit,
  };
}

import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";

/** Time of an event id in milliseconds (RFC 9562, section 5.7). */
const MILLISECONDS = sql.raw(`('x' || left(replace(event_id::text, '-', ''), 12))::bit(48)::bigint`);

/** Time of a partition's first visit. Rows are appended, so the first page is enough. */
export async function findFirstEvent(db: Db, partition: string): Promise<Date | undefined> {
  const [row] = await db.execute<{ ms: string | null }>(
    sql`select min(${MILLISECONDS})::text as ms from ${sql.identifier(partition)} where ctid < '(8,0)'`,
  );
  return row?.ms == null ? undefined : new Date(Number(row.ms));
}

/** Maximum number of pages sampled, which hold some thousand visits. */
const SAMPLED_PAGES = 300;

/**
 * Share of visits that are the first of their device, among the newest quarter of a partition's visits. Older visits
 * would overestimate it, as new devices were more frequent then. `pages` is the size of the partition or of its largest
 * shard.
 */
export async function findNewShare(db: Db, partition: string, pages: number): Promise<number> {
  const first = Math.max(0, pages - Math.min(SAMPLED_PAGES, Math.max(1, Math.floor(pages / 4))));
  const [row] = await db.execute<{ share: number | null }>(sql`
    select (avg((access_count = 1)::int))::float8 as share from ${sql.identifier(partition)}
    where ctid >= ${`(${first},0)`}::tid`);
  return row?.share ?? 1;
}

import { eq, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { probeSightings } from "@/db/schema";

/** Remembers where a challenge's probe came from. The first address of each family counts. */
export async function insertSighting(db: Db, sighting: { nonce: string; family: 4 | 6; address: string }) {
  await db.insert(probeSightings).values(sighting).onConflictDoNothing();
}

export const findSightings = (db: Db, nonce: string) =>
  db
    .select({ family: probeSightings.family, address: sql<string>`host(${probeSightings.address})` })
    .from(probeSightings)
    .where(eq(probeSightings.nonce, nonce));

/** Deletes one batch of sightings whose challenges nobody can use any more; the number deleted. */
export async function deleteOldSightings(db: Db, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    delete from ${probeSightings} where ctid = any (array(
      select ctid from ${probeSightings} where seen_at < now() - interval '10 minutes' limit ${limit}))
    returning 1`);
  return rows.length;
}

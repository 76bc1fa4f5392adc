import { eq, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { probeObservations } from "@/db/schema";

/** Stores where a challenge's probe came from. The first address of each family counts. */
export async function insertObservation(db: Db, observation: { nonce: string; family: 4 | 6; address: string }) {
  await db.insert(probeObservations).values(observation).onConflictDoNothing();
}

export const findObservations = (db: Db, nonce: string) =>
  db
    .select({ family: probeObservations.family, address: sql<string>`host(${probeObservations.address})` })
    .from(probeObservations)
    .where(eq(probeObservations.nonce, nonce));

/** Deletes one batch of observations of expired challenges; the number deleted. */
export async function deleteOldObservations(db: Db, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    delete from ${probeObservations} where ctid = any (array(
      select ctid from ${probeObservations} where seen_at < now() - interval '10 minutes' limit ${limit}))
    returning 1`);
  return rows.length;
}

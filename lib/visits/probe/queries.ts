import { eq, sql } from "drizzle-orm";

import { deleteByKey } from "@/db/batches";
import type { Db } from "@/db/client";
import { probeObservations } from "@/db/schema";

/** Stores the address of a challenge's datagram. Only the first address of each family is kept. */
export async function insertObservation(db: Db, observation: { nonce: string; family: 4 | 6; address: string }) {
  await db.insert(probeObservations).values(observation).onConflictDoNothing();
}

export const findObservations = (db: Db, nonce: string) =>
  db
    .select({ family: probeObservations.family, address: sql<string>`host(${probeObservations.address})` })
    .from(probeObservations)
    .where(eq(probeObservations.nonce, nonce));

/**
 * Deletes observations of expired challenges.
 *
 * @returns number of rows deleted
 */
export const deleteOldObservations = (db: Db, signal: AbortSignal): Promise<number> =>
  deleteByKey(db, probeObservations, sql`seen_at < now() - interval '10 minutes'`, signal);

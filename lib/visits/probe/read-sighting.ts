import type { Db } from "@/db/client";
import { issueCredentials } from "./credentials";
import { probeServer } from "./probe-server";
import { deleteOldSightings, findSightings } from "./queries";

/** What a browser needs to send a datagram to the probe; nothing while none runs. */
export function issueProbe(challengeNonce: string, now: Date) {
  const server = probeServer();
  return server && { urls: server.urls, ...issueCredentials(challengeNonce, now) };
}

/**
 * The address that the probe saw for a challenge, of the family of `observed` where there are two. `undefined` when no
 * probe runs or none arrived, which means nothing.
 */
export async function readSighting(db: Db, challengeNonce: string, observed: string | undefined) {
  if (!probeServer()) return undefined;
  const sightings = await findSightings(db, challengeNonce);
  const family = observed?.includes(":") ? 6 : 4;
  return (sightings.find((sighting) => sighting.family === family) ?? sightings[0])?.address;
}

const BATCH = 5_000;

/** Deletes what no submission can ask for any more. */
export async function purgeSightings(db: Db, signal: AbortSignal): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted;) deleted = await deleteOldSightings(db, BATCH);
}

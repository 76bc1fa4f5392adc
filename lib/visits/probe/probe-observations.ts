import type { Db } from "@/db/client";
import { issueCredentials } from "./credentials";
import { probeServer } from "./probe-server";
import { findObservations } from "./queries";

/** What a browser needs to send a datagram to the probe; nothing while none runs. */
export function issueProbe(challengeNonce: string, now: Date) {
  const server = probeServer();
  return server && { urls: server.urls, ...issueCredentials(challengeNonce, now) };
}

/**
 * The address that the probe saw for a challenge, of the family of `observed` where there are two. `undefined` when no
 * probe runs or none arrived, which means nothing.
 */
export async function readProbedAddress(db: Db, challengeNonce: string, observed: string | undefined) {
  if (!probeServer()) return undefined;
  const observations = await findObservations(db, challengeNonce);
  const family = observed?.includes(":") ? 6 : 4;
  return (observations.find((observation) => observation.family === family) ?? observations[0])?.address;
}

export { deleteOldObservations as purgeProbeObservations } from "./queries";

import type { Db } from "@/db/client";
import { issueCredentials } from "./credentials";
import { probeServer } from "./probe-server";
import { findObservations } from "./queries";

/** Credentials and URLs for a browser to reach the probe. Undefined while no probe is running. */
export function issueProbe(challengeNonce: string, now: Date) {
  const server = probeServer();
  return server && { urls: server.urls, ...issueCredentials(challengeNonce, now) };
}

/**
 * The address that the probe saw for a challenge, preferably of the same family as `observed`. Undefined if no probe is
 * running or no datagram arrived, which is not suspicious.
 */
export async function readProbedAddress(db: Db, challengeNonce: string, observed: string | undefined) {
  if (!probeServer()) return undefined;
  const observations = await findObservations(db, challengeNonce);
  const family = observed?.includes(":") ? 6 : 4;
  return (observations.find((observation) => observation.family === family) ?? observations[0])?.address;
}

export { deleteOldObservations as purgeProbeObservations } from "./queries";

import { type CheckResult, ok, warn } from "./check-result";

/**
 * Connections of the primary process: background work, the probe, and the one that registers as a user of an embedded
 * server.
 */
const OF_PRIMARY = 5;
/** Reserved for an admin command. */
const SPARE = 3;

type Use = { workers: number; poolSize: number; most: number };

/** Whether the server allows enough connections for all processes of the service. */
export function assessConnections({ workers, poolSize, most }: Use): CheckResult {
  const needed = workers * poolSize + (poolSize >> 1) + (workers > 1 ? OF_PRIMARY : 1);
  const text = `This service opens up to ${needed} connections, ${poolSize} in each process that answers and ${poolSize >> 1} for the pages; PostgreSQL allows ${most}.`;
  if (needed + SPARE <= most) return ok("connections", text);
  const fitting = Math.floor((most - SPARE - OF_PRIMARY) / (workers + 0.5));
  const fix = `Set DATABASE_POOL_SIZE to ${Math.max(2, fitting)} or less, or raise max_connections.`;
  return warn("connections", text, fix);
}

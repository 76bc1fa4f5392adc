import type { Fact } from "./fact";

/** The main process of several: background work, the probe, and its place among the users of an embedded server. */
const OF_MAIN = 5;
/** A command of operators beside the service. */
const SPARE = 3;

type Use = { workers: number; poolSize: number; most: number };

/** Whether the server has connections for all processes of a service. */
export function assessConnections({ workers, poolSize, most }: Use): Fact {
  const needed = workers * poolSize + (workers > 1 ? OF_MAIN : 1);
  const text = `This service opens up to ${needed} connections, ${poolSize} in each process that answers; PostgreSQL allows ${most}.`;
  if (needed + SPARE <= most) return { name: "connections", status: "ok", text };
  const fitting = Math.floor((most - SPARE - OF_MAIN) / workers);
  const fix = `Set DATABASE_POOL_SIZE to ${Math.max(2, fitting)} or less, or raise max_connections.`;
  return { name: "connections", status: "warn", text, fix };
}

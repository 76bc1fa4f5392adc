import type { DatabaseServer } from "./address";

export type Role = "primary" | "standby";

/** How long an answer is cached, so that connections opened at the same time share one probe. */
const KNOWN_MS = 1_000;

type Known = { server: Promise<DatabaseServer>; untilMs: number };
const known = new Map<string, Known>();

const firstReason = (error: unknown): unknown =>
  error instanceof AggregateError ? (error.errors[0] as unknown) : error;

/** @throws the first server's error if no server responds */
async function findServer(
  servers: readonly DatabaseServer[],
  role: Role,
  readRole: (server: DatabaseServer) => Promise<Role>,
): Promise<DatabaseServer> {
  const answers = servers.map(async (server) => ({ server, role: await readRole(server) }));
  const fitting = answers.map(async (answer) => {
    const { server, role: found } = await answer;
    if (found !== role) throw new Error(`The server is a ${found}`);
    return server;
  });
  try {
    return await Promise.any(fitting);
  } catch {
    const { server } = await Promise.any(answers);
    return server;
  }
}

/**
 * Finds the server that currently has the role: the first one to report it. If none does, as in the middle of a
 * failover, returns the first server to respond, since a standby can still be read from.
 *
 * @param key cache key for these servers and this role
 * @throws the first server's error if no server responds
 */
export async function chooseServer(
  key: string,
  servers: readonly DatabaseServer[],
  role: Role,
  readRole: (server: DatabaseServer) => Promise<Role>,
): Promise<DatabaseServer> {
  const current = known.get(key);
  if (current && performance.now() < current.untilMs) return current.server;
  const server = findServer(servers, role, readRole).catch((error: unknown) => {
    throw firstReason(error);
  });
  const asked: Known = { server, untilMs: Number.POSITIVE_INFINITY };
  known.set(key, asked);
  try {
    return await server;
  } finally {
    asked.untilMs = performance.now() + KNOWN_MS;
  }
}

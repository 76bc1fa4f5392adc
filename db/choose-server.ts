import type { DatabaseServer } from "./address";

export type Role = "primary" | "standby";

/** For how long an answer holds: connections that are opened at once ask once. */
const KNOWN_MS = 1_000;

type Known = { server: Promise<DatabaseServer>; untilMs: number };
const known = new Map<string, Known>();

const firstReason = (error: unknown): unknown =>
  error instanceof AggregateError ? (error.errors[0] as unknown) : error;

/** @throws the reason of the first server when none answers */
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
 * Which of several servers has the role now: the first that says so. Where none does, as in the middle of a failover, the
 * first in the list that answers: a standby can still be read from.
 *
 * @param key stands for servers and role in what is remembered for a moment
 * @throws the reason of the first server when none answers
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

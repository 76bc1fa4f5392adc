import type { Sql } from "postgres";

import { withDeadlines } from "./deadline";
import { isDatabaseUnavailable, isReadOnly } from "./failures";
import { createHeartbeats, type Heartbeats, readHeartbeat } from "./heartbeat";
import { inTime } from "./in-time";
import type { Routing } from "./routing";

const MAX_CONNECTIONS = 4;

/** Why the primary answered a statement. */
export type Fallback = "stale" | "unavailable" | "write";
/** What is wrong with a connection. */
type ReplicaProblem = "unproven" | "unreachable" | "no standby" | "unknown data" | "lag";

export type ReplicaState = {
  connections: number;
  /** Number of connections that may be read from. */
  usable: number;
  /** Upper bound on the age of the freshest connection's data; undefined before any heartbeat was seen. */
  lagSeconds: number | undefined;
  problem: ReplicaProblem | undefined;
};

export type Replica = {
  /** Sends each statement to the replica while it is fresh enough, otherwise to the primary. */
  client: Sql;
  state: () => ReplicaState;
  close: () => Promise<void>;
};

type Options = {
  /** Opens a client with one connection; it must call `onLost` when the connection closes. */
  open: (onLost: () => void) => Sql;
  connections: number;
  maxLagSeconds: number;
  /**
   * `pool`: the primary without deadlines. `client`: the same with deadlines, for statements that the replica cannot
   * answer.
   */
  primary: { pool: Sql; client: Sql };
  prepare: boolean;
  routing: Routing;
  onRoundTrip: (statement: string, parameters: readonly unknown[]) => void;
  onFallback: (reason: Fallback) => void;
  onChange?: ((change: { usable: boolean; problem: ReplicaProblem | undefined }) => void) | undefined;
};

const IGNORED = () => undefined;

/**
 * One connection. An address may lead to several replicas, so each connection proves its own freshness, and proves it
 * again after it was lost.
 */
function createLane({ open, maxLagSeconds, prepare, routing, onRoundTrip }: Options, heartbeats: Heartbeats) {
  let dataAt = Number.NEGATIVE_INFINITY;
  let problem: ReplicaProblem = "unproven";
  let inFlight = 0;
  const distrust = (because: ReplicaProblem) => {
    dataAt = Number.NEGATIVE_INFINITY;
    problem = because;
  };
  const connect = (): Sql =>
    open(() => {
      distrust("unreachable");
    });
  let current = connect();
  const lagMs = () => performance.now() - dataAt;
  const isUsable = () => lagMs() <= maxLagSeconds * 1000;

  /** Aborts statements in flight, so that they are retried on the primary. */
  function renew(): void {
    const old = current;
    current = connect();
    old.end({ timeout: 0 }).catch(IGNORED);
  }

  return {
    isUsable,
    lagMs,
    inFlight: () => inFlight,
    problem: (): ReplicaProblem | undefined => (isUsable() ? undefined : problem),
    distrust,
    async prove(): Promise<void> {
      try {
        const { value, isStandby } = await inTime(readHeartbeat(current));
        if (!isStandby) distrust("no standby");
        else {
          const writtenAt = value === undefined ? undefined : heartbeats.writtenAt(value);
          // What it has shown stays true and only ages.
          problem = writtenAt === undefined ? "unknown data" : "lag";
          if (writtenAt !== undefined) dataAt = Math.max(dataAt, writtenAt);
        }
      } catch {
        distrust("unreachable");
        renew();
      }
    },
    async run<T>(work: (client: Sql) => PromiseLike<T>): Promise<T> {
      inFlight += 1;
      try {
        return await work(withDeadlines(current, { prepare, routing, onRoundTrip, onFailure: IGNORED }));
      } finally {
        inFlight -= 1;
      }
    },
    close: () => current.end({ timeout: 1 }).catch(IGNORED),
  };
}
type Lane = ReturnType<typeof createLane>;

type Statement = PromiseLike<unknown> & { values: () => PromiseLike<unknown> };

/** The usable connection with the fewest statements in flight. */
function choose(lanes: readonly Lane[]): Lane | undefined {
  let best: Lane | undefined;
  for (const lane of lanes) if (lane.isUsable() && (!best || lane.inFlight() < best.inFlight())) best = lane;
  return best;
}

/** Reads are safe to repeat, so anything the replica cannot answer is retried on the primary. */
async function answer(
  lanes: readonly Lane[],
  { primary, onFallback }: Pick<Options, "primary" | "onFallback">,
  send: (client: Sql) => PromiseLike<unknown>,
): Promise<unknown> {
  const lane = choose(lanes);
  if (!lane) {
    onFallback("stale");
    return await send(primary.client);
  }
  try {
    return await lane.run(send);
  } catch (error) {
    if (isReadOnly(error)) onFallback("write");
    else if (isDatabaseUnavailable(error)) {
      lane.distrust("unreachable");
      onFallback("unavailable");
    } else throw error;
    return await send(primary.client);
  }
}

/** Summarises all connections; the problem is that of the first connection that has one. */
function stateOf(lanes: readonly Lane[]): ReplicaState {
  const least = Math.min(...lanes.map((lane) => lane.lagMs()));
  return {
    connections: lanes.length,
    usable: lanes.filter((lane) => lane.isUsable()).length,
    lagSeconds: Number.isFinite(least) ? least / 1000 : undefined,
    problem: lanes.map((lane) => lane.problem()).find((problem) => problem !== undefined),
  };
}

/** Opens connections to a replica and keeps measuring the freshness of each. */
export function openReplica(options: Options): Replica {
  const { primary, maxLagSeconds } = options;
  const everyMs = Math.min(1_000, maxLagSeconds * 200);
  const heartbeats = createHeartbeats(primary.pool, Math.floor(everyMs * 0.9));
  const size = Math.max(1, Math.min(MAX_CONNECTIONS, options.connections));
  const lanes = Array.from({ length: size }, () => createLane(options, heartbeats));
  let isProving = false;
  let wasUsable: boolean | undefined;
  const prove = async () => {
    if (isProving) return;
    isProving = true;
    // While the primary is down there is no new heartbeat, and the known ones expire.
    await inTime(heartbeats.beat()).catch(IGNORED);
    await Promise.all(lanes.map((lane) => lane.prove()));
    isProving = false;
    const { usable, problem } = stateOf(lanes);
    if (wasUsable !== usable > 0) options.onChange?.({ usable: usable > 0, problem });
    wasUsable = usable > 0;
  };
  const timer = setInterval(() => void prove(), everyMs).unref();
  void prove();
  const route = (text: string, parameters: never[]): Statement => {
    const send = (client: Sql) => client.unsafe(text, parameters);
    return {
      values: () => answer(lanes, options, (client) => send(client).values()),
      then: (onDone, onFail) => answer(lanes, options, send).then(onDone, onFail),
    };
  };
  return {
    client: new Proxy(primary.client, {
      get: (target, property, receiver) => {
        if (property === "unsafe") return route;
        // The primary pipelines short statements over separate connections.
        if (property === "unsafeShort") return undefined;
        return Reflect.get(target, property, receiver) as unknown;
      },
    }),
    state: () => stateOf(lanes),
    async close() {
      clearInterval(timer);
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

import type { Sql } from "postgres";

import { withDeadlines } from "./deadline";
import { isDatabaseUnavailable, isReadOnly } from "./failures";
import { createHeartbeats, type Heartbeats, readHeartbeat } from "./heartbeat";
import { inTime } from "./in-time";
import type { Routing } from "./routing";

const MAX_CONNECTIONS = 4;

/** Why a statement was answered by the primary. */
export type Fallback = "stale" | "unavailable" | "write";
/** What is wrong with a connection. */
type ReplicaProblem = "unproven" | "unreachable" | "no standby" | "unknown data" | "lag";

export type ReplicaState = {
  connections: number;
  /** Of them, those that may be read from. */
  usable: number;
  /** How old the data of the freshest connection may be; nothing before one has shown anything. */
  lagSeconds: number | undefined;
  problem: ReplicaProblem | undefined;
};

export type Replica = {
  /** Sends each statement to the replica while that is fresh enough, and to the primary otherwise. */
  client: Sql;
  state: () => ReplicaState;
  close: () => Promise<void>;
};

type Options = {
  /** Opens a client of one connection; `onLost` is to be called when it closes. */
  open: (onLost: () => void) => Sql;
  connections: number;
  maxLagSeconds: number;
  /** The pool of the primary, without deadlines; and with them, for statements that the replica may not answer. */
  primary: { pool: Sql; client: Sql };
  prepare: boolean;
  routing: Routing;
  onRoundTrip: (statement: string, parameters: readonly unknown[]) => void;
  onFallback: (reason: Fallback) => void;
  onChange?: ((change: { usable: boolean; problem: ReplicaProblem | undefined }) => void) | undefined;
};

const IGNORED = () => undefined;

/**
 * One connection. Behind one address there may be several replicas, so each connection proves for itself how old its data
 * is, and again after it was lost.
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

  /** Ends what is in flight, so that the primary is asked instead. */
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
          // What it showed before stays true: it only gets older.
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

/** The usable connection with the least to do. */
function choose(lanes: readonly Lane[]): Lane | undefined {
  let best: Lane | undefined;
  for (const lane of lanes) if (lane.isUsable() && (!best || lane.inFlight() < best.inFlight())) best = lane;
  return best;
}

/** A read is safe to repeat, so whatever the replica cannot answer is asked of the primary. */
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

/** Worst first: what to tell when no connection may be used. */
function stateOf(lanes: readonly Lane[]): ReplicaState {
  const least = Math.min(...lanes.map((lane) => lane.lagMs()));
  return {
    connections: lanes.length,
    usable: lanes.filter((lane) => lane.isUsable()).length,
    lagSeconds: Number.isFinite(least) ? least / 1000 : undefined,
    problem: lanes.map((lane) => lane.problem()).find((problem) => problem !== undefined),
  };
}

/** Opens connections to a replica, and keeps asking each how old its data is. */
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
    // While the primary is away there is nothing new to show, and what is known gets too old.
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
        // Short statements of the primary have connections of their own.
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

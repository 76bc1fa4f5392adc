import type { Sql } from "postgres";

/** How long a statement may wait for those before it on its connection while another connection has less to do. */
const MAX_WAIT_MS = 10;
/** How long a connection that was lost is taken to need until it answers again. */
const RECONNECT_MS = 100;
/** What the newest run of a statement counts for in the time that it is expected to take. */
const WEIGHT = 1 / 16;

type Options = NonNullable<Parameters<Sql["unsafe"]>[2]>;

/** One connection, and what it has been given to do. Times are of the monotonic clock, in milliseconds. */
type Pipeline = {
  client: Sql;
  inFlight: number;
  /** What the statements in flight take together, by experience. */
  expectedMs: number;
  /** Since when the first of them runs. */
  headSince: number;
  /** Whether the connection was lost and has answered nothing since. */
  isLost: boolean;
};

export type Pipelines = {
  /** Sends a prepared statement that stands for itself: a transaction of its own. */
  send: (text: string, parameters: never[], options: Options) => PromiseLike<readonly Record<string, unknown>[]>;
};

function waitOf({ inFlight, expectedMs, headSince, isLost }: Pipeline, nowMs: number): number {
  const waitMs = inFlight === 0 ? 0 : Math.max(expectedMs, nowMs - headSince);
  return isLost ? Math.max(waitMs, RECONNECT_MS) : waitMs;
}

/** Whether a statement ended because its connection did: the driver's codes, the system's, and PostgreSQL's "57P01" and after. */
const isLoss = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "code" in error &&
  /^(?:CONN|ECONN|EPIPE|57P)/.test(String(error.code));

function choose(pipelines: readonly [Pipeline, ...Pipeline[]], nowMs: number): Pipeline {
  let [best] = pipelines;
  let leastMs = Infinity;
  for (const pipeline of pipelines) {
    const waitMs = waitOf(pipeline, nowMs);
    if (waitMs <= MAX_WAIT_MS) return pipeline;
    if (waitMs < leastMs) [best, leastMs] = [pipeline, waitMs];
  }
  return best;
}

/**
 * Sends short statements one behind the other on few connections, without waiting for the answer of the one before:
 * what is sent and answered together costs both sides one system call and one change of process, not one for each. A
 * statement goes to the first connection whose work in hand takes little time, by what its statements took before; one
 * that stands still, for a lock or a slow disk, gets nothing more to do, and one that was lost nothing while others can.
 *
 * @param clients pools of one connection each
 */
export function createPipelines(clients: readonly [Sql, ...Sql[]]): Pipelines {
  const begin = (client: Sql): Pipeline => ({ client, inFlight: 0, expectedMs: 0, headSince: 0, isLost: false });
  const [first, ...others] = clients;
  const pipelines: [Pipeline, ...Pipeline[]] = [begin(first), ...others.map(begin)];
  const durations = new Map<string, { meanMs: number }>();

  function durationOf(text: string): { meanMs: number } {
    const known = durations.get(text) ?? { meanMs: 0 };
    durations.set(text, known);
    return known;
  }

  return {
    send(text, parameters, options) {
      const nowMs = performance.now();
      const pipeline = choose(pipelines, nowMs);
      const duration = durationOf(text);
      const expectedMs = duration.meanMs;
      if (pipeline.inFlight === 0) pipeline.headSince = nowMs;
      pipeline.inFlight += 1;
      pipeline.expectedMs += expectedMs;
      const query = pipeline.client.unsafe(text, parameters, options);
      const settle = (isLost: boolean) => {
        pipeline.isLost = isLost;
        const endedMs = performance.now();
        duration.meanMs += (endedMs - pipeline.headSince - duration.meanMs) * WEIGHT;
        pipeline.headSince = endedMs;
        pipeline.inFlight -= 1;
        pipeline.expectedMs = pipeline.inFlight === 0 ? 0 : pipeline.expectedMs - expectedMs;
      };
      query.then(
        () => {
          settle(false);
        },
        (error: unknown) => {
          settle(isLoss(error));
        },
      );
      return query;
    },
  };
}

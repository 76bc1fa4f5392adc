import type { ParameterOrJSON, Sql } from "postgres";

import { SILENCE_MS } from "./deadlines";
import { codeOf } from "./failures";
import type { Renewable } from "./renewable";

/**
 * Expected queueing time beyond which a less loaded connection is chosen: a multiple of the statement's own duration,
 * so that reads do not wait behind a commit, which may wait for a standby.
 */
const WAIT_MS = { perOwnMs: 4, least: 1, most: 10 };
/** Estimated time until a lost connection is usable again. */
const RECONNECT_MS = 100;
/** Weight of the latest run in a statement's moving average. */
const WEIGHT = 1 / 16;

type Options = NonNullable<Parameters<Sql["unsafe"]>[2]>;

/** One connection and its load. Times are in milliseconds on the monotonic clock. */
type Pipeline = {
  renewable: Pick<Renewable, "client" | "renew">;
  /** How many times its client was replaced. */
  renewals: number;
  inFlight: number;
  /** Expected total duration of the statements in flight. */
  expectedMs: number;
  /** Start time of the first of them. */
  headSince: number;
  /** Whether the connection was lost or replaced and has not answered since. */
  isLost: boolean;
};

export type Pipelines = {
  /** Sends a prepared statement outside of any transaction. */
  send: (
    text: string,
    parameters: ParameterOrJSON<never>[],
    options: Options,
  ) => PromiseLike<readonly Record<string, unknown>[]>;
};

function waitOf({ inFlight, expectedMs, headSince, isLost }: Pipeline, nowMs: number): number {
  const waitMs = inFlight === 0 ? 0 : Math.max(expectedMs, nowMs - headSince);
  return isLost ? Math.max(waitMs, RECONNECT_MS) : waitMs;
}

/** Connection loss: codes of the driver and the system, and SQLSTATEs 57P01 and following. */
export const isLoss = (error: unknown): boolean => /^(?:CONN|ECONN|EPIPE|57P)/.test(codeOf(error));

/** No connection was established: the server is down, or is not accepting connections yet (57P03). */
const isRefusal = (error: unknown): boolean => /^(?:ECONNREFUSED|57P03)$/.test(codeOf(error));

/**
 * After losing an open connection with data left to write, the driver does not write on the next connection either,
 * until several attempts have failed half a minute later (postgres 3.4.9). So its client is replaced.
 */
const needsNewClient = (error: unknown): boolean => isLoss(error) && !isRefusal(error);

const maxWaitOf = (ownMs: number): number => Math.min(Math.max(WAIT_MS.least, WAIT_MS.perOwnMs * ownMs), WAIT_MS.most);

function choose(pipelines: readonly [Pipeline, ...Pipeline[]], nowMs: number, maxWaitMs: number): Pipeline {
  let [best] = pipelines;
  let leastMs = Infinity;
  for (const pipeline of pipelines) {
    const waitMs = waitOf(pipeline, nowMs);
    if (waitMs <= maxWaitMs) return pipeline;
    if (waitMs < leastMs) [best, leastMs] = [pipeline, waitMs];
  }
  return best;
}

/**
 * Pipelines short statements over few connections, without waiting for previous answers: batching saves system calls
 * and context switches on both sides. A statement goes to the first connection with a short expected queue, estimated
 * from moving averages; a connection that is lost, or blocked by a lock or a slow disk, gets no more statements while
 * another one is available.
 *
 * @param clients pools of one connection each
 */
export function createPipelines(clients: readonly [Renewable, ...Renewable[]]): Pipelines {
  const begin = (renewable: Renewable): Pipeline => ({
    ...{ renewable, renewals: 0, inFlight: 0, expectedMs: 0, headSince: 0, isLost: false },
  });
  const [first, ...others] = clients;
  const pipelines: [Pipeline, ...Pipeline[]] = [begin(first), ...others.map(begin)];
  const durations = new Map<string, { meanMs: number }>();

  function durationOf(text: string): { meanMs: number } {
    const known = durations.get(text) ?? { meanMs: 0 };
    durations.set(text, known);
    return known;
  }

  function replace(pipeline: Pipeline): void {
    pipeline.renewals += 1;
    Object.assign(pipeline, { inFlight: 0, expectedMs: 0, isLost: true });
    pipeline.renewable.renew();
  }

  return {
    send(text, parameters, options) {
      const nowMs = performance.now();
      // The server machine may be gone, which the operating system notices only after about 15 minutes: replace all
      // connections.
      if (pipelines.some(({ inFlight, headSince }) => inFlight > 0 && nowMs - headSince > SILENCE_MS))
        pipelines.forEach(replace);
      const duration = durationOf(text);
      const expectedMs = duration.meanMs;
      const pipeline = choose(pipelines, nowMs, maxWaitOf(expectedMs));
      if (pipeline.inFlight === 0) pipeline.headSince = nowMs;
      pipeline.inFlight += 1;
      pipeline.expectedMs += expectedMs;
      const { renewals } = pipeline;
      const query = pipeline.renewable.client.unsafe(text, parameters, options);
      const settle = (isLost: boolean) => {
        if (renewals !== pipeline.renewals) return;
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
          // Every statement on a lost connection fails; the first failure replaces it.
          if (renewals === pipeline.renewals && needsNewClient(error)) replace(pipeline);
        },
      );
      return query;
    },
  };
}

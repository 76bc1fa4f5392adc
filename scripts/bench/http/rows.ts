import { setTimeout as delay } from "node:timers/promises";

import { CONNECTIONS, putLoad } from "./load.mjs";
import { processorMicros } from "./processor-time.mjs";

const WARM_UP_SECONDS = 2;
/** Compiled code gets faster for some thousand requests; a slow row is warm after so long all the same. */
const WARM_AFTER_REQUESTS = 15_000;
const WARM_AFTER_SECONDS = 20;
/** Of a row that has not been measured: more than any reaches on two processors. */
const FIRST_GUESS_PER_SECOND = 3_000;
/** Requests that can be sent once are made for a machine that gets so much faster meanwhile. */
const SPARE = 1.7;
/** The longest time for which an idle connection keeps its counts to itself. Source: PGSTAT_IDLE_INTERVAL. */
const COUNTS_KEPT_MS = 10_500;
const COUNTED_SECONDS = 2;

/**
 * @typedef {{ name: string, title: string, pid: number, address: string, isSentOnce?: boolean,
 *   requests: (count: number, perSecond: number) => string[] | Promise<string[]> }} Row
 * @typedef {{ requestsPerSecond: number, p50Ms: number, p99Ms: number, processorMicros: number | undefined }} Result
 * @typedef {{ tool: "wrk" | "node", seconds: number, rounds: number, progress: (text: string) => void }} Way
 */

const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** One measurement. A single refusal makes the comparison worthless, and so does a request that is sent again. */
async function measure(row, tool, seconds, perSecond) {
  const requests = await row.requests(Math.ceil(perSecond * seconds * SPARE) + 2 * CONNECTIONS, perSecond);
  const before = processorMicros(row.pid);
  const load = await putLoad(tool, { address: row.address, seconds, requests });
  const after = processorMicros(row.pid);
  if (load.failed > 0) throw new Error(`${row.title}: ${load.failed} of ${load.requests} requests were refused.`);
  if (row.isSentOnce && load.requests > requests.length)
    throw new Error(`${row.title}: ${requests.length} requests were too few for ${seconds} s. Measure again.`);
  return {
    requests: load.requests,
    requestsPerSecond: load.requests / load.seconds,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    processorMicros: before === undefined || after === undefined ? undefined : (after - before) / load.requests,
  };
}

/**
 * Every row once a round, in an order that moves on by one, so that none always comes after the same other; medians.
 *
 * @param {Row[]} rows @param {Way} way
 */
export async function measureRows(rows, { tool, seconds, rounds, progress }) {
  const fastest = new Map(rows.map(({ name }) => [name, FIRST_GUESS_PER_SECOND]));
  const results = new Map(rows.map(({ name }) => [name, /** @type {Result[]} */ ([])]));
  const run = (row, forSeconds) => measure(row, tool, forSeconds, fastest.get(row.name));
  for (const row of rows) {
    progress(`Warming up: ${row.title}`);
    let [requests, seconds] = [0, 0];
    while (requests < WARM_AFTER_REQUESTS && seconds < WARM_AFTER_SECONDS) {
      const result = await run(row, WARM_UP_SECONDS);
      // The next run tells anew what to prepare for: the code has become faster meanwhile.
      fastest.set(row.name, Math.max(500, (seconds === 0 ? 2 : 1.3) * result.requestsPerSecond));
      requests += result.requests;
      seconds += WARM_UP_SECONDS;
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < rows.length; turn += 1) {
      const row = rows[(round + turn) % rows.length];
      progress(`Round ${round + 1} of ${rounds}: ${row.title}`);
      const result = await run(row, seconds);
      fastest.set(row.name, Math.max(fastest.get(row.name), 1.3 * result.requestsPerSecond));
      results.get(row.name).push(result);
    }
  }
  return rows.map(({ name, title }) => {
    const measured = results.get(name);
    const of = (figure) => measured.map((result) => result[figure]);
    return {
      name,
      title,
      requestsPerSecond: Math.round(median(of("requestsPerSecond"))),
      slowest: Math.round(Math.min(...of("requestsPerSecond"))),
      fastest: Math.round(Math.max(...of("requestsPerSecond"))),
      p50Ms: Number(median(of("p50Ms")).toFixed(2)),
      p99Ms: Number(median(of("p99Ms")).toFixed(2)),
      processorMicros: of("processorMicros").includes(undefined)
        ? undefined
        : Math.round(median(of("processorMicros"))),
    };
  });
}

/**
 * Statements of one request of each row, by the database's own count of transactions: on these paths every statement
 * is one. What the service writes beside its requests is in it.
 *
 * @param {Row[]} rows @param {Way & { count: () => Promise<number> }} way
 */
export async function countStatements(rows, { tool, progress, count }) {
  const counted = /** @type {Record<string, number>} */ ({});
  for (const row of rows) {
    progress(`Counting statements: ${row.title}`);
    await delay(COUNTS_KEPT_MS);
    const before = await count();
    const { requests } = await measure(row, tool, COUNTED_SECONDS, FIRST_GUESS_PER_SECOND);
    await delay(COUNTS_KEPT_MS);
    counted[row.name] = Number((((await count()) - before) / requests).toFixed(2));
  }
  return counted;
}

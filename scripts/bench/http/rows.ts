import { setTimeout as delay } from "node:timers/promises";

import { progress } from "../../common/command";
import { median } from "../../common/report";
import { CONNECTIONS, generateLoad, type Tool } from "./load";
import { databaseMicros, processorMicros } from "./processor-time";

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

export type Row = {
  name: string;
  title: string;
  pid: number;
  address: string;
  isSentOnce?: boolean;
  requests: (count: number, perSecond: number) => string[] | Promise<string[]>;
};
export type Method = { tool: Tool; seconds: number; rounds: number };
type Result = Awaited<ReturnType<typeof measure>>;

/** One measurement. A single refusal makes the comparison worthless, and so does a request that is sent again. */
async function measure(row: Row, tool: Tool, seconds: number, perSecond: number) {
  const requests = await row.requests(Math.ceil(perSecond * seconds * SPARE) + 2 * CONNECTIONS, perSecond);
  const [before, databaseBefore] = [processorMicros(row.pid), databaseMicros()];
  const load = await generateLoad(tool, { address: row.address, seconds, requests });
  const [after, databaseAfter] = [processorMicros(row.pid), databaseMicros()];
  if (load.failed > 0) throw new Error(`${row.title}: ${load.failed} of ${load.requests} requests were refused.`);
  if (row.isSentOnce && load.requests > requests.length)
    throw new Error(`${row.title}: ${requests.length} requests were too few for ${seconds} s. Measure again.`);
  return {
    requests: load.requests,
    requestsPerSecond: load.requests / load.seconds,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    processorMicros: before === undefined || after === undefined ? undefined : (after - before) / load.requests,
    databaseMicros: after === undefined ? undefined : (databaseAfter - databaseBefore) / load.requests,
  };
}

type Run = (row: Row, seconds: number) => Promise<Result>;

/** Runs each row until its code is compiled; what to prepare for is reported by each run. */
async function warmUp(rows: readonly Row[], run: Run): Promise<void> {
  for (const row of rows) {
    progress(`Warming up: ${row.title}`);
    let [requests, seconds] = [0, 0];
    while (requests < WARM_AFTER_REQUESTS && seconds < WARM_AFTER_SECONDS) {
      requests += (await run(row, WARM_UP_SECONDS)).requests;
      seconds += WARM_UP_SECONDS;
    }
  }
}

function summarise({ name, title }: Row, results: readonly Result[]) {
  const rates = results.map(({ requestsPerSecond }) => requestsPerSecond);
  const medianMicros = (micros: (number | undefined)[]) =>
    micros.includes(undefined) ? undefined : Math.round(median(micros.map(Number)));
  return {
    name,
    title,
    requestsPerSecond: Math.round(median(rates)),
    slowest: Math.round(Math.min(...rates)),
    fastest: Math.round(Math.max(...rates)),
    p50Ms: Number(median(results.map(({ p50Ms }) => p50Ms)).toFixed(2)),
    p99Ms: Number(median(results.map(({ p99Ms }) => p99Ms)).toFixed(2)),
    processorMicros: medianMicros(results.map((each) => each.processorMicros)),
    databaseMicros: medianMicros(results.map((each) => each.databaseMicros)),
  };
}
export type MeasuredRow = ReturnType<typeof summarise>;

/** Every row once a round, in an order that moves on by one, so that none always comes after the same other; medians. */
export async function measureRows(rows: readonly Row[], { tool, seconds, rounds }: Method): Promise<MeasuredRow[]> {
  const fastest = new Map<string, number>();
  const run: Run = async (row, forSeconds) => {
    const before = fastest.get(row.name);
    const result = await measure(row, tool, forSeconds, before ?? FIRST_GUESS_PER_SECOND);
    // Twice as many after the first run: the code becomes faster meanwhile.
    const next = (before === undefined ? 2 : 1.3) * result.requestsPerSecond;
    fastest.set(row.name, Math.max(500, before ?? 0, next));
    return result;
  };
  await warmUp(rows, run);
  const results = rows.map((row) => ({ row, measured: [] as Result[] }));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % results.length;
    for (const { row, measured } of [...results.slice(first), ...results.slice(0, first)]) {
      progress(`Round ${round + 1} of ${rounds}: ${row.title}`);
      measured.push(await run(row, seconds));
    }
  }
  return results.map(({ row, measured }) => summarise(row, measured));
}

/**
 * Statements of one request of each row, by the database's own count of transactions: on these paths every statement
 * is one. What the service writes beside its requests is in it.
 */
export async function countStatements(rows: readonly Row[], { tool }: Method, count: () => Promise<number>) {
  const counted: Record<string, number> = {};
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

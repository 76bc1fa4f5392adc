import { setTimeout as delay } from "node:timers/promises";

import { progress } from "../../common/command";
import { median } from "../../common/report";
import { CONNECTIONS, generateLoad, type Tool } from "./load";
import { databaseMicros, processorMicros } from "./processor-time";

const WARM_UP_SECONDS = 2;
/** Compiled code keeps getting faster for some thousand requests; a slow row counts as warm after the time limit. */
const WARM_AFTER_REQUESTS = 15_000;
const WARM_AFTER_SECONDS = 20;
/** Assumed rate of a row not yet measured: more than any row reaches on two processors. */
const FIRST_GUESS_PER_SECOND = 3_000;
/** Factor of spare one-time requests, in case the machine gets faster meanwhile. */
const SPARE = 1.7;
/** Maximum time for which an idle connection keeps its statistics to itself. Source: PGSTAT_IDLE_INTERVAL. */
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

/** Runs one measurement. A single refused or repeated one-time request invalidates the comparison. */
async function measure(row: Row, tool: Tool, seconds: number, perSecond: number) {
  const requests = await row.requests(Math.ceil(perSecond * seconds * SPARE) + 2 * CONNECTIONS, perSecond);
  const [before, databaseBefore] = [processorMicros(row.pid), databaseMicros()];
  const load = await generateLoad(tool, { address: row.address, seconds, requests });
  const [after, databaseAfter] = [processorMicros(row.pid), databaseMicros()];
  if (load.failed > 0) throw new Error(`${row.title}: ${load.failed} of ${load.requests} requests were refused.`);
  if (row.isSentOnce && load.requests > requests.length)
    throw new Error(`${row.title}: ${requests.length} requests were not enough for ${seconds} s. Measure again.`);
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

/** Runs each row until its code is compiled; the rates of these runs determine how many requests to prepare. */
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

/**
 * Measures every row once per round and returns medians. The order rotates by one, so that no row always follows the
 * same other one.
 */
export async function measureRows(rows: readonly Row[], { tool, seconds, rounds }: Method): Promise<MeasuredRow[]> {
  const fastest = new Map<string, number>();
  const run: Run = async (row, forSeconds) => {
    const before = fastest.get(row.name);
    const result = await measure(row, tool, forSeconds, before ?? FIRST_GUESS_PER_SECOND);
    // Allow for twice the rate after the first run, since the code still becomes faster.
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
 * Statements per request of each row, derived from the database's transaction count: on these paths every statement is
 * one transaction. Includes the service's background writes.
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

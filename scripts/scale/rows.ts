import { randomOf } from "../common/random";
import { ASSUMED, type Size, sizeFor } from "./sizing";
import { type Outcome, type Plant, simulate } from "./simulate";
import { failing } from "../common/report";

/** Visits in the busiest second. */
export const RATES = [10, 100, 1_000, 10_000, 100_000] as const;

/**
 * Network latency between service and database in one data centre, and duration of a durable, synchronously replicated
 * commit.
 */
const PLACE = { roundTripMs: 0.5, commitMs: 2 } as const;
/** Number of requests to simulate per size, so that large sizes take no longer than small ones. */
const REQUESTS = 200_000;
const MAX_SECONDS = 600;

export type Row = { size: Size; simulated: Outcome; half: Outcome };

const plantOf = (size: Size, processes: number, hotShare: number): Plant => ({
  ...PLACE,
  visits: size.visits,
  processes,
  nodes: size.nodes,
  nodeProcessors: Math.min(ASSUMED.nodeProcessors, Math.max(1, size.databaseProcessors)),
  hotShare,
});

const spanOf = (visits: number, seed: number) => ({
  seconds: Math.min(MAX_SECONDS, REQUESTS / 4 / visits),
  random: randomOf(seed),
});

/** Each size according to the rules, and with half its processes, which must be too few. */
export const measureRows = (seed: number): Row[] =>
  RATES.map((visits) => {
    const size = sizeFor(visits);
    const run = (processes: number) => simulate(plantOf(size, processes, 0), spanOf(visits, seed));
    return { size, simulated: run(size.processes), half: run(Math.max(1, Math.floor(size.processes / 2))) };
  });

/** Simulates a workspace with a share of all visits, to find the load on its node. */
export function measureHot(visits: number, hotShare: number, seed: number): Outcome {
  const size = sizeFor(visits);
  return simulate(plantOf(size, size.processes, hotShare), spanOf(visits, seed));
}

/** What the rules promise: no queue grows, and latency stays low. */
const PROMISED = { p99Ms: 50, load: 0.85, statements: ASSUMED.poolSize } as const;

export function missesOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ size, simulated, half }) => {
    const at = `${size.visits} visits/s`;
    const checks: [boolean, string][] = [
      [simulated.p99Ms <= PROMISED.p99Ms, `${at}: p99 ${simulated.p99Ms.toFixed(1)} ms, above ${PROMISED.p99Ms}`],
      [simulated.processLoad <= PROMISED.load, `${at}: a process is busy ${simulated.processLoad.toFixed(2)}`],
      [simulated.nodeLoad <= PROMISED.load, `${at}: a node is busy ${simulated.nodeLoad.toFixed(2)}`],
      [simulated.statements <= PROMISED.statements, `${at}: ${simulated.statements} statements of one process at once`],
      [size.processes < 4 || half.p99Ms > 2 * simulated.p99Ms, `${at}: half of the processes would be enough`],
    ];
    return failing(checks);
  });
}

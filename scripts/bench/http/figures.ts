import { textTable } from "../../common/report";
import type { MeasuredRow } from "./rows";

/** Minimum rates of our rows relative to peers, with one worker and few events. */
const SHARES = [
  { row: "reread", of: "next-select", least: 4 },
  { row: "reread", of: "node-select", least: 0.5 },
  { row: "delivery", of: "next-insert", least: 1.5 },
  { row: "submission", of: "next-insert", least: 1 },
];
/** Maximum degradation of a figure from the fewest to the most events. */
const MAX_WORSE = 1.5;

export type Table = { events: number; workers: number; rows: (MeasuredRow & { statements?: number | undefined })[] };

const rowOf = (table: Table, name: string) => table.rows.find((row) => row.name === name);

/** Our rates as shares of the peers' rates, for rows that were both measured. */
const sharesOf = (tables: readonly Table[]) =>
  tables.flatMap((table) =>
    SHARES.flatMap(({ row, of, least }) => {
      const [ours, peer] = [rowOf(table, row), rowOf(table, of)];
      if (!ours || !peer) return [];
      const share = Number((ours.requestsPerSecond / peer.requestsPerSecond).toFixed(2));
      return [{ events: table.events, workers: table.workers, row: ours.title, of: peer.title, share, least }];
    }),
  );

const timesWorse = (ratio: number) => Number(ratio.toFixed(2));

/** How much worse each figure got with more events, as a factor. */
function growthOf(tables: readonly Table[]) {
  return [...new Set(tables.map(({ workers }) => workers))].flatMap((workers) => {
    const ofWorkers = tables.filter((table) => table.workers === workers).sort((a, b) => a.events - b.events);
    const [few, many] = [ofWorkers[0], ofWorkers.at(-1)];
    if (!few || !many || few === many) return [];
    return few.rows.flatMap((row) => {
      const grown = rowOf(many, row.name);
      if (!grown) return [];
      const worse = {
        rate: timesWorse(row.requestsPerSecond / grown.requestsPerSecond),
        p50: timesWorse(grown.p50Ms / row.p50Ms),
        p99: timesWorse(grown.p99Ms / row.p99Ms),
      };
      return [{ workers, row: row.title, worse }];
    });
  });
}

export function missesOf(tables: readonly Table[]): string[] {
  const fewest = Math.min(...tables.map(({ events }) => events));
  const shares = sharesOf(tables).filter(({ events, workers }) => events === fewest && workers === 1);
  return [
    ...shares
      .filter(({ share, least }) => share < least)
      .map(({ row, of, share, least }) => `${row} / ${of} is ${share}, below ${least}`),
    ...growthOf(tables).flatMap(({ workers, row, worse }) =>
      Object.entries(worse)
        .filter(([, times]) => times > MAX_WORSE)
        .map(
          ([figure, times]) =>
            `${row}, ${workers} workers: ${figure} is ${times} x worse with more events, above ${MAX_WORSE}`,
        ),
    ),
  ];
}

export const linesOf = (tables: readonly Table[]): string[] => [
  ...tables.flatMap(({ events, workers, rows }) => [
    `${events} stored events, ${workers} ${workers === 1 ? "worker" : "workers"}`,
    ...textTable(
      ["", "requests/s", "range", "p50 ms", "p99 ms", "CPU us", "database us", "statements"],
      rows.map((row) => [
        ...[row.title, row.requestsPerSecond, `${row.slowest}-${row.fastest}`, row.p50Ms, row.p99Ms],
        ...[row.processorMicros, row.databaseMicros, row.statements],
      ]),
    ),
    "",
  ]),
  ...sharesOf(tables).map(
    ({ events, workers, row, of, share, least }) =>
      `${row} / ${of}: ${share} (at least ${least}; ${events} events, ${workers} workers)`,
  ),
  ...growthOf(tables).map(
    ({ workers, row, worse: { rate, p50, p99 } }) =>
      `More events, ${workers} workers, ${row}: rate / ${rate}, p50 x ${p50}, p99 x ${p99} (at most ${MAX_WORSE})`,
  ),
];

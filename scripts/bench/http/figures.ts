/** What the rates of our rows are measured against, with one worker and few events. */
const SHARES = [
  { row: "reread", of: "next-select", least: 4 },
  { row: "reread", of: "node-select", least: 0.5 },
  { row: "delivery", of: "next-insert", least: 1.5 },
  { row: "submission", of: "next-insert", least: 1 },
];
/** How many times worse a figure may be with the most events than with the fewest. */
const MAX_WORSE = 1.5;

const rowOf = (table, name) => table?.rows.find((row) => row.name === name);

/**
 * @typedef {{ events: number, workers: number, rows: { name: string, title: string, requestsPerSecond: number,
 *   slowest: number, fastest: number, p50Ms: number, p99Ms: number, processorMicros?: number, statements?: number }[] }} Table
 */

/** Shares of the peers' rates, as far as both rows were measured. @param {Table[]} tables */
export function sharesOf(tables) {
  return tables.flatMap((table) =>
    SHARES.flatMap(({ row, of, least }) => {
      const [ours, peer] = [rowOf(table, row), rowOf(table, of)];
      if (!ours || !peer) return [];
      const share = Number((ours.requestsPerSecond / peer.requestsPerSecond).toFixed(2));
      return [{ events: table.events, workers: table.workers, row: ours.title, of: peer.title, share, least }];
    }),
  );
}

/** How many times worse each of our figures got with more events. @param {Table[]} tables */
export function growthOf(tables) {
  return [...new Set(tables.map(({ workers }) => workers))].flatMap((workers) => {
    const ofWorkers = tables.filter((table) => table.workers === workers).sort((a, b) => a.events - b.events);
    const [few, many] = [ofWorkers[0], ofWorkers.at(-1)];
    if (!few || !many || few === many) return [];
    return few.rows.flatMap((row) => {
      const grown = rowOf(many, row.name);
      if (!grown) return [];
      const worse = {
        rate: row.requestsPerSecond / grown.requestsPerSecond,
        p50: grown.p50Ms / row.p50Ms,
        p99: grown.p99Ms / row.p99Ms,
      };
      return [
        {
          workers,
          row: row.title,
          ...Object.fromEntries(Object.entries(worse).map(([k, v]) => [k, Number(v.toFixed(2))])),
        },
      ];
    });
  });
}

/** @param {Table[]} tables */
export function missesOf(tables) {
  const fewest = Math.min(...tables.map(({ events }) => events));
  const shares = sharesOf(tables).filter(({ events, workers }) => events === fewest && workers === 1);
  return [
    ...shares
      .filter(({ share, least }) => share < least)
      .map(({ row, of, share, least }) => `${row} / ${of} is ${share}, below ${least}`),
    ...growthOf(tables).flatMap(({ workers, row, ...worse }) =>
      Object.entries(worse)
        .filter(([, times]) => times > MAX_WORSE)
        .map(
          ([figure, times]) =>
            `${row}, ${workers} workers: ${figure} is ${times} x worse with more events, above ${MAX_WORSE}`,
        ),
    ),
  ];
}

const cell = (value, width) => String(value ?? "-").padStart(width);

/** @param {{ tables: Table[], misses: string[] }} result */
export function printResult({ tables, misses }) {
  for (const { events, workers, rows } of tables) {
    console.log(`\n${events} stored events, ${workers} ${workers === 1 ? "worker" : "workers"}`);
    console.log(
      `${"".padEnd(34)}${cell("requests/s", 11)}${cell("range", 14)}${cell("p50 ms", 9)}${cell("p99 ms", 9)}${cell("CPU us", 9)}${cell("statements", 12)}`,
    );
    for (const row of rows)
      console.log(
        `${row.title.padEnd(34)}${cell(row.requestsPerSecond, 11)}${cell(`${row.slowest}-${row.fastest}`, 14)}${cell(row.p50Ms, 9)}${cell(row.p99Ms, 9)}${cell(row.processorMicros, 9)}${cell(row.statements, 12)}`,
      );
  }
  console.log("");
  for (const { events, workers, row, of, share, least } of sharesOf(tables))
    console.log(`${row} / ${of}: ${share} (at least ${least}; ${events} events, ${workers} workers)`);
  for (const { workers, row, rate, p50, p99 } of growthOf(tables))
    console.log(
      `More events, ${workers} workers, ${row}: rate / ${rate}, p50 x ${p50}, p99 x ${p99} (at most ${MAX_WORSE})`,
    );
  for (const miss of misses) console.log(`MISSED  ${miss}`);
}

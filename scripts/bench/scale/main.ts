import { cpus } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

import { ensureBuilt } from "../../build/ensure.mjs";
import { CHECK_OPTION, type CleanUp, JSON_OPTION, progress, runCommand, SEED_OPTION } from "../../common/command";
import { useTestBuild } from "../../common/processes";
import { printOutcome, textTable } from "../../common/report";
import { makeDataDir, startService } from "../../common/service";
import { TEST_SECRETS } from "@/test/secrets";
import { chooseLoad } from "../http/load";
import { type Distribution, readDistribution } from "./distribution";
import { type Measured, measure, ROWS, type RowName } from "./measure";
import { openPlaces, SPREADS } from "./prepare";
import { databaseMicros } from "./processor-time";

/** How much more processor time a request may take on a cluster than on one server, service and database together. */
const MOST = { submission: 1.8, reread: 1.6 } as const;
/** So long that each connection has planned its statements, on a cluster for each shard. */
const WARM_UP_SECONDS = 6;

/** The database is idle when it takes less than this in each of some seconds. */
const IDLE_MICROS = 50_000;
const IDLE_SECONDS = 5;
const MAX_IDLE_WAIT_SECONDS = 120;

type Options = {
  visits: number;
  seconds: number;
  rate: number;
  rereadRate: number;
  workspaces: number;
  seed: number;
  rows: RowName[];
};
type Table = { database: number; processes: number; distribution: Distribution; rows: Measured[] };

/** What follows the visits, jobs and vacuum, is not what a request costs: waits until the database does little. */
async function waitUntilIdle(url: string): Promise<void> {
  progress("Waiting until the database is idle");
  const database = new URL(url).pathname.slice(1);
  for (let second = 0, idle = 0; second < MAX_IDLE_WAIT_SECONDS && idle < IDLE_SECONDS; second += 1) {
    const before = databaseMicros(database);
    await delay(1_000);
    idle = databaseMicros(database) - before < IDLE_MICROS ? idle + 1 : 0;
  }
}

/** All rows with one number of processes on one database. */
async function measureTable(
  url: string,
  processes: number,
  { visits, seconds, rate, rereadRate, workspaces, seed, rows }: Options,
): Promise<Omit<Table, "database">> {
  const cleanUp: CleanUp = [];
  try {
    const dataDir = makeDataDir(cleanUp);
    const { authSecret, keyPepper, keks } = TEST_SECRETS;
    // A database is measured with several numbers of processes, in one run and in others: its secrets stay the same.
    const secrets = { AUTH_SECRET: authSecret, KEY_PEPPER: keyPepper, KEKS: keks };
    const variables = { DATABASE_URL: url, WORKERS: String(processes), TRUSTED_PROXIES: "loopback", ...secrets };
    const service = await startService({ cleanUp, dataDir, variables });
    const places = await openPlaces({ url, workspaces, mostRate: Math.max(rate, rereadRate), seed });
    cleanUp.push(() => places.connection.close());
    progress(`Storing ${visits} visits`);
    await places.fill(service.address, visits);
    await waitUntilIdle(url);
    const method = { tool: chooseLoad(), seconds, rate, rereadRate };
    const measured: Measured[] = [];
    for (const row of rows) {
      await measure(places, service, row, "even", { ...method, seconds: WARM_UP_SECONDS });
      for (const spread of SPREADS) {
        progress(`${row}, ${spread}`);
        measured.push(await measure(places, service, row, spread, method));
      }
    }
    return { processes, distribution: await readDistribution(places.connection.pool), rows: measured };
  } finally {
    for (const step of cleanUp.reverse()) await step();
  }
}

const costOf = ({ serviceMicros, databaseMicros }: Measured) => serviceMicros + databaseMicros;

/** What a cluster takes compared to the first database, and requests that failed. */
function missesOf(tables: readonly Table[]): string[] {
  const failed = tables.flatMap(({ database, rows }) =>
    rows
      .filter(({ failed: count }) => count > 0)
      .map(({ row, failed: count }) => `database ${database}: ${row}, ${count} requests failed`),
  );
  const beyond = tables.flatMap(({ database, processes, distribution, rows }) => {
    const reference = tables.find((other) => !other.distribution.isCluster && other.processes === processes);
    if (!distribution.isCluster || !reference) return [];
    return rows.flatMap((measured) => {
      const most = measured.row === "delivery" ? undefined : MOST[measured.row];
      const other = reference.rows.find(({ row, spread }) => row === measured.row && spread === measured.spread);
      const ratio = other && costOf(measured) / costOf(other);
      if (most === undefined || ratio === undefined || ratio <= most) return [];
      return [
        `database ${database}: ${measured.row}, ${measured.spread}: ${ratio.toFixed(2)} times the processor time, above ${most}`,
      ];
    });
  });
  return [...failed, ...beyond];
}

const linesOf = (tables: readonly Table[]): string[] =>
  textTable(
    [
      "Request",
      "database",
      "servers",
      "skew",
      "processes",
      "spread",
      "a second",
      "p99 ms",
      "service µs",
      "database µs",
      "failed",
    ],
    tables.flatMap(({ database, processes, distribution, rows }) =>
      rows.map((each) => [
        each.row,
        database,
        distribution.servers,
        distribution.skew,
        processes,
        each.spread,
        each.requestsPerSecond,
        each.p99Ms,
        each.serviceMicros,
        each.databaseMicros,
        each.failed,
      ]),
    ),
  );

const isRow = (name: string): name is RowName => (ROWS as readonly string[]).includes(name);

await runCommand({
  name: "bench:scale",
  about:
    "Measures submissions, first deliveries and re-reads on databases that are given: with several processes of the service, on one server or a cluster, evenly over workspaces and with 80 % on one of them. Databases lie on this machine, or their processor time is not seen.",
  options: {
    database: {
      type: "string",
      multiple: true,
      value: "URL",
      about: "a database, which is migrated and filled; the first is what clusters are compared with",
    },
    processes: { type: "numbers", default: "1,2,4", about: "processes of the service" },
    visits: { type: "number", default: 10_000, about: "visits that are stored before" },
    workspaces: { type: "number", default: 8, about: "workspaces that they belong to" },
    seconds: { type: "number", default: 5, about: "of each measurement" },
    rate: { type: "number", default: 1500, about: "most submissions and deliveries a second that are prepared for" },
    "reread-rate": { type: "number", default: 12_000, about: "most re-reads a second that keys are made for" },
    only: { type: "string", multiple: true, value: "ROW", about: `one row, may be given again: ${ROWS.join(", ")}` },
    seed: SEED_OPTION,
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values) {
    useTestBuild();
    const urls = values.database ?? [];
    if (urls.length === 0) throw new Error("--database URL: which database? It may be given several times.");
    const named = values.only ?? [...ROWS];
    const unknown = named.find((name) => !isRow(name));
    if (unknown !== undefined) throw new Error(`--only ${unknown}: there is no such row. One of ${ROWS.join(", ")}.`);
    await ensureBuilt(["component", "documents", "bundles", "pages"], { say: progress });
    const options: Options = {
      visits: values.visits,
      seconds: values.seconds,
      rate: values.rate,
      rereadRate: values["reread-rate"],
      workspaces: values.workspaces,
      seed: values.seed,
      rows: named.filter(isRow),
    };
    const tables: Table[] = [];
    for (const processes of values.processes)
      for (const [index, url] of urls.entries()) {
        progress(`Database ${index + 1}, ${processes} processes`);
        tables.push({ database: index + 1, ...(await measureTable(url, processes, options)) });
      }
    return printOutcome(values, {
      result: { ...options, node: process.version, processors: cpus().length, tables },
      misses: missesOf(tables),
      lines: () => linesOf(tables),
    });
  },
});

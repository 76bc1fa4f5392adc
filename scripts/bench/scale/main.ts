import { cpus } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

import { ensureBuilt } from "../../build/ensure.mjs";
import {
  CHECK_OPTION,
  type CleanUp,
  JSON_OPTION,
  progress,
  runCommand,
  SEED_OPTION,
  withCleanUp,
} from "../../common/command";
import { useTestBuild } from "../../common/processes";
import { printOutcome, textTable } from "../../common/report";
import { makeDataDir, startService } from "../../common/service";
import { TEST_SECRETS } from "@/test/secrets";
import { chooseLoad } from "../http/load";
import { type Distribution, readDistribution } from "./distribution";
import { type Measured, measure, ROWS, type RowName } from "./measure";
import { openPlaces, SPREADS } from "./prepare";
import { databaseMicros } from "./processor-time";

/** Maximum CPU time per request on a cluster relative to a single server, service and database together. */
const MOST = { submission: 1.8, reread: 1.6 } as const;
/** Long enough for each connection to plan its statements, on a cluster once per shard. */
const WARM_UP_SECONDS = 6;

/** The database counts as idle when it uses less CPU time than this in each of several seconds. */
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

/**
 * Waits until the database does little, since the jobs and vacuum that follow visits are not part of the cost of a
 * request.
 */
async function waitUntilIdle(url: string): Promise<void> {
  progress("Waiting until the database is idle");
  const database = new URL(url).pathname.slice(1);
  for (let second = 0, idle = 0; second < MAX_IDLE_WAIT_SECONDS && idle < IDLE_SECONDS; second += 1) {
    const before = databaseMicros(database);
    await delay(1_000);
    idle = databaseMicros(database) - before < IDLE_MICROS ? idle + 1 : 0;
  }
}

/** Measures all rows with one number of processes on one database. */
async function measureTable(
  url: string,
  processes: number,
  { visits, seconds, rate, rereadRate, workspaces, seed, rows }: Options,
  cleanUp: CleanUp,
): Promise<Omit<Table, "database">> {
  const dataDir = makeDataDir(cleanUp);
  const { authSecret, keyPepper, keks } = TEST_SECRETS;
  // A database is measured with several numbers of processes, also across runs, so its secrets must stay the same.
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
}

const costOf = ({ serviceMicros, databaseMicros }: Measured) => serviceMicros + databaseMicros;

/** Excess costs of clusters relative to the first database, and failed requests. */
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
        `database ${database}: ${measured.row}, ${measured.spread}: ${ratio.toFixed(2)} times the CPU time, above ${most}`,
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
    "Measures submissions, first deliveries and re-reads on given databases, single servers or clusters, with several numbers of service processes, spread evenly over workspaces and with 80 % in one of them. CPU time of the database is measured only if it runs on this machine.",
  options: {
    database: {
      type: "string",
      multiple: true,
      value: "URL",
      about: "a database, which is migrated and filled; clusters are compared with the first one",
    },
    processes: { type: "numbers", default: "1,2,4", about: "numbers of service processes" },
    visits: { type: "number", default: 10_000, about: "visits stored beforehand" },
    workspaces: { type: "number", default: 8, about: "number of workspaces they are spread over" },
    seconds: { type: "number", default: 5, about: "duration of each measurement" },
    rate: { type: "number", default: 1500, about: "maximum submissions and deliveries per second to prepare for" },
    "reread-rate": { type: "number", default: 12_000, about: "maximum re-reads per second to create keys for" },
    only: { type: "string", multiple: true, value: "ROW", about: `one row, can be repeated: ${ROWS.join(", ")}` },
    seed: SEED_OPTION,
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    useTestBuild();
    const urls = values.database ?? [];
    if (urls.length === 0) throw new Error("--database URL is required; it can be repeated.");
    const named = values.only ?? [...ROWS];
    const unknown = named.find((name) => !isRow(name));
    if (unknown !== undefined) throw new Error(`--only ${unknown}: expected one of ${ROWS.join(", ")}.`);
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
        tables.push({
          database: index + 1,
          ...(await withCleanUp(cleanUp, (own) => measureTable(url, processes, options, own))),
        });
      }
    return printOutcome(values, {
      result: { ...options, node: process.version, processors: cpus().length, tables },
      misses: missesOf(tables),
      lines: () => linesOf(tables),
    });
  },
});

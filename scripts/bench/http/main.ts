import { cpus } from "node:os";

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
import { printOutcome } from "../../common/report";
import { makeDataDir, type Service, startService } from "../../common/service";
import { linesOf, missesOf, type Table } from "./figures";
import { chooseLoad, CONNECTIONS, isTool } from "./load";
import { buildPeers, type Peers, startPeers } from "./peers";
import { openPreparation } from "./prepare";
import { countStatements, type Method, measureRows, type Row } from "./rows";

type Preparation = Awaited<ReturnType<typeof openPreparation>>;

const startMeasuredService = (dataDir: string, workers: number, cleanUp: CleanUp) =>
  startService({ cleanUp, dataDir, variables: { WORKERS: String(workers), TRUSTED_PROXIES: "loopback" } });

/** The measured rows, peers and ours, each with its requests. */
function rowsOf({ node, next }: Peers, { pid, address }: Service, { requests }: Preparation): Row[] {
  const own = { pid, address };
  return [
    { ...node, name: "node-select", title: "node:http, one select", requests: requests.select },
    { ...next, name: "next-select", title: "Bare Next route, one select", requests: requests.select },
    { ...next, name: "next-insert", title: "Bare Next route, one insert", requests: () => requests.insert(1_000) },
    { ...own, name: "reread", title: "Report read again", requests: requests.reread },
    { ...own, name: "delivery", title: "Report read first", isSentOnce: true, requests: requests.delivery },
    { ...own, name: "account-map", title: "Report with Account Map", requests: requests.accountMap },
    { ...own, name: "challenge", title: "Challenge", requests: requests.challenge },
    { ...own, name: "submission", title: "Submission", isSentOnce: true, requests: requests.submission },
  ];
}

function chooseRows(rows: Row[], only: readonly string[] = rows.map(({ name }) => name)): Row[] {
  const unknown = only.find((name) => !rows.some((row) => row.name === name));
  if (unknown === undefined) return rows.filter(({ name }) => only.includes(name));
  throw new Error(`--only ${unknown}: expected one of ${rows.map(({ name }) => name).join(", ")}.`);
}

type Place = { dataDir: string; preparation: Preparation; method: Method; only: string[] | undefined };

/**
 * Measures all rows with one number of workers. The peers are started together with the service, because they share the
 * machine.
 */
async function measureTable(
  { dataDir, preparation, method, only }: Place,
  { workers, isCounted }: { workers: number; isCounted: boolean },
  cleanUp: CleanUp,
) {
  const service = await startMeasuredService(dataDir, workers, cleanUp);
  const peers = await startPeers({ ...preparation, sample: preparation.sample() }, cleanUp);
  const rows = chooseRows(rowsOf(peers, service, preparation), only);
  const measured = await measureRows(rows, method);
  if (!isCounted) return measured;
  const statements = await countStatements(rows, method, preparation.countTransactions);
  return measured.map((row) => ({ ...row, statements: statements[row.name] }));
}

/** Runs `work` while the service runs with one worker. */
const besideService = <T>(dataDir: string, outer: CleanUp, work: (service: Service) => Promise<T>): Promise<T> =>
  withCleanUp(outer, async (cleanUp) => work(await startMeasuredService(dataDir, 1, cleanUp)));

type Sizes = { events: number[]; workers: number[]; seed: number; only: string[] | undefined };

async function compare({ events, workers, seed, only }: Sizes, method: Method, cleanUp: CleanUp): Promise<Table[]> {
  progress("Building the service and the bare Next routes");
  const dataDir = makeDataDir(cleanUp);
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: progress });
  await buildPeers();
  const preparation = await besideService(dataDir, cleanUp, () => openPreparation({ dataDir, seed, say: progress }));
  cleanUp.push(() => preparation.close());
  const tables: Table[] = [];
  for (const count of events) {
    // The workspace is filled through the service's own database; its first visit goes through the API.
    await besideService(dataDir, cleanUp, ({ address }) => preparation.grow(address, count));
    for (const number of workers) {
      progress(`${count} events, ${number} workers`);
      const rows = await withCleanUp(cleanUp, (own) =>
        measureTable({ dataDir, preparation, method, only }, { workers: number, isCounted: tables.length === 0 }, own),
      );
      tables.push({ events: count, workers: number, rows });
    }
  }
  return tables;
}

const ascending = (numbers: number[]) => numbers.sort((a, b) => a - b);

await runCommand({
  name: "bench:http",
  about:
    "Compares the service's request handling with minimal servers that do one select or one insert on the same database.",
  options: {
    events: {
      type: "numbers",
      default: "10000,5000000",
      about: "numbers of stored events, ascending; all rows are measured with each",
    },
    workers: {
      type: "numbers",
      default: "1,2",
      about: "numbers of service processes; all rows are measured with each",
    },
    rounds: { type: "number", default: 3, about: "measurements per row; the median is reported" },
    seconds: { type: "number", default: 3, about: "duration of each measurement" },
    only: {
      type: "string",
      multiple: true,
      value: "ROW",
      about:
        "one row, can be repeated: next-select, next-insert, node-select, reread, delivery, account-map, challenge, submission",
    },
    load: {
      type: "string",
      value: "TOOL",
      about: "load generator: wrk (default if installed) or node (included in this repository)",
    },
    seed: SEED_OPTION,
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    useTestBuild();
    const tool = values.load ?? chooseLoad();
    if (!isTool(tool)) throw new Error("--load must be wrk or node.");
    const { seconds, rounds, seed, only } = values;
    const sizes = {
      events: ascending(values.events),
      workers: ascending(values.workers),
      seed,
      only,
    };
    const tables = await compare(sizes, { tool, seconds, rounds }, cleanUp);
    const about = { load: tool, connections: CONNECTIONS, rounds, seconds, seed };
    return printOutcome(values, {
      result: { ...about, node: process.version, processors: cpus().length, tables },
      misses: missesOf(tables),
      lines: () => linesOf(tables),
    });
  },
});

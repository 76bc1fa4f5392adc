/**
 * Compares what the service does for a request with the least that a server can do for one select or one insert, on
 * the same database.
 *
 *   npm run bench:http -- [--events 10000,5000000] [--workers 1,2] [--rounds 3] [--seconds 3] [--only ROW]
 *                         [--load wrk|node] [--seed 1] [--json] [--check] [--help]
 *
 * `--json` prints one JSON object on stdout; `--check` exits 1 when a figure is missed.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

process.env.IMPRINT_BUILD_DIR ||= ".test";
process.env.NODE_ENV = "production";

const { loadBundle, progress, wholeNumber } = await import("./bench-database/bundle.mjs");
const { missesOf, printResult } = await import("./bench-http/figures.mjs");
const { chooseLoad, CONNECTIONS } = await import("./bench-http/load.mjs");
const { buildPeers, startPeers } = await import("./bench-http/peers.mjs");
const { countStatements, measureRows } = await import("./bench-http/rows.mjs");
const { startMeasuredService } = await import("./bench-http/service.mjs");

const { values: options } = parseArgs({
  options: {
    events: { type: "string", default: "10000,5000000" },
    workers: { type: "string", default: "1,2" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
    only: { type: "string", multiple: true },
    load: { type: "string" },
    json: { type: "boolean" },
    check: { type: "boolean" },
    help: { type: "boolean" },
  },
});

if (options.help) {
  console.log(
    "npm run bench:http -- [--events 10000,5000000] [--workers 1,2] [--rounds 3] [--seconds 3] [--only ROW]\n" +
      "                      [--load wrk|node] [--seed 1] [--json] [--check]\n\n" +
      "  --events N,…   stored events: all rows are measured with each number, from few to many\n" +
      "  --workers N,…  processes of the service: all rows are measured with each number\n" +
      "  --only ROW     one row, may be given again: next-select, next-insert, node-select, reread, delivery,\n" +
      "                 account-map, challenge, submission\n" +
      "  --load TOOL    what makes the load: wrk where it is installed, else a program of this repository",
  );
  process.exit(0);
}

const numbers = (name) =>
  options[name]
    .split(",")
    .map((text) => wholeNumber(name, text))
    .sort((a, b) => a - b);

/** What is measured: peers and ours, each with the requests that it gets. */
function rowsOf({ peers, service, preparation }) {
  const { requests } = preparation;
  const rows = [
    { ...peers.node, name: "node-select", title: "node:http, one select", requests: requests.select },
    { ...peers.next, name: "next-select", title: "Bare Next route, one select", requests: requests.select },
    {
      ...peers.next,
      name: "next-insert",
      title: "Bare Next route, one insert",
      requests: () => requests.insert(1_000),
    },
    { ...service, name: "reread", title: "Report read again", requests: requests.reread },
    { ...service, name: "delivery", title: "Report read first", isSentOnce: true, requests: requests.delivery },
    { ...service, name: "account-map", title: "Report with Account Map", requests: requests.accountMap },
    { ...service, name: "challenge", title: "Challenge", requests: requests.challenge },
    { ...service, name: "submission", title: "Submission", isSentOnce: true, requests: requests.submission },
  ];
  const only = options.only ?? rows.map(({ name }) => name);
  const unknown = only.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) throw new Error(`--only ${unknown}: there is no such row.`);
  return rows.filter(({ name }) => only.includes(name));
}

/** All rows with one number of workers. The peers are started with it: they and the service share what there is. */
async function measureTable({ dataDir, workers, preparation, way, isCounted }) {
  const service = await startMeasuredService({ dataDir, workers });
  const undo = [() => service.stop()];
  try {
    const peers = await startPeers({ ...preparation, sample: preparation.sample() }, undo);
    const rows = rowsOf({ peers, service, preparation });
    const measured = await measureRows(rows, way);
    if (!isCounted) return measured;
    const statements = await countStatements(rows, { ...way, count: preparation.countTransactions });
    return measured.map((row) => ({ ...row, statements: statements[row.name] }));
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** The workspace grows through the service's own database; its first visit goes through the API. */
async function grow({ dataDir, preparation, events }) {
  const service = await startMeasuredService({ dataDir, workers: 1 });
  try {
    await preparation.grow(service.address, events);
  } finally {
    await service.stop();
  }
}

async function compare(undo) {
  const way = {
    tool: options.load ?? chooseLoad(),
    seconds: wholeNumber("seconds", options.seconds),
    rounds: wholeNumber("rounds", options.rounds),
    progress,
  };
  progress("Building the service and the bare Next routes");
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "imprint-bench-"));
  fs.chmodSync(dataDir, 0o711);
  undo.push(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const { ensureBuilt } = await import("./build/ensure.mjs");
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: progress });
  await buildPeers();
  const first = await startMeasuredService({ dataDir, workers: 1 });
  const { openPreparation } = await loadBundle("bench-http/prepare.ts");
  const preparation = await openPreparation({
    dataDir,
    seed: wholeNumber("seed", options.seed),
    say: progress,
  }).finally(() => first.stop());
  undo.push(() => preparation.close());
  const tables = [];
  for (const events of numbers("events")) {
    await grow({ dataDir, preparation, events });
    for (const workers of numbers("workers")) {
      progress(`${events} events, ${workers} workers`);
      const isCounted = tables.length === 0;
      tables.push({ events, workers, rows: await measureTable({ dataDir, workers, preparation, way, isCounted }) });
    }
  }
  return {
    load: way.tool,
    connections: CONNECTIONS,
    rounds: way.rounds,
    seconds: way.seconds,
    seed: Number(options.seed),
    node: process.version,
    processors: os.cpus().length,
    tables,
    misses: missesOf(tables),
  };
}

/** What has to be undone, the last first. @type {(() => unknown)[]} */
const undo = [];
async function cleanUp() {
  for (const step of undo.splice(0).reverse()) await step();
}
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void cleanUp().then(() => process.exit(130)));

try {
  const result = await compare(undo);
  if (options.json) console.log(JSON.stringify(result));
  else printResult(result);
  if (options.check && result.misses.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await cleanUp();
}

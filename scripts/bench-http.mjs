/**
 * Compares re-reading a Report with the least that a server can do for one select, on the same database.
 *
 *   npm run bench:http -- [--rounds 5] [--seconds 4] [--reports 1000] [--keys 100] [--load wrk|node] [--json] [--check]
 *
 * `--json` prints one JSON object on stdout; `--check` exits 1 when a figure is missed.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

process.env.IMPRINT_BUILD_DIR ||= ".test";

const { chooseLoad, CONNECTIONS, putLoad } = await import("./bench-http/load.mjs");
const { buildPeers, startPeers } = await import("./bench-http/peers.mjs");
const { processorMicros } = await import("./bench-http/processor-time.mjs");
const { requestsAt, startMeasuredService } = await import("./bench-http/service.mjs");

/** Least rate of the re-read as a share of each peer's. */
const FIGURES = { next: 4, node: 0.5 };
const WARM_UP_SECONDS = 3;

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    reports: { type: "string", default: "1000" },
    keys: { type: "string", default: "100" },
    load: { type: "string" },
    json: { type: "boolean" },
    check: { type: "boolean" },
  },
});

function wholeNumber(name) {
  const value = Number(options[name]);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a whole number above 0.`);
}

const rounds = wholeNumber("rounds");
const seconds = wholeNumber("seconds");
const load = options.load ?? chooseLoad();
const progress = (text) => process.stderr.write(process.stderr.isTTY ? `\r${text.padEnd(70)}` : `${text}\n`);

const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** One measurement of one row. A single answer other than 200 makes the comparison worthless. */
async function measure(row, forSeconds) {
  const before = processorMicros(row.pid);
  const { requests, failed, seconds: took } = await putLoad(load, { ...row, seconds: forSeconds });
  const after = processorMicros(row.pid);
  if (failed > 0) throw new Error(`${row.title}: ${failed} of ${requests} answers were not 200.`);
  return {
    requestsPerSecond: requests / took,
    processorMicros: before === undefined || after === undefined ? undefined : (after - before) / requests,
  };
}

/** Every row once a round, in an order that moves on by one, so that none always comes after the same other. */
async function measureAll(rows) {
  for (const row of rows) {
    progress(`Warming up: ${row.title}`);
    const { requestsPerSecond } = await measure(row, WARM_UP_SECONDS);
    row.settle?.(requestsPerSecond);
    await measure(row, WARM_UP_SECONDS);
  }
  const results = new Map(rows.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < rows.length; turn += 1) {
      const row = rows[(round + turn) % rows.length];
      progress(`Round ${round + 1} of ${rounds}: ${row.title}`);
      const result = await measure(row, seconds);
      row.settle?.(result.requestsPerSecond);
      results.get(row.name).push(result);
    }
  }
  return rows.map(({ name, title }) => {
    const measured = results.get(name);
    const micros = measured.map(({ processorMicros: value }) => value);
    const rates = measured.map(({ requestsPerSecond }) => requestsPerSecond);
    return {
      name,
      title,
      requestsPerSecond: Math.round(median(rates)),
      slowest: Math.round(Math.min(...rates)),
      fastest: Math.round(Math.max(...rates)),
      processorMicros: micros.includes(undefined) ? undefined : Math.round(median(micros)),
    };
  });
}

function print({ rows, ratios, misses }) {
  console.log(`\n${"".padEnd(34)}${"requests/s".padStart(11)}${"range".padStart(16)}${"CPU us each".padStart(13)}`);
  for (const { title, requestsPerSecond, slowest, fastest, processorMicros: micros } of rows)
    console.log(
      `${title.padEnd(34)}${String(requestsPerSecond).padStart(11)}${`${slowest}-${fastest}`.padStart(16)}${String(micros ?? "-").padStart(13)}`,
    );
  console.log(`\nRe-read / bare Next route  ${ratios.next.toFixed(2)}   (at least ${FIGURES.next})`);
  console.log(`Re-read / node:http        ${ratios.node.toFixed(2)}   (at least ${FIGURES.node})`);
  console.log(
    `Load by ${load}, ${CONNECTIONS} connections, median of ${rounds} rounds of ${seconds} s, order rotated.`,
  );
  for (const miss of misses) console.log(`MISSED  ${miss}`);
}

async function compare(undo) {
  progress("Building the service and the bare Next route");
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "imprint-bench-"));
  fs.chmodSync(dataDir, 0o711);
  undo.push(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const service = await startMeasuredService({
    dataDir,
    keys: wholeNumber("keys"),
    reports: wholeNumber("reports"),
    progress,
  });
  undo.push(() => service.stop());
  await buildPeers();
  const peers = await startPeers({ ...service, sample: service.imprints[0] }, undo);
  const ofPeer = service.imprints.map((imprint) => [`/report/${imprint}`, "none"]);
  let fastest = 0;
  const rows = await measureAll([
    { ...peers.next, name: "next", title: "Bare Next route, one select", requests: ofPeer },
    { ...peers.node, name: "node", title: "node:http, one select", requests: ofPeer },
    {
      ...service,
      name: "reread",
      title: "Imprint, Report read again",
      requests: requestsAt(service, Number.POSITIVE_INFINITY),
      settle(rate) {
        fastest = Math.max(fastest, rate);
        this.requests = requestsAt(service, fastest);
      },
    },
  ]);
  const rateOf = (name) => rows.find((row) => row.name === name).requestsPerSecond;
  const ratios = { next: rateOf("reread") / rateOf("next"), node: rateOf("reread") / rateOf("node") };
  const misses = Object.keys(FIGURES)
    .filter((name) => ratios[name] < FIGURES[name])
    .map((name) => `re-read / ${name} is ${ratios[name].toFixed(2)}, below ${FIGURES[name]}`);
  return {
    load,
    connections: CONNECTIONS,
    rounds,
    seconds,
    node: process.version,
    processors: os.cpus().length,
    rows,
    ratios,
    misses,
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
  else print(result);
  if (options.check && result.misses.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await cleanUp();
}

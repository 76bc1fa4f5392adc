/**
 * Measures how soon a service is ready on existing data, and what memory its processes hold under steady load.
 *
 *   npm run bench:memory -- [--minutes 10] [--workers 1] [--visits 10] [--only with] [--json] [--check]
 *                           [--help]
 *
 * `--json` prints one JSON object on stdout; `--check` exits 1 when a figure is missed.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { progress, wholeNumber } from "./bench-database/bundle.mjs";

process.env.IMPRINT_BUILD_DIR ||= ".test";
process.env.NODE_ENV = "production";

const { ensureBuilt } = await import("./build/ensure.mjs");
const { residentMegabytes, slope } = await import("./bench-memory/processes.mjs");
const { createSite, putSteadyLoad, startService } = await import("./bench-memory/service.mjs");

/** Most of each, in the worst process. */
const FIGURES = { readyMs: 3_000, megabytesPerMinute: 1, megabytes: { without: 400, with: 600 } };
const SAMPLE_MS = 10_000;
const STARTS = 3;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    workers: { type: "string", default: "1" },
    visits: { type: "string", default: "10" },
    only: { type: "string" },
    json: { type: "boolean" },
    check: { type: "boolean" },
    help: { type: "boolean" },
  },
});

if (values.help) {
  console.log(
    "npm run bench:memory -- [--minutes 10] [--workers 1] [--visits 10] [--only with] [--json] [--check]\n\n" +
      "  --minutes N  load for so long, without and then with the network data\n" +
      "  --workers N  processes that answer, see WORKERS\n" +
      "  --visits N   visits a second, each with nine requests\n" +
      "  --only NAME  with or without the network data alone",
  );
  process.exit(0);
}

const minutes = wholeNumber("minutes", values.minutes);
const workers = wholeNumber("workers", values.workers);
const visitsPerSecond = wholeNumber("visits", values.visits);

const NAMES = ["without", "with"];
const names = values.only === undefined ? NAMES : NAMES.filter((name) => name === values.only);
if (names.length === 0) {
  console.error(`--only ${values.only}: with or without.`);
  process.exit(1);
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** Several starts on data that exists; the last service runs on. */
async function startOften(environment) {
  const took = [];
  for (;;) {
    const service = await startService(environment);
    took.push(service.readyMs);
    if (took.length === STARTS) return { service, readyMs: Math.round(median(took)) };
    await service.stop();
  }
}

async function underLoad(service, site, name) {
  const samples = [];
  const startedAt = performance.now();
  const take = () => {
    const minute = (performance.now() - startedAt) / 60_000;
    for (const [id, megabytes] of residentMegabytes(service.pid)) samples.push({ id, minute, megabytes });
    progress(`${name} network data: ${minute.toFixed(1)} of ${minutes} minutes`);
  };
  const timer = setInterval(take, SAMPLE_MS);
  try {
    const load = await putSteadyLoad({ ...service, ...site }, { visitsPerSecond, forMs: minutes * 60_000 });
    take();
    return { samples, load };
  } finally {
    clearInterval(timer);
  }
}

/** Each process by what it held at the end, at most, and how that grew in the second half. */
function summarise(samples, mainId) {
  return [...new Set(samples.map(({ id }) => id))].map((id) => {
    const own = samples.filter((sample) => sample.id === id);
    return {
      process: id === mainId ? "main" : "worker",
      endMegabytes: Math.round(own.at(-1).megabytes),
      mostMegabytes: Math.round(Math.max(...own.map(({ megabytes }) => megabytes))),
      megabytesPerMinute: Number(slope(own.filter(({ minute }) => minute >= minutes / 2)).toFixed(2)),
    };
  });
}

async function measure(name, dataDir, undo) {
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    WORKERS: String(workers),
    IP_PACKAGES: String(name === "with"),
  };
  progress(`${name} network data: starting`);
  const { service, readyMs } = await startOften(environment);
  undo.push(() => service.stop());
  const { samples, load } = await underLoad(service, await createSite(service.env), name);
  await service.stop();
  const processes = summarise(samples, service.pid);
  if (load.failed > 0) throw new Error(`${load.failed} of ${load.requests} answers were not the expected ones.`);
  return { networkData: name, readyMs, requests: load.requests, processes };
}

function missesOf({ networkData, readyMs, processes }) {
  const most = FIGURES.megabytes[networkData];
  return [
    ...(readyMs < FIGURES.readyMs ? [] : [`ready after ${readyMs} ms, not under ${FIGURES.readyMs}`]),
    ...processes.flatMap(({ process: kind, mostMegabytes, megabytesPerMinute }) => [
      ...(mostMegabytes < most ? [] : [`a ${kind} held ${mostMegabytes} MB, not under ${most}`]),
      ...(megabytesPerMinute < FIGURES.megabytesPerMinute ? [] : [`a ${kind} grew by ${megabytesPerMinute} MB/min`]),
    ]),
  ].map((miss) => `${networkData} network data: ${miss}`);
}

function print({ rows, misses }) {
  console.log(
    `\n${"network data".padEnd(14)}${"ready ms".padStart(9)}  ${"process".padEnd(8)}${"end MB".padStart(8)}${"most MB".padStart(9)}${"MB/min".padStart(8)}`,
  );
  for (const { networkData, readyMs, processes } of rows)
    for (const row of processes)
      console.log(
        `${networkData.padEnd(14)}${String(readyMs).padStart(9)}  ${row.process.padEnd(8)}${String(row.endMegabytes).padStart(8)}${String(row.mostMegabytes).padStart(9)}${String(row.megabytesPerMinute).padStart(8)}`,
      );
  console.log(`WORKERS=${workers}, ${visitsPerSecond} visits a second for ${minutes} minutes, sampled every 10 s.`);
  for (const miss of misses) console.log(`MISSED  ${miss}`);
}

/** What has to be undone, the last first. @type {(() => unknown)[]} */
const undo = [];
async function cleanUp() {
  for (const step of undo.splice(0).reverse()) await step();
}
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void cleanUp().then(() => process.exit(130)));

try {
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: progress });
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "imprint-bench-"));
  fs.chmodSync(dataDir, 0o711);
  undo.push(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  await (await startService({ DATA_DIR: dataDir, DATABASE_URL: "" })).stop();
  const rows = [];
  for (const name of names) rows.push(await measure(name, dataDir, undo));
  const misses = rows.flatMap(missesOf);
  const result = { node: process.version, minutes, workers, visitsPerSecond, rows, misses };
  if (values.json) console.log(JSON.stringify(result));
  else print(result);
  if (values.check && misses.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await cleanUp();
}

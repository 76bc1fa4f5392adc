import { ensureBuilt } from "../../build/ensure.mjs";
import { CHECK_OPTION, type CleanUp, JSON_OPTION, progress, runCommand } from "../../common/command";
import { type Environment, useTestBuild } from "../../common/processes";
import { median, printOutcome, textTable } from "../../common/report";
import { makeDataDir, type Service, startService } from "../../common/service";
import { openPages } from "./console-load";
import { residentMegabytes, slope } from "./processes";
import { createSite, putSteadyLoad, type Site } from "./steady-load";

/** Limits for the worst process. */
const FIGURES = { readyMs: 3_000, megabytesPerMinute: 1, megabytes: { without: 400, with: 600 } };
const SAMPLE_MS = 10_000;
const STARTS = 3;

type Name = keyof typeof FIGURES.megabytes;
type Load = { minutes: number; workers: number; visitsPerSecond: number; pagesPerSecond: number };
type Sample = { id: number; minute: number; megabytes: number };

const start = (dataDir: string, variables: Environment) =>
  startService({ dataDir, variables: { TRUSTED_PROXIES: "loopback", ...variables } });

/** Starts the service several times on existing data; the last one keeps running. */
async function startOften(dataDir: string, variables: Environment) {
  const took: number[] = [];
  for (;;) {
    const service = await start(dataDir, variables);
    took.push(service.readyMs);
    if (took.length === STARTS) return { service, readyMs: Math.round(median(took)) };
    await service.stop();
  }
}

async function underLoad(service: Service, site: Site, name: Name, given: Load) {
  const { minutes, visitsPerSecond, pagesPerSecond } = given;
  const forMs = minutes * 60_000;
  const samples: Sample[] = [];
  const startedAt = performance.now();
  const take = () => {
    const minute = (performance.now() - startedAt) / 60_000;
    for (const [id, megabytes] of residentMegabytes(service.pid)) samples.push({ id, minute, megabytes });
    progress(`${name} network data: ${minute.toFixed(1)} of ${minutes} minutes`);
  };
  const timer = setInterval(take, SAMPLE_MS);
  try {
    const [visits, pages] = await Promise.all([
      putSteadyLoad(service.address, site, { visitsPerSecond, forMs }),
      pagesPerSecond > 0 ? openPages({ ...service, ...site }, { pagesPerSecond, forMs }) : { requests: 0, failed: 0 },
    ]);
    take();
    const load = { requests: visits.requests + pages.requests, failed: visits.failed + pages.failed };
    return { samples, load };
  } finally {
    clearInterval(timer);
  }
}

/** Peak and final memory of each process, and its growth in the second half. */
const summarise = (samples: readonly Sample[], mainId: number, minutes: number) =>
  [...new Set(samples.map(({ id }) => id))].map((id) => {
    const own = samples.filter((sample) => sample.id === id);
    return {
      process: id === mainId ? "main" : "worker",
      endMegabytes: Math.round(own.at(-1)?.megabytes ?? Number.NaN),
      mostMegabytes: Math.round(Math.max(...own.map(({ megabytes }) => megabytes))),
      megabytesPerMinute: Number(slope(own.filter(({ minute }) => minute >= minutes / 2)).toFixed(2)),
    };
  });

const limitedTo = (heapMegabytes: number) =>
  heapMegabytes > 0 ? { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}` } : {};

async function measure(name: Name, dataDir: string, load: Load & { heap: number }, cleanUp: CleanUp) {
  const variables = { WORKERS: String(load.workers), IP_PACKAGES: String(name === "with"), ...limitedTo(load.heap) };
  progress(`${name} network data: starting`);
  const { service, readyMs } = await startOften(dataDir, variables);
  cleanUp.push(() => service.stop());
  const { samples, load: counts } = await underLoad(service, await createSite(service.env), name, load);
  await service.stop();
  if (counts.failed > 0) throw new Error(`${counts.failed} of ${counts.requests} answers were unexpected.`);
  const processes = summarise(samples, service.pid, load.minutes);
  return { networkData: name, readyMs, requests: counts.requests, processes };
}
type Row = Awaited<ReturnType<typeof measure>>;

function missesOf({ networkData, readyMs, processes }: Row): string[] {
  const most = FIGURES.megabytes[networkData];
  return [
    ...(readyMs < FIGURES.readyMs ? [] : [`ready after ${readyMs} ms, not under ${FIGURES.readyMs}`]),
    ...processes.flatMap(({ process: kind, mostMegabytes, megabytesPerMinute }) => [
      ...(mostMegabytes < most ? [] : [`a ${kind} used ${mostMegabytes} MB, not under ${most}`]),
      ...(megabytesPerMinute < FIGURES.megabytesPerMinute ? [] : [`a ${kind} grew by ${megabytesPerMinute} MB/min`]),
    ]),
  ].map((miss) => `${networkData} network data: ${miss}`);
}

const tableOf = (rows: readonly Row[]) =>
  textTable(
    ["network data", "ready ms", "process", "end MB", "most MB", "MB/min"],
    rows.flatMap(({ networkData, readyMs, processes }) =>
      processes.map((row) => [
        ...[networkData, readyMs, row.process],
        ...[row.endMegabytes, row.mostMegabytes, row.megabytesPerMinute],
      ]),
    ),
  );

function namesOf(only: string | undefined): Name[] {
  const names = (["without", "with"] as const).filter((name) => only === undefined || name === only);
  if (names.length > 0) return names;
  throw new Error("--only must be with or without.");
}

await runCommand({
  name: "bench:memory",
  about:
    "Measures how soon a service is ready on existing data, and how much memory its processes use under steady load.",
  options: {
    minutes: {
      type: "number",
      default: 10,
      about: "duration of the load, first without and then with the network data",
    },
    workers: { type: "number", default: 1, about: "worker processes, see WORKERS" },
    visits: { type: "number", default: 10, about: "visits per second, with nine requests each" },
    pages: { type: "number", default: 0, about: "pages of the Console per second, opened one after another" },
    heap: { type: "number", default: 0, about: "limit of each process's old generation in MB; 0 is Node's own" },
    only: { type: "string", value: "NAME", about: "measure only with or only without the network data" },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    useTestBuild();
    const { minutes, workers, visits: visitsPerSecond, pages: pagesPerSecond, heap } = values;
    const load = { minutes, workers, visitsPerSecond, pagesPerSecond, heap };
    const names = namesOf(values.only);
    await ensureBuilt(["component", "documents", "bundles", "pages"], { say: progress });
    const dataDir = makeDataDir(cleanUp);
    await (await start(dataDir, {})).stop();
    const rows: Row[] = [];
    for (const name of names) rows.push(await measure(name, dataDir, load, cleanUp));
    return printOutcome(values, {
      result: { node: process.version, ...load, rows },
      misses: rows.flatMap(missesOf),
      lines: () => [
        ...tableOf(rows),
        `WORKERS=${workers}, ${visitsPerSecond} visits and ${pagesPerSecond} pages per second for ${minutes} minutes, sampled every 10 s.`,
      ],
    });
  },
});

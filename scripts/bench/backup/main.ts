import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";

import { connect } from "@/db/client";
import { ensureBuilt } from "../../build/ensure.mjs";
import { buildLayout, ROOT } from "../../build/layout.mjs";
import { CHECK_OPTION, type CleanUp, JSON_OPTION, progress, runCommand } from "../../common/command";
import { embeddedDatabaseUrl } from "../../common/embedded-database";
import { environmentWith, useTestBuild } from "../../common/processes";
import { printOutcome, quantile, textTable } from "../../common/report";
import { makeDataDir, type Service, startService } from "../../common/service";
import { openPreparation } from "../http/prepare";
import { generateLoad } from "../http/load";
import { residentMegabytes } from "../memory/processes";
import { createSite, putSteadyLoad, type Site } from "../memory/steady-load";
import { fillVisits } from "./fill";
import { connectTo } from "../../common/connection";

const PASSPHRASE = "a passphrase of the bench";
const TEMPLATES = 3_000;
const TEMPLATE_SECONDS = 20;
const SLICE_MS = 4_000;
const SAMPLE_MS = 500;
/** Maximum slowdown of Report reads during a backup. */
const MAX_P99_RATIO = 2;

type Options = { visits: number; seconds: number; visitsPerSecond: number };

async function fill(service: Service, { visits }: Options) {
  const { dataDir, address } = service;
  const preparation = await openPreparation({ dataDir, seed: 1, say: progress });
  progress("Submitting visits to be copied");
  const requests = preparation.requests.submission(TEMPLATES);
  await generateLoad("node", { address, seconds: TEMPLATE_SECONDS, requests });
  await preparation.close();
  const url = embeddedDatabaseUrl(dataDir);
  const { db, close } = connect({ url, poolSize: 2, prepare: true, applicationName: "imprint-bench" });
  const sql = connectTo(url);
  await fillVisits({ db, sql, visits, say: progress });
  const [size] = await sql<{ bytes: string }[]>`select pg_database_size(current_database())::text as bytes`;
  await sql.end({ timeout: 5 });
  await close();
  return Number(size?.bytes);
}

const percentiles = (took: readonly number[]) => ({
  reads: took.length,
  p50Ms: Number(quantile(took, 0.5).toFixed(2)),
  p99Ms: Number(quantile(took, 0.99).toFixed(2)),
});

/** Runs an admin command; returns its JSON, its duration and the peak memory of its process. */
async function runMeasured(args: readonly string[], env: NodeJS.ProcessEnv) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [buildLayout().admin, ...args, "--json"], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let megabytes = 0;
  const timer = setInterval(() => {
    megabytes = Math.max(megabytes, residentMegabytes(child.pid ?? 0).get(child.pid ?? 0) ?? 0);
  }, SAMPLE_MS);
  const ended = new Promise<number | null>((settle) => child.once("close", settle));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  const result = JSON.parse(stdout) as { content_bytes?: number }; // safe: the command prints it
  return { result, seconds, megabytes: Math.round(megabytes) };
}

/** Reads under steady load until `work` has finished. */
async function readMeanwhile<T>(service: Service, site: Site, visitsPerSecond: number, work: Promise<T>) {
  const took: number[] = [];
  const state = { isOver: false };
  const ended = work.finally(() => {
    state.isOver = true;
  });
  ended.catch(() => undefined);
  do took.push(...(await putSteadyLoad(service.address, site, { visitsPerSecond, forMs: SLICE_MS })).rereadMs);
  while (!state.isOver);
  return { took, outcome: await ended };
}

async function measure(options: Options, cleanUp: CleanUp) {
  const { seconds, visitsPerSecond } = options;
  const dataDir = makeDataDir(cleanUp);
  const service = await startService({ cleanUp, dataDir, variables: { TRUSTED_PROXIES: "loopback" } });
  const databaseBytes = await fill(service, options);
  const site = await createSite(service.env);
  const load = (forMs: number) => putSteadyLoad(service.address, site, { visitsPerSecond, forMs });
  progress("Reading without a backup");
  await load(SLICE_MS);
  const quiet = percentiles((await load(seconds * 1_000)).rereadMs);
  progress("Reading during a backup");
  const file = path.join(makeDataDir(cleanUp), "bench.backup");
  const env = environmentWith({ ...service.env, BACKUP_PASSPHRASE: PASSPHRASE, NODE_ENV: "production" });
  const backup = runMeasured(["backup", "--to", file], env);
  const { took, outcome: written } = await readMeanwhile(service, site, visitsPerSecond, backup);
  await service.stop();
  progress("Verifying and restoring");
  const verified = await runMeasured(["backup", "--verify", "--from", file], env);
  const target = makeDataDir(cleanUp);
  const restored = await runMeasured(["restore", "--from", file], { ...env, DATA_DIR: target });
  return {
    databaseBytes,
    backupBytes: fs.statSync(file).size,
    contentBytes: Number(written.result.content_bytes),
    quiet,
    during: percentiles(took),
    backup: { seconds: written.seconds, megabytes: written.megabytes },
    verify: { seconds: verified.seconds, megabytes: verified.megabytes },
    restore: { seconds: restored.seconds, megabytes: restored.megabytes },
  };
}

const megabytes = (bytes: number) => Math.round(bytes / 1e6);

await runCommand({
  name: "bench:backup",
  about: "Measures a backup while the service runs: time, size, memory, and the latency of Report re-reads meanwhile.",
  options: {
    visits: { type: "number", default: 1_000_000, about: "stored visits" },
    seconds: { type: "number", default: 30, about: "duration of the baseline without a backup" },
    rate: { type: "number", default: 20, about: "visits per second, with nine requests each" },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    useTestBuild();
    const options = { visits: values.visits, seconds: values.seconds, visitsPerSecond: values.rate };
    await ensureBuilt(["component", "documents", "bundles", "pages"], { say: progress });
    const found = await measure(options, cleanUp);
    const { quiet, during } = found;
    const ratio = Number((during.p99Ms / quiet.p99Ms).toFixed(2));
    const misses =
      ratio <= MAX_P99_RATIO ? [] : [`p99 of re-reads is ${ratio} times the baseline, above ${MAX_P99_RATIO}`];
    return printOutcome(values, {
      result: { node: process.version, ...options, ...found, p99Ratio: ratio },
      misses,
      lines: () => [
        `${options.visits} visits: database ${megabytes(found.databaseBytes)} MB, rows as text ${megabytes(found.contentBytes)} MB, backup ${megabytes(found.backupBytes)} MB`,
        ...textTable(
          ["", "seconds", "memory MB"],
          (["backup", "verify", "restore"] as const).map((name) => [name, found[name].seconds, found[name].megabytes]),
        ),
        ...textTable(
          ["re-reads", "p50 ms", "p99 ms", "count"],
          (["quiet", "during"] as const).map((name) => [name, found[name].p50Ms, found[name].p99Ms, found[name].reads]),
        ),
      ],
    });
  },
});

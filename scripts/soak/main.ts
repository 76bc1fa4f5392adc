import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { connect } from "@/db/client";
import { createSite, TEST_SECRETS } from "@/test/visits";
import { residentMegabytes } from "../bench/memory/processes";
import { ensureBuilt } from "../build/ensure.mjs";
import { CHECK_OPTION, type CleanUp, JSON_OPTION, progress, runCommand, wholeNumber } from "../common/command";
import { embeddedDatabaseUrl } from "../common/embedded-database";
import { useTestBuild } from "../common/processes";
import { printOutcome, quantile, textTable } from "../common/report";
import { makeDataDir, type Service, startService } from "../common/service";
import { countOutcomes, findLost, type Sample, startVisitors } from "../common/visitors";
import { hammerPages, holdSlowClients } from "./attackers";

const VISITORS = 6;
const PAGE_CONNECTIONS = 30;
const PAGE_CLIENTS = 5;
/** After the kill of the database: recovery, and what had waited for it. */
const FAILOVER_MS = 20_000;
const MEMORY_BACK_MS = 60_000;
/** Of what was resident before: pages and their code stay. */
const MEMORY_ALLOWANCE = { share: 1.25, megabytes: 60 };
const MAX_P99_RATIO = 2;

type Phase = { name: string; fromMs: number; untilMs: number };
type Options = { minutes: number; slow: number; kill: boolean };

const memoryOf = (service: Service) =>
  Math.round([...residentMegabytes(service.pid).values()].reduce((sum, megabytes) => sum + megabytes, 0));

const timesIn = (samples: readonly Sample[], { fromMs, untilMs }: Phase) =>
  samples.filter(({ step, atMs }) => step === "reread" && atMs >= fromMs && atMs < untilMs).map(({ tookMs }) => tookMs);

function killDatabase(dataDir: string): void {
  const file = join(dataDir, "postgres/data/postmaster.pid");
  process.kill(Number(readFileSync(file, "utf8").split("\n")[0]), "SIGKILL");
}

async function openPlace(cleanUp: CleanUp) {
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: progress });
  const dataDir = makeDataDir(cleanUp);
  const { authSecret, keyPepper, keks } = TEST_SECRETS;
  const variables = { TRUSTED_PROXIES: "loopback", AUTH_SECRET: authSecret, KEY_PEPPER: keyPepper, KEKS: keks };
  const service = await startService({ cleanUp, dataDir, variables });
  const url = embeddedDatabaseUrl(dataDir);
  const connection = connect({ url, poolSize: 2, prepare: false, applicationName: "soak" });
  const site = await createSite(connection.db);
  await connection.close();
  return { dataDir, service, site };
}

/** Quiet, then everything at once with a killed database in the middle, then quiet again. */
async function soak({ minutes, slow, kill }: Options, cleanUp: CleanUp) {
  const { dataDir, service, site } = await openPlace(cleanUp);
  const visitors = startVisitors({ address: service.address, site, count: VISITORS });
  const phases: Phase[] = [];
  const during = async (name: string, seconds: number) => {
    progress(`${name}: ${seconds} s`);
    const fromMs = performance.now();
    await delay(seconds * 1000);
    const phase = { name, fromMs, untilMs: performance.now() };
    phases.push(phase);
    return phase;
  };
  await delay(10_000); // the first requests compile what later ones run
  const warm = hammerPages(service.url, 2, 2);
  await delay(5_000);
  await warm.stop();
  const quiet = await during("quiet", Math.max(20, Math.min(120, minutes * 12)));
  const memory = { before: memoryOf(service), most: 0, after: 0 };
  const sampling = setInterval(() => (memory.most = Math.max(memory.most, memoryOf(service))), 2_000);
  cleanUp.push(() => {
    clearInterval(sampling);
  });
  const pages = hammerPages(service.url, PAGE_CONNECTIONS, PAGE_CLIENTS);
  const slowClients = holdSlowClients(service.port, slow);
  const loaded = [await during("pages hammered, slow clients", minutes * 30)];
  if (kill) {
    killDatabase(dataDir);
    await during("database killed", FAILOVER_MS / 1000);
  }
  loaded.push(await during("pages hammered, slow clients, after the kill", minutes * 30));
  await Promise.all([pages.stop(), slowClients.stop(), visitors.stop()]);
  progress("everybody has left");
  const deadline = performance.now() + MEMORY_BACK_MS;
  const most = Math.max(memory.before * MEMORY_ALLOWANCE.share, memory.before + MEMORY_ALLOWANCE.megabytes);
  do {
    await delay(1_000);
    memory.after = memoryOf(service);
  } while (memory.after > most && performance.now() < deadline);
  const lost = await findLost(service.address, site, visitors.acknowledged);
  const rows = phases.map((phase) => {
    const times = timesIn(visitors.samples, phase);
    return { name: phase.name, rereads: times.length, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
  });
  const outside = visitors.samples.filter(({ atMs }) =>
    [quiet, ...loaded].some(({ fromMs, untilMs }) => atMs >= fromMs && atMs < untilMs - FAILOVER_MS / 4),
  );
  return {
    rows,
    memory,
    memoryAllowedMb: Math.round(most),
    visits: visitors.acknowledged.length,
    pages: pages.count(),
    slowConnections: slowClients.count(),
    outcomes: countOutcomes(outside),
    lost,
  };
}
type Result = Awaited<ReturnType<typeof soak>>;

const GOOD = /^(challenge 200|submission 201|delivery 200|reread 200|\w+ 429)$/;

function missesOf({ rows, memory, memoryAllowedMb, outcomes, lost, visits, pages }: Result): string[] {
  const [quiet, ...others] = rows;
  const allowedMs = (quiet?.p99Ms ?? 0) * MAX_P99_RATIO;
  return [
    ...others
      .filter(({ name, p99Ms }) => name !== "database killed" && !(p99Ms <= allowedMs))
      .map(({ name, p99Ms }) => `${name}: p99 of re-reads ${p99Ms.toFixed(1)} ms, above ${allowedMs.toFixed(1)}`),
    ...Object.entries(outcomes)
      .filter(([outcome]) => !GOOD.test(outcome))
      .map(([outcome, count]) => `${count} x ${outcome} outside the failover`),
    ...(memory.after > memoryAllowedMb ? [`memory ${memory.after} MB after a minute, above ${memoryAllowedMb}`] : []),
    ...(lost.length > 0 ? [`${lost.length} acknowledged visits lost: ${lost.slice(0, 3).join(", ")}`] : []),
    ...(visits === 0 || pages === 0 ? ["no visits or no pages: nothing was proven"] : []),
  ];
}

await runCommand({
  name: "soak",
  about:
    "Visitors visit while pages are hammered, slow clients hold connections of every kind, and the database is killed in the middle. No acknowledged visit may be lost, re-reads stay as fast as twice their quiet p99, and memory comes back within a minute.",
  options: {
    minutes: { type: "string", default: "30", value: "N", about: "under load" },
    slow: { type: "string", default: "200", value: "N", about: "connections of each kind of slow client" },
    "no-kill": { type: "boolean", about: "leaves the database running" },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    useTestBuild();
    const minutes = wholeNumber("minutes", values.minutes);
    const result = await soak(
      { minutes, slow: wholeNumber("slow", values.slow, 0), kill: values["no-kill"] !== true },
      cleanUp,
    );
    const { rows, memory, memoryAllowedMb, visits, lost, pages, slowConnections, outcomes } = result;
    return printOutcome(values, {
      result: { minutes, ...result },
      misses: missesOf(result),
      lines: () => [
        ...textTable(
          ["", "re-reads", "p50 ms", "p99 ms"],
          rows.map(({ name, rereads, p50Ms, p99Ms }) => [name, rereads, p50Ms.toFixed(1), p99Ms.toFixed(1)]),
        ),
        `memory ${memory.before} MB before, ${memory.most} at most, ${memory.after} after (allowed ${memoryAllowedMb})`,
        `${visits} visits, ${lost.length} lost; ${pages} pages; ${slowConnections} slow connections`,
        ...Object.entries(outcomes).map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`),
      ],
    });
  },
});

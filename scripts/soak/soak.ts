import { setTimeout as delay } from "node:timers/promises";

import { connect } from "@/db/client";
import { createSite } from "@/test/visits";
import { TEST_SECRETS } from "@/test/secrets";
import { residentMegabytes } from "../bench/memory/processes";
import { ensureBuilt } from "../build/ensure.mjs";
import { type CleanUp, progress } from "../common/command";
import { openReplicatedDatabase } from "../common/replicated-database";
import { quantile } from "../common/report";
import { makeDataDir, type Service, startService } from "../common/service";
import { countOutcomes, findLost, type Sample, startVisitors } from "../common/visitors";
import { startAttack } from "./attack";

const VISITORS = 6;
const PAGE_CONNECTIONS = 30;
const PAGE_CLIENTS = 5;
/** Time until the standby serves and has handled what was waiting for it. */
const FAILOVER_MS = 20_000;
const MEMORY_BACK_MS = 60_000;
/** Allowance relative to the initial resident memory: pages and their code stay loaded. */
const MEMORY_ALLOWANCE = { share: 1.25, megabytes: 60 };
const MAX_P99_RATIO = 2;
const FAILOVER = "failover of the database";

type Phase = { name: string; fromMs: number; untilMs: number };
export type Options = {
  quietSeconds: number;
  /** Duration under load before the failover, and again after it. */
  loadedSeconds: number;
  /** Connections per kind of slow client. */
  slow: number;
  hasFailover: boolean;
};

const memoryOf = (service: Service) =>
  Math.round([...residentMegabytes(service.pid).values()].reduce((sum, megabytes) => sum + megabytes, 0));

const timesIn = (samples: readonly Sample[], { fromMs, untilMs }: Phase) =>
  samples.filter(({ step, atMs }) => step === "reread" && atMs >= fromMs && atMs < untilMs).map(({ tookMs }) => tookMs);

async function openPlace(cleanUp: CleanUp) {
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: progress });
  const dataDir = makeDataDir(cleanUp);
  const database = await openReplicatedDatabase(cleanUp);
  const { authSecret, keyPepper, keks } = TEST_SECRETS;
  const secrets = { AUTH_SECRET: authSecret, KEY_PEPPER: keyPepper, KEKS: keks };
  const variables = { TRUSTED_PROXIES: "loopback", DATABASE_URL: database.url, ...secrets };
  const service = await startService({ cleanUp, dataDir, variables });
  const connection = connect({ url: database.url, poolSize: 2, prepare: false, applicationName: "soak" });
  const site = await createSite(connection.db);
  await connection.close();
  return { database, service, site };
}

/** Measures a quiet phase, then everything at once with a database failover in the middle, then quiet again. */
export async function soak({ quietSeconds, loadedSeconds, slow, hasFailover }: Options, cleanUp: CleanUp) {
  const { database, service, site } = await openPlace(cleanUp);
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
  const warm = startAttack(service.url, { connections: 2, clients: 2, slow: 0 }, cleanUp);
  await delay(8_000);
  await warm.stop();
  const memory = { before: 0, most: 0, after: 0 };
  // In the quiet phase too: what it costs the measured clients is the same in all phases.
  const sampling = setInterval(() => (memory.most = Math.max(memory.most, memoryOf(service))), 2_000);
  cleanUp.push(() => {
    clearInterval(sampling);
  });
  const quiet = await during("quiet", quietSeconds);
  memory.before = memoryOf(service);
  const attack = startAttack(service.url, { connections: PAGE_CONNECTIONS, clients: PAGE_CLIENTS, slow }, cleanUp);
  const loaded = [await during("pages hammered, slow clients", loadedSeconds)];
  if (hasFailover) {
    const failing = during(FAILOVER, FAILOVER_MS / 1000);
    await database.failOver();
    await failing;
    loaded.push(await during("pages hammered, slow clients, after the failover", loadedSeconds));
  }
  const [{ pages, slowConnections }] = await Promise.all([attack.stop(), visitors.stop()]);
  progress("all clients have left");
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
    pages,
    slowConnections,
    outcomes: countOutcomes(outside),
    lost,
  };
}
export type Result = Awaited<ReturnType<typeof soak>>;

const GOOD = /^(challenge 200|submission 201|delivery 200|reread 200|\w+ 429)$/;

/** Descriptions of missed limits. */
export function missesOf({ rows, memory, memoryAllowedMb, outcomes, lost, visits, pages }: Result): string[] {
  const [quiet, ...others] = rows;
  const allowedMs = (quiet?.p99Ms ?? 0) * MAX_P99_RATIO;
  return [
    ...others
      .filter(({ name, p99Ms }) => name !== FAILOVER && !(p99Ms <= allowedMs))
      .map(({ name, p99Ms }) => `${name}: p99 of re-reads ${p99Ms.toFixed(1)} ms, above ${allowedMs.toFixed(1)}`),
    ...Object.entries(outcomes)
      .filter(([outcome]) => !GOOD.test(outcome))
      .map(([outcome, count]) => `${count} x ${outcome} outside the failover`),
    ...(memory.after > memoryAllowedMb ? [`memory ${memory.after} MB after a minute, above ${memoryAllowedMb}`] : []),
    ...(lost.length > 0 ? [`${lost.length} acknowledged visits lost: ${lost.slice(0, 3).join(", ")}`] : []),
    ...(visits === 0 || pages === 0 ? ["no visits or no pages: the run proves nothing"] : []),
  ];
}

import { setTimeout as delay } from "node:timers/promises";

import { connect, publishConnection } from "@/db/client";
import { loadRelease } from "@/db/releases/load-release";
import { ensureBuilt } from "../build/ensure.mjs";
import { CHECK_OPTION, type CleanUp, JSON_OPTION, progress, runCommand } from "../common/command";
import { runAdmin, useTestBuild } from "../common/processes";
import { printOutcome } from "../common/report";
import { makeDataDir, type Service, startService } from "../common/service";
import { countOutcomes, findLost, startVisitors } from "../common/visitors";
import { listMissing, readRelease, runJobs, serverOf, sumRows } from "./examine";
import { checkMigrations } from "./migrations";
import { type Cluster, startCluster } from "./servers";
import type { Site } from "@/test/visits";
import { createSiteBy } from "../common/site";

const RELEASE = "0.1.0";
/** Enough for each server to have some. */
const SITES = 8;
const VISITORS = 1;
const RECOVERY_MS = 30_000;
/** How long visits continue after a change; in the last part of it, everything must work as before. */
const SETTLING_MS = 10_000;
const SETTLED_MS = 5_000;
const MOVE_MS = 300_000;
const GOOD = /^(challenge|submission|delivery|reread) (200|201|429|503)$/;

const createSite = (service: Service, index: number): Promise<Site> =>
  createSiteBy((...args) => runAdmin(args, service.env), { workspace: `Shop ${index}`, webApp: `Shop ${index}` });

const forSites = <T>(sites: readonly Site[], work: (site: Site) => Promise<T>): Promise<T[]> =>
  Promise.all(sites.map(work));

/** Visits all sites while `work` runs; returns the outcomes of the requests. */
async function visitWhile(service: Service, sites: readonly Site[], work: () => Promise<void>) {
  const visitors = sites.map((site) => ({
    site,
    ...startVisitors({ address: service.address, site, count: VISITORS }),
  }));
  try {
    await work();
  } finally {
    await Promise.all(visitors.map((each) => each.stop()));
  }
  return visitors;
}

const listBad = (outcomes: Record<string, number>): string[] =>
  Object.keys(outcomes).flatMap((outcome) => (GOOD.test(outcome) ? [] : [`a request ended with ${outcome}`]));

/** Sites that are not served as before once a change has settled. */
function listUnserved(visitors: Awaited<ReturnType<typeof visitWhile>>): string[] {
  const endedAt = Math.max(...visitors.flatMap(({ samples }) => samples.map(({ atMs }) => atMs)));
  return visitors.flatMap(({ site, samples }) => {
    const last = countOutcomes(samples.filter(({ atMs }) => atMs > endedAt - SETTLED_MS));
    const isServed = "submission 201" in last && Object.keys(last).every((outcome) => !outcome.includes("503"));
    return isServed ? [] : [`${site.workspaceId} was not served as before at the end: ${JSON.stringify(last)}`];
  });
}

/** Distributes a release's database while visits come in. */
async function distributeUnderLoad(service: Service, sites: readonly Site[], url: string): Promise<string[]> {
  const before = await sumRows(url, sites);
  const visitors = await visitWhile(service, sites, async () => {
    await delay(2_000);
    progress(JSON.stringify(await runAdmin(["distribute"], service.env)).slice(0, 80));
    await delay(SETTLING_MS);
  });
  const samples = visitors.flatMap((each) => each.samples);
  const outcomes = countOutcomes(samples);
  progress(`while being distributed: ${JSON.stringify(outcomes)}`);
  const lost = (
    await Promise.all(visitors.map(({ site, acknowledged }) => findLost(service.address, site, acknowledged)))
  ).flat();
  const acknowledged = visitors.flatMap((each) => each.acknowledged);
  const after = await sumRows(url, sites);
  return [
    ...lost.map((imprint) => `an acknowledged visit is lost: ${imprint}`),
    ...(await listMissing(url, acknowledged)),
    ...listBad(outcomes),
    ...(before === after ? [] : [`the visits of the release had checksum ${before}, and now have ${after}`]),
    ...(acknowledged.length < sites.length ? ["too few visits to prove anything"] : []),
    ...listUnserved(visitors),
  ];
}

/** Sends one request of each kind; returns the statuses, and whether each 503 has Retry-After. */
async function probe(service: Service, site: Site): Promise<{ statuses: number[]; isRetriable: boolean }> {
  const ask = (path: string, init: RequestInit) => fetch(`${service.address}/api/v1${path}`, init);
  const answers = [
    await ask("/imprints/challenge", {
      method: "POST",
      headers: { origin: site.origin, "content-type": "application/json" },
      body: JSON.stringify({ environment_id: site.environmentId }),
    }),
    await ask("/usage", { headers: { "X-API-Key": site.apiKey } }),
  ];
  const isRetriable = answers.every(({ status, headers }) => status !== 503 || headers.has("retry-after"));
  return { statuses: answers.map(({ status }) => status), isRetriable };
}

async function becomesServed(service: Service, sites: readonly Site[]): Promise<boolean> {
  const endsAt = performance.now() + RECOVERY_MS;
  for (;;) {
    const found = await forSites(sites, (site) => probe(service, site));
    if (found.every(({ statuses }) => statuses.every((status) => status < 500))) return true;
    if (performance.now() > endsAt) return false;
    await delay(500);
  }
}

/** Kills a server: its workspaces are told to retry, no others are affected, and everything works when it is back. */
async function killWorker(
  service: Service,
  sites: readonly Site[],
  { url, workers }: Pick<Cluster, "workers"> & { url: string },
): Promise<string[]> {
  const violations: string[] = [];
  for (const worker of workers) {
    const homes = await forSites(sites, async (site) => ({ site, home: await serverOf(url, site.workspaceId) }));
    const [there, elsewhere] = [true, false].map((isThere) =>
      homes.filter(({ home }) => (home === worker.name) === isThere).map(({ site }) => site),
    );
    await worker.kill();
    await delay(1_000);
    const dead = await forSites(there ?? [], (site) => probe(service, site));
    const alive = await visitWhile(service, elsewhere ?? [], () => delay(3_000));
    await worker.start();
    if (!dead.every(({ statuses }) => statuses.includes(503)))
      violations.push(`${worker.name}: its workspaces got ${JSON.stringify(dead.map(({ statuses }) => statuses))}`);
    if (!dead.every(({ isRetriable }) => isRetriable)) violations.push(`${worker.name}: a 503 without Retry-After`);
    for (const { samples } of alive) {
      const bad = Object.keys(countOutcomes(samples)).filter((outcome) => !/ (200|201|429)$/.test(outcome));
      if (bad.length > 0) violations.push(`${worker.name}: a workspace of another server got ${bad.join(", ")}`);
    }
    if (!(await becomesServed(service, sites))) violations.push(`${worker.name} is back, and requests still fail`);
    progress(`${worker.name} was away: ${there?.length} workspaces waited, ${elsewhere?.length} did not`);
  }
  return violations;
}

/** Fails if work takes longer than `ms`: copying shards under load may never catch up. */
async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const late = delay(ms, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`${what} did not finish within ${ms / 1000} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}

async function moveShards(service: Service, sites: readonly Site[]): Promise<string[]> {
  const [site] = sites;
  if (!site) return [];
  const visitors = await visitWhile(service, sites, async () => {
    for (const how of [["--isolate", site.workspaceId], ["--rebalance"]]) {
      const moved = runAdmin(["distribute", ...how], service.env);
      progress(JSON.stringify(await within(MOVE_MS, `distribute ${how[0]}`, moved)));
    }
    await delay(SETTLING_MS);
  });
  const outcomes = countOutcomes(visitors.flatMap(({ samples }) => samples));
  progress(`while shards were moved: ${JSON.stringify(outcomes)}`);
  const lost = await Promise.all(
    visitors.map(({ site: own, acknowledged }) => findLost(service.address, own, acknowledged)),
  );
  return [
    ...lost.flat().map((imprint) => `a visit was lost while shards were moved: ${imprint}`),
    ...listBad(outcomes),
    ...listUnserved(visitors),
  ];
}

type Found = Record<"migrations" | "distribute" | "jobs" | "move" | "kill", string[]>;

async function examine(databaseUrl: string | undefined, cleanUp: CleanUp): Promise<Found> {
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: progress });
  const started = databaseUrl === undefined ? await startCluster(cleanUp) : undefined;
  const migrations = started ? await checkMigrations(await started.createDatabase("migrations")) : [];
  const url = databaseUrl ?? (await started?.createDatabase("imprint")) ?? "";
  const { secrets } = await loadRelease(url, RELEASE);
  progress(`${RELEASE} is loaded`);
  const service = await startService({
    cleanUp,
    dataDir: makeDataDir(cleanUp),
    variables: { ...secrets, DATABASE_URL: url, TRUSTED_PROXIES: "loopback", WORKERS: "1" },
  });
  const sites: Site[] = [];
  for (let index = 0; index < SITES; index += 1) sites.push(await createSite(service, index));
  const expected = readRelease(RELEASE);
  const distribute = [
    ...(await distributeUnderLoad(service, sites, url)),
    ...(await expected.listUnread(service.address)),
  ];
  const connection = connect({ url, poolSize: 8, prepare: true, applicationName: "imprint-cluster" });
  publishConnection(connection);
  const jobs = await runJobs(connection.db);
  await connection.close();
  const move = await moveShards(service, sites);
  const kill = await killWorker(service, sites, { url, workers: started?.workers ?? [] });
  return { migrations, distribute, jobs, move, kill };
}

await runCommand({
  name: "cluster",
  about: `Starts a Citus cluster, loads the database of ${RELEASE} into it, and distributes it while visits come in: no acknowledged visit may be missing or duplicated, and no Report of the release may change. Then every background job runs, shards are moved while the service runs, and each server is killed in turn: its workspaces get 503 with Retry-After, others are served, and everything works again when it is back.`,
  options: {
    database: {
      type: "string",
      value: "URL",
      about: "a coordinator with an empty database, instead of starting one; no server is killed then",
    },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    useTestBuild();
    const found = await examine(values.database, cleanUp);
    const misses = Object.entries(found).flatMap(([part, violations]) => violations.map((each) => `${part}: ${each}`));
    return printOutcome(values, {
      result: found,
      misses,
      lines: () => Object.entries(found).map(([part, { length }]) => `${part.padEnd(12)} ${length} violations`),
    });
  },
});

import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeSync, openSync, closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { statusOf } from "@/e2e/process/service";
import { readReport, requestChallenge, startService, submissionBody, submit, TEST_SECRETS, visit } from "@/e2e/service";
import { startPgBouncer } from "@/test/pgbouncer";
import { startRedis } from "@/test/redis";
import { SESSION_SETTINGS } from "@/db/session-settings";
import { type CleanUp, withCleanUp } from "../common/command";
import { missesOf, soak } from "../soak/soak";
import { countStatuses, openServer, openService, type Subject } from "./service-under-test";
import { connectTo } from "../common/connection";
import { failing } from "../common/report";

/** Descriptions of violated guarantees. */
type Violations = string[];
type Outage = { name: string; run: (cleanUp: CleanUp) => Promise<Violations> };

const RECOVERY_MS = 20_000;
const POLL_MS = 100;
const READS = 20;

async function becomes(url: string, status: number): Promise<boolean> {
  const endsAt = performance.now() + RECOVERY_MS;
  while ((await statusOf(url)) !== status) {
    if (performance.now() > endsAt) return false;
    await delay(POLL_MS);
  }
  return true;
}

const isRetriable = ({ status, headers }: Response) => status === 503 && headers.get("retry-after") !== null;

async function submitOnce({ service, site }: Subject): Promise<Response> {
  const issued = await requestChallenge(service.url, site);
  return await submit(service.url, site, submissionBody(site, issued));
}

/** While nothing can be written: delivered Reports can be re-read, everything else gets 503 with Retry-After. */
async function checkWithoutWrites(subject: Subject, undelivered: string): Promise<Violations> {
  const { service, site, imprint } = subject;
  const isUnready = await becomes(`${service.url}/readyz`, 503);
  const reads: number[] = [];
  for (let index = 0; index < READS; index += 1)
    reads.push((await readReport(service.url, site.apiKey, imprint)).status);
  const first = await readReport(service.url, site.apiKey, undelivered);
  const submitted = await submitOnce(subject);
  return failing([
    [isUnready, "/readyz did not become 503"],
    [reads.every((status) => status === 200), `re-reads returned ${JSON.stringify(countStatuses(reads))}`],
    [isRetriable(first), `a first read returned ${first.status} instead of 503 with Retry-After`],
    [isRetriable(submitted), `a submission returned ${submitted.status} instead of 503 with Retry-After`],
    [(await statusOf(`${service.url}/healthz`)) === 200, "/healthz is not 200"],
  ]);
}

async function checkRecovered({ service, site }: Subject, acknowledged: readonly string[]): Promise<Violations> {
  const isReady = await becomes(`${service.url}/readyz`, 200);
  const imprints = [...acknowledged, await visit(service.url, site)];
  const statuses: number[] = [];
  for (const imprint of imprints) statuses.push((await readReport(service.url, site.apiKey, imprint)).status);
  return failing([
    [isReady, "/readyz did not become 200 by itself"],
    [statuses.every((status) => status === 200), `Reports afterwards: ${JSON.stringify(countStatuses(statuses))}`],
  ]);
}

async function runReadOnly(cleanUp: CleanUp): Promise<Violations> {
  const { name, url, asAdministrator } = await openServer(cleanUp);
  const subject = await openService(cleanUp, { databaseUrl: url });
  const undelivered = await visit(subject.service.url, subject.site);
  await asAdministrator(`alter database ${name} set default_transaction_read_only = on`);
  await asAdministrator(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  const during = await checkWithoutWrites(subject, undelivered);
  // Open sessions stay read-only, like those to a demoted server, so the service has to open new ones.
  await asAdministrator(`alter database ${name} set default_transaction_read_only = off`);
  return [...during, ...(await checkRecovered(subject, [subject.imprint, undelivered]))];
}

/** Mounts a small tmpfs, which only root can do. */
function mountSmallDisk(cleanUp: CleanUp): string {
  const folder = mkdtempSync(join(tmpdir(), "imprint-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=192m", "none", folder]);
  cleanUp.push(() => {
    execFileSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  chmodSync(folder, 0o755);
  return folder;
}

function fill(folder: string): string {
  const file = join(folder, "filler");
  const descriptor = openSync(file, "w");
  try {
    for (const size of [1 << 20, 1 << 12]) {
      const block = Buffer.alloc(size, 1);
      try {
        for (;;) writeSync(descriptor, block);
      } catch {
        continue; // no space for a block of this size
      }
    }
  } finally {
    closeSync(descriptor);
  }
  return file;
}

async function runFullDisk(cleanUp: CleanUp): Promise<Violations> {
  if (process.getuid?.() !== 0) return ["not run: only root can mount a small disk to fill"];
  const disk = mountSmallDisk(cleanUp);
  const { url } = await openServer(cleanUp, disk);
  const subject = await openService(cleanUp, { databaseUrl: url });
  const filler = fill(disk);
  const acknowledged = [subject.imprint];
  let refused: Response | undefined;
  for (let index = 0; index < 400 && !refused; index += 1) {
    const answer = await submitOnce(subject);
    if (answer.ok) acknowledged.push(((await answer.json()) as { imprint: string }).imprint);
    else if (answer.status !== 429) refused = answer;
    else await delay(POLL_MS);
  }
  const isUnready = await becomes(`${subject.service.url}/readyz`, 503);
  const reread = await readReport(subject.service.url, subject.site.apiKey, subject.imprint);
  rmSync(filler);
  return [
    ...failing([
      [refused !== undefined && isRetriable(refused), `a submission returned ${refused?.status ?? "nothing"}`],
      [isUnready, "/readyz did not become 503"],
      [reread.status === 200, `a re-read returned ${reread.status}`],
    ]),
    ...(await checkRecovered(subject, acknowledged)),
  ];
}

/** Re-reads as fast as `clients` can for a time; returns the statuses. */
async function hammer({ service, site, imprint }: Subject, clients: number, milliseconds: number): Promise<number[]> {
  const statuses: number[] = [];
  const endsAt = performance.now() + milliseconds;
  const client = async () => {
    while (performance.now() < endsAt) statuses.push((await readReport(service.url, site.apiKey, imprint)).status);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return statuses;
}

async function runClockStep(cleanUp: CleanUp): Promise<Violations> {
  const { url } = await openServer(cleanUp);
  const subject = await openService(cleanUp, { databaseUrl: url });
  await hammer(subject, 4, 500);
  const sql = connectTo(url);
  cleanUp.push(() => sql.end({ timeout: 5 }));
  const violations: Violations = [];
  for (const seconds of [-40, 40]) {
    // Shifting the bucket times has the same effect as shifting the clock.
    await sql`update rate_buckets set arrival_micros = arrival_micros - ${seconds * 1_000_000}::bigint`;
    const statuses = await hammer(subject, 4, 1_000);
    const served = statuses.filter((status) => status === 200).length;
    violations.push(
      ...failing([[served >= 50, `clock shifted by ${seconds} s: ${served} re-reads served in a second`]]),
    );
  }
  return violations;
}

async function runPooler(cleanUp: CleanUp, settings: readonly string[]): Promise<Violations> {
  const { url } = await openServer(cleanUp);
  const pooler = await startPgBouncer({ databaseUrl: url, poolSize: 5, settings });
  cleanUp.push(() => pooler.stop());
  const statuses: number[] = [];
  const options = { databaseUrl: pooler.url, environment: { WORKERS: "2", ...TEST_SECRETS } };
  const { service, site, imprint } = await openService([], options);
  for (let index = 0; index < READS; index += 1) {
    const next = await visit(service.url, site);
    statuses.push((await readReport(service.url, site.apiKey, next)).status);
  }
  await service.stop();
  const second = await startService(options);
  cleanUp.push(() => second.stop());
  statuses.push((await readReport(second.url, site.apiKey, imprint)).status);
  await second.admin("workspace", "list");
  return failing([[statuses.every((status) => status === 200), `Reports: ${JSON.stringify(countStatuses(statuses))}`]]);
}

async function runWithoutRedis(cleanUp: CleanUp): Promise<Violations> {
  const redis = await startRedis();
  const { url } = await openServer(cleanUp);
  const workers = 2;
  const environment = { REDIS_URL: redis.url, WORKERS: String(workers) };
  const subject = await openService(cleanUp, { databaseUrl: url, environment });
  const startedAt = performance.now();
  const before = await hammer(subject, 12, 1_500);
  await redis.stop();
  const during = await hammer(subject, 12, 4_000);
  const seconds = (performance.now() - startedAt) / 1000;
  const allowed = [...before, ...during].filter((status) => status === 200).length;
  const other = [...before, ...during].filter((status) => status !== 200 && status !== 429);
  const [rate, burst] = [200, 220];
  const most = workers * (rate * seconds + burst);
  const lines = subject.service.output().split("\n");
  const said = lines.filter((line) => line.includes("the rate limit store is unavailable")).length;
  return failing([
    [allowed <= most, `${allowed} re-reads were served, above the ${Math.round(most)} of ${workers} processes`],
    [during.includes(200), "no re-read was served without Redis"],
    [other.length === 0, `answers other than 200 and 429: ${JSON.stringify(countStatuses(other))}`],
    [said >= 1 && said <= workers, `the log says ${said} times that the store is unavailable`],
  ]);
}

const HAMMERED = { quietSeconds: 30, loadedSeconds: 60, hasFailover: false };

const runHammered = async (cleanUp: CleanUp, slow: number): Promise<Violations> =>
  missesOf(await soak({ ...HAMMERED, slow }, cleanUp));

const IGNORED = `ignore_startup_parameters = ${Object.keys(SESSION_SETTINGS).join(",")}`;

export const OUTAGES: readonly Outage[] = [
  { name: "a read-only database", run: runReadOnly },
  { name: "a full disk", run: runFullDisk },
  { name: "a database clock that is changed", run: runClockStep },
  { name: "a pooler that rejects settings", run: (cleanUp) => runPooler(cleanUp, []) },
  { name: "a pooler that ignores settings", run: (cleanUp) => runPooler(cleanUp, [IGNORED]) },
  { name: "an unavailable Redis", run: runWithoutRedis },
  { name: "a flood of page requests", run: (cleanUp) => runHammered(cleanUp, 0) },
  { name: "a flood of page requests, and slow clients", run: (cleanUp) => runHammered(cleanUp, 1000) },
];

/** Runs every outage in turn, each with a new service; returns the violations. */
export async function runOutages(
  outer: CleanUp,
  onProgress: (text: string) => void,
): Promise<Record<string, Violations>> {
  const found: Record<string, Violations> = {};
  for (const { name, run } of OUTAGES) {
    const violations = await withCleanUp(outer, run).catch((error: unknown): Violations => [
      `failed: ${error instanceof Error ? error.message : String(error)}`,
    ]);
    found[name] = violations;
    onProgress(`${name}: ${violations.join("; ") || "as guaranteed"}`);
  }
  return found;
}

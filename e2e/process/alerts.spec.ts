import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";

import { connect } from "@/db/client";
import { DATABASE, readConnection, urlOf } from "@/db/embedded-connection";
import { postmasterOn } from "@/db/embedded-processes";
import { idToUuid } from "@/lib/contract/ids";
import { createManagementKey } from "@/lib/tenancy/management";
import { embeddedDatabaseUrl } from "@/scripts/common/embedded-database";
import { alertsOf } from "@/test/prometheus";
import { type RedisProcess, startRedis } from "@/test/redis";
import { createSite, type Site } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { readReport, TEST_SECRETS, visit } from "../service";
import { startPrometheus } from "./prometheus";
import { makeDataDir, processTree, removeDataDir, type Service, startService, stopService } from "./service";

/**
 * Triggers every alert with the fault it is for, in a service with its own embedded database. Faults that would need
 * days, gigabytes or a full disk are made feasible: thresholds in the rules are lowered, and minutes become seconds.
 */

const ALERTS = alertsOf(readFileSync("deploy/prometheus/imprint.rules.yml", "utf8")).map(({ name }) => name);
/** Alerts that may fire because the test machine is slow. */
const OF_SPEED = ["ImprintEventLoopLag", "ImprintPoolWaits", "ImprintReportsSlow"];
const DISK_BYTES = 1e9;
const MEMORY_BYTES = 150e6;

const dataDir = makeDataDir();
const faults = join(dataDir, "faults");
const backups = join(dataDir, "backups");
let service: Service;
let redis: RedisProcess;
let site: Site;
let managementKey: string;
let prometheus: Awaited<ReturnType<typeof startPrometheus>>;
/** Superuser connections to the embedded server, which the service does not close. */
const connections: postgres.Sql[] = [];
let observedSince: number;

const superuser = (max = 1): postgres.Sql => {
  const saved = readConnection(dataDir);
  if (!saved) throw new Error("the embedded server has no connection file");
  const sql = postgres(urlOf(saved, DATABASE), { max, fetch_types: false, onnotice: () => undefined });
  connections.push(sql);
  return sql;
};

const plant = (name: string): void => {
  writeFileSync(join(faults, name), "");
};
const visitFrom = (index: number) =>
  visit(service.url, site, { headers: { "X-Forwarded-For": `203.0.113.${index % 250}` } });

function rulesWithinReach(rules: string, residentBytes: number): string {
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  const changes = [
    ["[30m]", "[6s]"],
    ["offset 1d", "offset 15s"],
    ["imprint_database_dead_tuples > 100000", "imprint_database_dead_tuples > 1000"],
    ["imprint_database_oldest_transaction_seconds > 300", "imprint_database_oldest_transaction_seconds > 15"],
    ["imprint_database_slot_retained_bytes > 5e9", "imprint_database_slot_retained_bytes > 1e6"],
    ["imprint_database_figures_age_seconds > 120", "imprint_database_figures_age_seconds > 25"],
    ["imprint_unwritten_lines) > 5000", "imprint_unwritten_lines) > 50"],
    ["(imprint_processes > 0) > 1.5e9", `(imprint_processes > 0) > ${residentBytes + MEMORY_BYTES}`],
    [
      "(imprint_disk_size_bytes > 0) < 0.1",
      `(imprint_disk_size_bytes > 0) < ${(bavail - DISK_BYTES / bsize) / blocks}`,
    ],
  ];
  return changes.reduce((text, [from = "", to = ""]) => {
    if (!text.includes(from)) throw new Error(`the rules have no ${from}`);
    return text.replaceAll(from, to);
  }, rules);
}

const metricsUrl = () => /^Metrics\s+(\S+)$/m.exec(service.output())?.[1] ?? "";

async function metric(name: string): Promise<number> {
  const text = await (await fetch(metricsUrl())).text();
  const line = text.split("\n").find((each) => each.startsWith(name));
  return Number(line?.split(" ").at(-1));
}

/** Whether a backup has been completed. The first one makes the folder. */
const isBackedUp = () => existsSync(backups) && readdirSync(backups).some((name) => name.endsWith(".backup"));

/** Waits until all of these alerts have fired since then. */
async function untilFired(
  names: readonly string[],
  seconds: number,
  meanwhile: () => Promise<unknown> = () => delay(300),
  since = performance.now(),
) {
  const deadline = performance.now() + seconds * 1000;
  const missing = async (): Promise<string[]> => {
    const fired = await prometheus.firedSince(since);
    return names.filter((name) => !fired.includes(name));
  };
  let left = await missing();
  while (performance.now() < deadline && left.length > 0) {
    await meanwhile();
    left = await missing();
  }
  expect(left).toEqual([]);
}

beforeAll(async () => {
  mkdirSync(faults, { mode: 0o755 });
  redis = await startRedis();
  service = await startService({
    dataDir,
    environment: {
      ...TEST_SECRETS,
      BACKUP_DIR: backups,
      BACKUP_PASSPHRASE: "correct horse battery",
      DATABASE_POOL_SIZE: "4",
      FAULTS_DIR: faults,
      METRICS_PORT: "0",
      NODE_OPTIONS: `--import ${pathToFileURL(resolve("e2e/process/plant-faults.mjs")).href}`,
      REDIS_URL: redis.url,
      TRUSTED_PROXIES: "loopback",
    },
  });
  const { db, close } = connect({
    url: embeddedDatabaseUrl(dataDir),
    ...{ poolSize: 1, prepare: false, applicationName: "test" },
  });
  site = await createSite(db);
  ({ secret: managementKey } = await createManagementKey(operatorContext(db), {
    workspaceId: site.workspaceId,
    name: "Labels",
    scopes: ["labels"],
  }));
  await close();
  // The first backup has a low priority. On a busy machine its transaction would last long enough to fire an alert.
  while (!isBackedUp()) await delay(200);
  const resident =
    (await metric('imprint_process_memory_bytes{kind="resident"}')) / (await metric("imprint_processes"));
  prometheus = await startPrometheus(metricsUrl(), (rules) => rulesWithinReach(rules, resident));
  while (!(await prometheus.isScraping())) await delay(200);
  observedSince = performance.now();
});
afterAll(async () => {
  await prometheus.stop();
  await Promise.all(connections.map((sql) => sql.end({ timeout: 0 })));
  await Promise.all([stopService(service), redis.stop()]);
  removeDataDir(dataDir);
});

test("no alert fires in a healthy service under load", async () => {
  for (let index = 0; index < 40; index += 1) {
    const imprint = await visitFrom(index);
    await (await readReport(service.url, site.apiKey, imprint)).text();
    await delay(100);
    expect((await prometheus.firing()).filter((name) => !OF_SPEED.includes(name))).toEqual([]);
  }
});

test("faults in the database and around it fire their alerts", async () => {
  const admin = superuser();
  await admin.unsafe(`select pg_create_physical_replication_slot('forgotten', true)`);
  await admin.unsafe(`
    create table bulk as select n, repeat(md5(n::text), 20) as text from generate_series(1, 20000) n;
    alter table challenge_uses set (autovacuum_enabled = off);
    insert into challenge_uses (workspace_id, nonce, body_hash, event_id, expires_at)
      select '${idToUuid(site.workspaceId)}', gen_random_uuid(), '', gen_random_uuid(), now() from generate_series(1, 3000);
    delete from challenge_uses where body_hash = '';
    insert into trial_intents (intent_id, attempt_id, claim_hash, origin, status, created_at, pay_until, limits)
      values (gen_random_uuid(), gen_random_uuid(), '', 'https://buyer.example', 'reconciliation_pending',
        now() - interval '1 hour', now(), '{}');`);
  const days = await admin.unsafe<{ name: string }[]>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'visit_signals'::regclass order by 1`,
  );
  await admin.unsafe(`drop table ${days[3]?.name}`);
  const holder = superuser();
  // A forgotten transaction that locks what a job and the webhook sender need next.
  await holder.unsafe(`
    begin;
    insert into webhook_endpoints (workspace_id, endpoint_id, name, url, event_types, web_app_ids, statuses, sealed_secret, created_by)
      values ('${idToUuid(site.workspaceId)}', gen_random_uuid(), 'Late', 'https://hook.example/', '{visit.created}', '{}', '{}', '', '');
    insert into webhook_deliveries (workspace_id, delivery_id, endpoint_id, event_id, type, stream, payload, occurred_at, due_at)
      select workspace_id, gen_random_uuid(), endpoint_id, gen_random_uuid(), 'visit.created', gen_random_uuid(), '{}', now(),
        now() - interval '15 minutes' from webhook_endpoints;
    update jobs set due_at = now() - interval '20 minutes' where name = 'purge-key-uses';
    commit;
    begin;
    select 1 from webhook_deliveries for update;
    select 1 from jobs where name = 'purge-key-uses' for update;`);
  for (const name of readdirSync(backups)) rmSync(join(backups, name));
  // Large enough to leave no disk space for the next backup.
  const old = join(backups, "imprint-20260101T030000Z.backup");
  closeSync(openSync(old, "w"));
  truncateSync(old, 2 ** 43);
  await admin.unsafe(`update jobs set due_at = now() where name = 'backup'`);
  plant("clock-ahead");
  plant("leak");
  const full = openSync(join(dataDir, "full"), "w");
  for (let written = 0; written < 2 * DISK_BYTES; written += 1e8) writeFileSync(full, Buffer.alloc(1e8));
  closeSync(full);
  const many = superuser(84);
  await Promise.all(Array.from({ length: 84 }, () => many.unsafe("select pg_sleep(0.2)")));
  await untilFired(
    [
      ...["ImprintConnectionsNearlyUsed", "ImprintSlotRetains", "ImprintDeadTuples", "ImprintPaymentsUnresolved"],
      ...["ImprintPartitionsMissing", "ImprintOldTransaction", "ImprintWebhooksLate", "ImprintJobOverdue"],
      ...["ImprintBackupOld", "ImprintJobFailing", "ImprintClockApart", "ImprintMemoryHigh", "ImprintDiskNearlyFull"],
      "ImprintSubmissionsStopped",
    ],
    150,
    () => delay(300),
    observedSince,
  );
  await many.end();
  await holder.unsafe("rollback");
  for (const name of readdirSync(faults)) rmSync(join(faults, name));
  rmSync(join(dataDir, "full"));
});

/** Reads with many User-Agents, each of which is counted separately. */
const readByMany = (imprint: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const headers = { "User-Agent": `program/${index}`, "X-Forwarded-For": `203.0.113.${index % 250}` };
      await (await readReport(service.url, site.apiKey, imprint, headers)).text();
    }),
  );

/** An operation in a transaction, which needs its own connection. */
const label = async (imprint: string) => {
  const body = JSON.stringify({ imprint, label: "tester" });
  const headers = { Authorization: `Bearer ${managementKey}`, "Content-Type": "application/json" };
  await (await fetch(`${service.url}/api/v1/labels`, { method: "POST", headers, body })).text();
};

/** Signals a process and its descendants. Those of PostgreSQL may exit at any moment while it runs. */
function signalTree(root: number, signal: NodeJS.Signals): void {
  for (const id of processTree(root)) {
    try {
      process.kill(id, signal);
    } catch (error) {
      expect(error).toMatchObject({ code: "ESRCH" });
    }
  }
}

/** Sends requests against locked tables until these alerts have fired. */
const whileLocked = async (tables: readonly string[], names: readonly string[], work: () => Promise<unknown>) => {
  const holder = superuser();
  await untilFired(names, 60, async () => {
    await holder.unsafe(`begin; lock table ${tables.join()} in access exclusive mode`);
    const done = work();
    await delay(3000);
    await holder.unsafe("rollback");
    await done;
  });
};

test("faults in requests fire their alerts", async () => {
  const imprint = await visitFrom(0);
  const admin = superuser();
  const address = { "X-Forwarded-For": "198.51.100.1" };
  await untilFired(["ImprintPermitsRefused"], 30, () =>
    Promise.all(
      Array.from({ length: 40 }, async () =>
        (await fetch(`${service.url}/api/v1/agent/products`, { headers: address })).text(),
      ),
    ),
  );
  await whileLocked(["visits"], ["ImprintReportsSlow"], () => readByMany(imprint, 10));
  await whileLocked(["visits"], ["ImprintPoolWaits"], () =>
    Promise.all(Array.from({ length: 20 }, () => label(imprint))),
  );
  await whileLocked(["api_key_uses", "usage_batches"], ["ImprintLinesUnwritten"], () => readByMany(imprint, 120));
  await admin.unsafe("alter table report_deliveries rename to hidden_deliveries");
  await untilFired(["ImprintRequestsFail", "ImprintStatementsFail"], 30, () => readByMany(imprint, 3));
  await admin.unsafe("alter table hidden_deliveries rename to report_deliveries");
  const main = Number(service.root.pid);
  await untilFired(["ImprintEventLoopLag"], 30, async () => {
    process.kill(main, "SIGSTOP");
    await delay(500);
    process.kill(main, "SIGCONT");
    await delay(500);
  });
  await redis.stop();
  await untilFired(["ImprintLimiterFallback"], 30, () => readByMany(imprint, 3));
});

test("a read-only or unreachable database, and an unreachable service, fire their alerts, and with that every alert has fired", async () => {
  const admin = superuser();
  await admin.unsafe("alter system set default_transaction_read_only = on");
  await admin.unsafe("select pg_reload_conf()");
  await untilFired(["ImprintDatabaseReadOnly"], 40);
  await admin.unsafe("alter system reset default_transaction_read_only");
  await admin.unsafe("select pg_reload_conf()");
  // Frozen, because the service restarts one that has died.
  const postmaster = postmasterOn(resolve(dataDir, readConnection(dataDir)?.folder ?? "", "data"));
  signalTree(Number(postmaster), "SIGSTOP");
  await untilFired(["ImprintDatabaseDown", "ImprintFiguresOld"], 60);
  signalTree(Number(postmaster), "SIGCONT");
  await stopService(service);
  await untilFired(["ImprintDown"], 30);
  expect((await prometheus.firedSince(observedSince)).sort()).toEqual([...ALERTS].sort());
});

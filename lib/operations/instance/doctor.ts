import { resolve } from "node:path";

import { listSchemaFaults } from "@/db/compare-schema";
import { databaseFolder } from "@/db/embedded-place";
import { failureCode } from "@/db/failures";
import { describeFullDisk } from "@/db/full-disk.mjs";
import { missingPartitions } from "@/db/partitions";
import { readTableSizes } from "@/db/table-sizes";
import { now as readClock } from "@/lib/platform/clock";
import { type Context, requireOperator } from "@/lib/platform/context";
import { countLinkingWorkspaces } from "@/lib/visits/devices";
import { baseUrl, env } from "@/lib/platform/env";
import { readOpenFiles } from "@/lib/platform/open-files";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import { lastBackup, whyUnwritable } from "@/lib/operations/backup";
import { listJobStates } from "@/lib/operations/jobs";
import { isPaymentConfigured, payments } from "@/lib/trials/payments";
import { describeBackups } from "./backups";
import { checkCluster } from "./cluster";
import { checkBaseUrl } from "./domain/addresses";
import { assessConnections } from "./domain/connections";
import { type CheckResult, fail, ok, warn } from "./domain/check-result";
import { assessOpenFiles } from "./domain/open-files";
import { assessServer, assessWrites } from "./domain/server-state";
import { assessSpace } from "./domain/space";
import { checkEncryption } from "./encryption";
import { forecastDisk } from "./forecast-disk";
import { checkDisk, checkNode, checkSecretsFile } from "./machine";
import { isNoted } from "./note-recorder";
import { checkPayments } from "./payments";
import { countMigrations, readMaxConnections, readServer, readServerState, tryWrite } from "./queries";
import { checkReplica } from "./replica";
import { checkWebhooks } from "./webhooks";
import { type NamedCheck, type OnChecked, runChecks } from "./run-checks";
import { checkLimits, checkMail, checkProviders } from "./services";
import { compareSecrets } from "./verify-secrets";

/** Provided by the caller. */
export type Dependencies = {
  migrationsFolder: string;
  /** File that the secrets were read from; undefined if they come from the environment. */
  secretsFile?: string | undefined;
  /** Whether the database is the embedded one, with its data in `DATA_DIR`. */
  isEmbedded?: boolean;
  /** Results of the checks of the network data. */
  networkFacts?: readonly CheckResult[];
  /** Migrations applied by this command. */
  migrated?: readonly string[];
  onChecked?: OnChecked;
};

const CLOCK_TOLERANCE_MS = 5_000;
const OVERDUE_SECONDS = 15 * 60;

async function checkDatabase({ db }: Context): Promise<CheckResult> {
  const startedAt = performance.now();
  const { version, epochMs } = await readServer(db);
  const tookMs = Math.round(performance.now() - startedAt);
  // Not the monotonic clock, which does not show that the clock was set since the process started.
  const skewMs = Math.round(Math.abs(epochMs - readClock().getTime()));
  if (skewMs > CLOCK_TOLERANCE_MS) {
    const text = `The clocks of the database and this machine differ by ${Math.round(skewMs / 1000)} s.`;
    return warn("database", text, "Synchronise both by NTP.");
  }
  return ok("database", `PostgreSQL ${version} answers in ${tookMs} ms.`);
}

async function checkConnections({ db }: Context): Promise<CheckResult> {
  const most = await readMaxConnections(db);
  return assessConnections({ workers: env.WORKERS, poolSize: env.DATABASE_POOL_SIZE, most });
}

const checkOpenFiles = async ({ db }: Context): Promise<CheckResult> =>
  assessOpenFiles(readOpenFiles(), await isNoted(db, "connections-closed"));

async function checkMigrations({ db }: Context, { migrationsFolder }: Dependencies): Promise<CheckResult> {
  const { applied, known } = await countMigrations(db, migrationsFolder);
  if (applied >= known) return ok("migrations", "All migrations are applied.");
  return fail(
    "migrations",
    `${known - applied} of ${known} migrations are missing.`,
    `Start the service, which migrates by itself, or run \`${ADMIN_COMMAND} migrate\`.`,
  );
}

async function checkPartitions({ db, now }: Context): Promise<CheckResult> {
  const missing = await missingPartitions(db, now);
  if (missing.length === 0) return ok("partitions", "The partitions of the coming months and days exist.");
  return fail(
    "partitions",
    `Missing partitions: ${missing.join(", ")}.`,
    "Start the service: it creates them at startup and hourly.",
  );
}

async function checkSchema({ db }: Context): Promise<CheckResult> {
  const faults = await listSchemaFaults(db);
  if (faults.length === 0) return ok("schema", "All tables, columns and indexes exist.");
  const fix =
    "Someone changed the schema. Restore the named objects from db/migrations, or the database from a backup.";
  return fail("schema", `The schema is damaged: ${faults.join(", ")}.`, fix);
}

/** Reads the server's state, and tries a write that is rolled back. */
async function checkServer({ db }: Context): Promise<CheckResult[]> {
  const state = await readServerState(db);
  const refusal = await tryWrite(db).then(
    () => undefined,
    (error: unknown) => failureCode(error) ?? "unknown",
  );
  return [assessWrites(state, refusal), ...assessServer(state)];
}

const troubleOf = ({ lastError, overdueSeconds }: { lastError: string; overdueSeconds: number }) =>
  lastError === "" ? `overdue by ${Math.round(overdueSeconds / 60)} min` : lastError;

async function checkJobs({ db }: Context): Promise<CheckResult> {
  const jobs = await listJobStates(db);
  const bad = jobs.filter((job) => job.lastError !== "" || (job.overdueSeconds > OVERDUE_SECONDS && !job.isRunning));
  if (jobs.length === 0) return warn("jobs", "No background job has run yet.", "Start the service.");
  if (bad.length === 0) return ok("jobs", `All ${jobs.length} background jobs are on time.`);
  const text = `Not healthy: ${bad.map((job) => `${job.name} (${troubleOf(job)})`).join(", ")}.`;
  return warn("jobs", text, "Is the service running? Its log has the error.");
}

async function checkRecognition({ db }: Context): Promise<CheckResult> {
  const { counted, linking } = await countLinkingWorkspaces(db);
  const text =
    linking === 0
      ? "No workspace has seen enough returning tokens yet to recognise devices without their token."
      : `${linking} of ${counted} workspaces recognise devices without their token, where links have proved correct.`;
  return ok("recognition", text);
}

async function checkSecrets({ db }: Context): Promise<CheckResult> {
  const problems = await compareSecrets(db);
  if (problems.length === 0) return ok("secrets", "The secrets match this database.");
  return fail("secrets", problems.join(" "), "The service does not start with these secrets.");
}

const checkRetention = ({ db, now }: Context): Promise<CheckResult> =>
  forecastDisk(db, now, { retentionDays: env.RETENTION_DAYS, signalsRetentionDays: env.SIGNALS_RETENTION_DAYS });

async function checkProxies({ db }: Context): Promise<CheckResult> {
  if (await isNoted(db, "untrusted-forwarding")) {
    return warn(
      "proxies",
      "In the last day, an untrusted peer sent forwarding headers; its own address was used.",
      "If there is a proxy in front, set TRUSTED_PROXIES to its addresses. If not, the headers are forged and were ignored.",
    );
  }
  const text = env.TRUSTED_PROXIES === "" ? "No proxy is trusted." : `Trusted proxies: ${env.TRUSTED_PROXIES}.`;
  return ok("proxies", text);
}

const databaseChecks = (context: Context, dependencies: Dependencies): NamedCheck[] => [
  ["database", () => checkDatabase(context)],
  ["server", () => checkServer(context)],
  ["cluster", () => checkCluster(context.db)],
  ["connections", () => checkConnections(context)],
  ["open-files", () => checkOpenFiles(context)],
  ["read-replica", () => checkReplica(context.db)],
  ["migrations", () => checkMigrations(context, dependencies)],
  ["schema", () => checkSchema(context)],
  ["partitions", () => checkPartitions(context)],
  ["jobs", () => checkJobs(context)],
  ["webhooks", () => checkWebhooks(context)],
  ["recognition", () => checkRecognition(context)],
  ["secrets", () => checkSecrets(context)],
  ["proxies", () => checkProxies(context)],
  ["retention", () => checkRetention(context)],
  ["space", async () => assessSpace(await readTableSizes(context.db))],
];

const whyNoBackup = () => (env.BACKUP_DIR === undefined ? undefined : whyUnwritable(resolve(env.BACKUP_DIR)));

/** Checks that need no database. */
const otherChecks = (dependencies: Dependencies): NamedCheck[] => [
  ["secrets-file", () => checkSecretsFile(dependencies.secretsFile)],
  ["network", () => [...(dependencies.networkFacts ?? [])]],
  ["address", () => checkBaseUrl(baseUrl(), { host: env.HOST, isSet: env.BASE_URL !== undefined })],
  ["encryption", () => checkEncryption([env.DATABASE_URL, env.DATABASE_READ_URL].filter((url) => url !== undefined))],
  ["limits", () => checkLimits()],
  ["mail", () => checkMail()],
  ["identity-provider", () => checkProviders()],
  ["payments", () => checkPayments({ isConfigured: isPaymentConfigured(), ...payments() })],
  ["backups", async () => describeBackups(await lastBackup(), whyNoBackup())],
  ["disk", () => (dependencies.isEmbedded ? checkDisk(databaseFolder(resolve(env.DATA_DIR))) : [])],
  ["node", () => checkNode(process.versions.node)],
];

/**
 * Checks this instance for operators, with a remedy for each problem.
 *
 * @throws AppError `forbidden`
 */
export async function doctor(context: Context, dependencies: Dependencies): Promise<CheckResult[]> {
  requireOperator(context);
  return runChecks([...databaseChecks(context, dependencies), ...otherChecks(dependencies)], { ...dependencies });
}

/** The results if the database cannot be opened, with the reason. Only for commands on the machine itself. */
export async function doctorWithoutDatabase(reason: string, dependencies: Dependencies): Promise<CheckResult[]> {
  const full = dependencies.isEmbedded ? describeFullDisk(databaseFolder(resolve(env.DATA_DIR))) : undefined;
  const fix = full ?? "Start the database, or see DATABASE_URL and the log. Its contents could not be checked.";
  return [
    fail("database", `The database could not be opened: ${reason}`, fix),
    ...(await runChecks(otherChecks(dependencies))),
  ];
}

/** The worst status of the results. */
export function worstOf(results: readonly CheckResult[]): CheckResult["status"] {
  if (results.some(({ status }) => status === "fail")) return "fail";
  return results.some(({ status }) => status === "warn") ? "warn" : "ok";
}

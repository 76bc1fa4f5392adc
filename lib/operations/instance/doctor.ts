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
import { describeBackups } from "./backup-fact";
import { checkCluster } from "./cluster-facts";
import { checkBaseUrl } from "./domain/addresses";
import { assessConnections } from "./domain/connections";
import type { Fact } from "./domain/fact";
import { assessOpenFiles } from "./domain/open-files";
import { assessServer, assessWrites } from "./domain/server-state";
import { assessSpace } from "./domain/space";
import { checkEncryption } from "./encryption-fact";
import { forecastDisk } from "./forecast-disk";
import { checkDisk, checkNode, checkSecretsFile } from "./machine";
import { isNoted } from "./note-recorder";
import { checkPayments } from "./payments";
import { countMigrations, readMaxConnections, readServer, readServerState, tryWrite } from "./queries";
import { checkReplica } from "./replica-fact";
import { checkWebhooks } from "./webhooks-fact";
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
  /** Facts about the network data. */
  networkFacts?: readonly Fact[];
  /** Migrations applied by this command. */
  migrated?: readonly string[];
  onChecked?: OnChecked;
};

const CLOCK_TOLERANCE_MS = 5_000;
const OVERDUE_SECONDS = 15 * 60;

async function checkDatabase({ db }: Context): Promise<Fact> {
  const startedAt = performance.now();
  const { version, epochMs } = await readServer(db);
  const tookMs = Math.round(performance.now() - startedAt);
  // Not the monotonic clock, which does not show that the clock was set since the process started.
  const skewMs = Math.round(Math.abs(epochMs - readClock().getTime()));
  if (skewMs > CLOCK_TOLERANCE_MS) {
    const text = `The clocks of the database and this machine differ by ${Math.round(skewMs / 1000)} s.`;
    return { name: "database", status: "warn", text, fix: "Synchronise both by NTP." };
  }
  return { name: "database", status: "ok", text: `PostgreSQL ${version} answers in ${tookMs} ms.` };
}

async function checkConnections({ db }: Context): Promise<Fact> {
  const most = await readMaxConnections(db);
  return assessConnections({ workers: env.WORKERS, poolSize: env.DATABASE_POOL_SIZE, most });
}

const checkOpenFiles = async ({ db }: Context): Promise<Fact> =>
  assessOpenFiles(readOpenFiles(), await isNoted(db, "connections-closed"));

async function checkMigrations({ db }: Context, { migrationsFolder }: Dependencies): Promise<Fact> {
  const { applied, known } = await countMigrations(db, migrationsFolder);
  if (applied >= known) return { name: "migrations", status: "ok", text: "All migrations are applied." };
  return {
    name: "migrations",
    status: "fail",
    text: `${known - applied} of ${known} migrations are missing.`,
    fix: `Start the service, which migrates by itself, or run \`${ADMIN_COMMAND} migrate\`.`,
  };
}

async function checkPartitions({ db, now }: Context): Promise<Fact> {
  const missing = await missingPartitions(db, now);
  if (missing.length === 0)
    return { name: "partitions", status: "ok", text: "The partitions of the coming months and days exist." };
  return {
    name: "partitions",
    status: "fail",
    text: `Missing partitions: ${missing.join(", ")}.`,
    fix: "Start the service: it creates them at startup and hourly.",
  };
}

async function checkSchema({ db }: Context): Promise<Fact> {
  const name = "schema";
  const faults = await listSchemaFaults(db);
  if (faults.length === 0) return { name, status: "ok", text: "All tables, columns and indexes exist." };
  const fix =
    "Someone changed the schema. Restore the named objects from db/migrations, or the database from a backup.";
  return { name, status: "fail", text: `The schema is damaged: ${faults.join(", ")}.`, fix };
}

/** Reads the server's state, and tries a write that is rolled back. */
async function checkServer({ db }: Context): Promise<Fact[]> {
  const state = await readServerState(db);
  const refusal = await tryWrite(db).then(
    () => undefined,
    (error: unknown) => failureCode(error) ?? "unknown",
  );
  return [assessWrites(state, refusal), ...assessServer(state)];
}

const troubleOf = ({ lastError, overdueSeconds }: { lastError: string; overdueSeconds: number }) =>
  lastError === "" ? `overdue by ${Math.round(overdueSeconds / 60)} min` : lastError;

async function checkJobs({ db }: Context): Promise<Fact> {
  const jobs = await listJobStates(db);
  const bad = jobs.filter((job) => job.lastError !== "" || (job.overdueSeconds > OVERDUE_SECONDS && !job.isRunning));
  if (jobs.length === 0)
    return { name: "jobs", status: "warn", text: "No background job has run yet.", fix: "Start the service." };
  if (bad.length === 0) return { name: "jobs", status: "ok", text: `All ${jobs.length} background jobs are on time.` };
  const text = `Not healthy: ${bad.map((job) => `${job.name} (${troubleOf(job)})`).join(", ")}.`;
  return { name: "jobs", status: "warn", text, fix: "Is the service running? Its log has the error." };
}

async function checkRecognition({ db }: Context): Promise<Fact> {
  const { counted, linking } = await countLinkingWorkspaces(db);
  const text =
    linking === 0
      ? "No workspace has seen enough returning tokens yet to recognise devices without their token."
      : `${linking} of ${counted} workspaces recognise devices without their token, where links have proved correct.`;
  return { name: "recognition", status: "ok", text };
}

async function checkSecrets({ db }: Context): Promise<Fact> {
  const problems = await compareSecrets(db);
  if (problems.length === 0) return { name: "secrets", status: "ok", text: "The secrets match this database." };
  return {
    name: "secrets",
    status: "fail",
    text: problems.join(" "),
    fix: "The service does not start with these secrets.",
  };
}

const checkRetention = ({ db, now }: Context): Promise<Fact> =>
  forecastDisk(db, now, { retentionDays: env.RETENTION_DAYS, signalsRetentionDays: env.SIGNALS_RETENTION_DAYS });

const checkAddress = (): Fact => ({
  name: "address",
  ...checkBaseUrl(baseUrl(), { host: env.HOST, isSet: env.BASE_URL !== undefined }),
});

async function checkProxies({ db }: Context): Promise<Fact> {
  if (await isNoted(db, "untrusted-forwarding")) {
    return {
      name: "proxies",
      status: "warn",
      text: "In the last day, an untrusted peer sent forwarding headers; its own address was used.",
      fix: "If there is a proxy in front, set TRUSTED_PROXIES to its addresses. If not, the headers are forged and were ignored.",
    };
  }
  const text = env.TRUSTED_PROXIES === "" ? "No proxy is trusted." : `Trusted proxies: ${env.TRUSTED_PROXIES}.`;
  return { name: "proxies", status: "ok", text };
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
  ["address", checkAddress],
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
 * Facts about this instance for operators, with a remedy for each problem.
 *
 * @throws AppError `forbidden`
 */
export async function doctor(context: Context, dependencies: Dependencies): Promise<Fact[]> {
  requireOperator(context);
  return runChecks([...databaseChecks(context, dependencies), ...otherChecks(dependencies)], { ...dependencies });
}

/** The facts if the database cannot be opened, with the reason. Only for commands on the machine itself. */
export async function doctorWithoutDatabase(reason: string, dependencies: Dependencies): Promise<Fact[]> {
  const full = dependencies.isEmbedded ? describeFullDisk(databaseFolder(resolve(env.DATA_DIR))) : undefined;
  const fix = full ?? "Start the database, or see DATABASE_URL and the log. Its contents could not be checked.";
  const away: Fact = { name: "database", status: "fail", text: `The database could not be opened: ${reason}`, fix };
  return [away, ...(await runChecks(otherChecks(dependencies)))];
}

/** The worst status of the facts. */
export function worstOf(facts: readonly Fact[]): Fact["status"] {
  if (facts.some(({ status }) => status === "fail")) return "fail";
  return facts.some(({ status }) => status === "warn") ? "warn" : "ok";
}

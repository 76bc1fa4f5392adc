import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { type Connection, connect, databaseNow, isLateDriverWrite, publishConnection } from "@/db/client";
import { type EmbeddedServer, openEmbedded } from "@/db/embedded";
import { requireDatabase } from "@/db/embedded-place";
import { migrateDatabase, missingMigrations } from "@/db/migrate";
import { ensurePartitionsAround } from "@/db/partitions";
import { addressOfService, claimDataDir } from "@/db/service-lock.mjs";
import { trySessions } from "@/db/session-settings";
import { openStandardOutput, runAdmin, type SchemaUse } from "@/lib/operations/admin";
import { createProgress, type Installation, type Output } from "@/lib/operations/backup";
import { createStopSignals } from "@/lib/operations/worker-pool";
import { askDirectories, openAgentKeys } from "@/lib/visits/agents";
import { now } from "@/lib/platform/clock";
import { callerFolder, env, useAddressOf } from "@/lib/platform/env";
import { namingDatabase } from "@/lib/platform/name-database";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import { AppError, isAppError } from "@/lib/contract/errors";
import {
  compareSecrets,
  describeAgentKeys,
  describeNetworkData,
  migrateWithSecrets,
  openSecrets,
  verifySecrets,
} from "@/lib/operations/instance";
import { openNetworkData } from "@/lib/visits/network";
import { publishSecrets } from "@/lib/platform/secrets";
import { version } from "@/package.json";

const MIGRATIONS = "db/migrations";
const FAILED = 1;
const INTERRUPTED = 130;
/** Time for an interrupted command to clean up. */
const CLEAN_UP_MS = 11_000;
/** Commands that must work when the secrets do not match the database: they report that and fix it. */
const WITHOUT_FITTING_SECRETS = ["secret", "doctor", "migrate"];

const dataDir = resolve(env.DATA_DIR);
const argv = process.argv.slice(2);
const isComplete = [env.AUTH_SECRET, env.KEY_PEPPER, env.KEKS].every((secret) => secret !== undefined);

const stopping = new AbortController();
let opening: Promise<EmbeddedServer> | undefined;
let connection: Connection | undefined;
let migrated: readonly string[] = [];

/** @throws Error if the database lacks migrations; a command does not migrate underneath a running service */
async function refuseOldSchema({ pool }: Connection): Promise<void> {
  const missing = await missingMigrations(pool, MIGRATIONS);
  if (missing.length === 0) return;
  throw new Error(
    `The database lacks ${missing.length} of this version's migrations, starting with ${missing[0]}. Start this version of the service, or run: ${ADMIN_COMMAND} migrate`,
  );
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function migrate(url: string, output: Output): Promise<void> {
  const progress = createProgress(output, "migrate");
  const onMigration = (name: string, index: number, total: number) => {
    progress.at(index / total, name);
    progress.done(`${name}, ${index + 1} of ${total}`);
  };
  migrated = await migrateDatabase(url, MIGRATIONS, { onMigration }).finally(progress.end);
}

async function openServer(): Promise<string> {
  if (env.DATABASE_URL !== undefined) return env.DATABASE_URL;
  opening ??= openEmbedded({ dataDir, binDir: env.PG_BIN_DIR });
  const { url } = await opening;
  stopping.signal.throwIfAborted();
  return url;
}

/** @throws Error naming the variable and the server if it cannot be used */
const acceptsSettings = async (url: string): Promise<boolean> =>
  (await namingDatabase("DATABASE_URL", url, () => trySessions(url))).settings !== "refused";

async function openReachable(): Promise<string> {
  const url = await openServer();
  if (env.DATABASE_URL !== undefined) await acceptsSettings(url);
  return url;
}

/** Opens the running service's database, or the embedded one, started for this command only. */
async function openInstallation(schema: SchemaUse, output: Output) {
  if (env.DATABASE_URL === undefined && schema !== "upgraded") requireDatabase(dataDir);
  if (schema !== "upgraded") openSecrets(dataDir);
  if (env.DATABASE_URL === undefined) useAddressOf({ address: addressOfService(dataDir) });
  const url = await openServer();
  const hasSettings = env.DATABASE_URL === undefined || (await acceptsSettings(url));
  if (schema === "upgraded") {
    const database = { databaseUrl: url, hasSettings };
    await migrateWithSecrets({ dataDir, database, mayDiffer: true }, () => migrate(url, output));
  }
  // Naming a few statements gains nothing, and some poolers do not support it.
  connection = connect({ url, poolSize: 2, prepare: false, hasSettings, applicationName: "imprint-admin" });
  publishConnection(connection);
  if (schema === "upgraded") await ensurePartitionsAround(connection.db, [now(), await databaseNow(connection.db)]);
  if (schema === "current") await refuseOldSchema(connection);
  if (!WITHOUT_FITTING_SECRETS.includes(argv[0] ?? "")) await verifySecrets(connection.db);
  return connection.db;
}

/** Reports why a command could not start. */
const tellReason = (error: unknown) => {
  if (isAppError(error)) throw error;
  throw new AppError("service_unavailable", { message: reasonOf(error), cause: error });
};

const openDatabase = (schema: SchemaUse, output: Output) => openInstallation(schema, output).catch(tellReason);

/** Installation for commands that neither migrate nor need matching secrets. */
const installation: Installation = {
  dataDir,
  migrationsFolder: MIGRATIONS,
  version,
  isEmbedded: env.DATABASE_URL === undefined,
  binDir: env.PG_BIN_DIR,
  callerFolder: callerFolder(),
  givenSecrets: env,
  openServer: () => openReachable().catch(tellReason),
  async compareSecrets(url, secrets) {
    publishSecrets({
      authSecret: secrets.AUTH_SECRET,
      keyPepper: secrets.KEY_PEPPER,
      keks: secrets.KEKS,
      oauthJwks: secrets.OAUTH_JWKS,
      oauthCookieKeys: secrets.OAUTH_COOKIE_KEYS,
    });
    const checking = connect({ url, poolSize: 2, prepare: false, applicationName: "imprint-admin" });
    try {
      return await compareSecrets(checking.db);
    } finally {
      await checking.close();
    }
  },
  claim() {
    if (env.DATABASE_URL !== undefined) return;
    try {
      claimDataDir(dataDir);
    } catch (error) {
      throw new AppError("conflict", { message: reasonOf(error), cause: error });
    }
  },
  signal: stopping.signal,
  output: process.stderr,
};

/** Facts that `doctor` reports about the network data and the known agents. */
async function readDataFacts() {
  await openNetworkData(dataDir, { asnTable: join(import.meta.dirname, "asn.bin") });
  await openAgentKeys();
  await askDirectories();
  return [...describeNetworkData(now()), ...describeAgentKeys()];
}

/** An interruption also waits for a server that is still starting: otherwise it would be left running. */
async function close(): Promise<void> {
  await connection?.close();
  const server = await opening?.catch(() => undefined);
  await server?.close();
}

// Closing a connection while a statement is being sent can make the driver throw.
process.on("uncaughtException", (error: unknown) => {
  if (isLateDriverWrite(error)) return;
  console.error(error);
  void close().finally(() => process.exit(FAILED));
});

let running: Promise<number> = Promise.resolve(INTERRUPTED);

function stop(): void {
  if (stopping.signal.aborted) return;
  stopping.abort(new Error("interrupted"));
  void Promise.race([running, delay(CLEAN_UP_MS)])
    .then(close)
    .finally(() => process.exit(INTERRUPTED));
}

const onSignal = createStopSignals({ stop, abort: () => process.exit(INTERRUPTED) });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, onSignal);

process.stderr.on("error", () => undefined);

running = runAdmin(argv, {
  signal: stopping.signal,
  openDatabase,
  installation,
  stdout: openStandardOutput(),
  stderr: process.stderr,
  migrationsFolder: MIGRATIONS,
  secretsFile: isComplete ? undefined : join(dataDir, "secrets.json"),
  isEmbedded: env.DATABASE_URL === undefined,
  get migrated() {
    return migrated;
  },
  networkFacts: argv[0] === "doctor" ? await readDataFacts() : [],
});
const code = await running;
await close();
// Exits even if work that a command does not wait for, such as another `doctor` check, is still running.
if (stopping.signal.aborted) process.exit(INTERRUPTED);
process.exit(code);

import { type Connection, connect, connectReplica, publishConnection, publishReplica } from "@/db/client";
import { openEmbedded } from "@/db/embedded";
import { databaseFolder } from "@/db/embedded-place";
import { refuseUseElsewhere } from "@/db/embedded-use";
import { SERVICE_CONNECTIONS } from "@/db/older-service";
import { claimDataDir } from "@/db/service-lock.mjs";
import { settingsOfRole, trySessions } from "@/db/session-settings";
import { flushKeyUses } from "@/lib/tenancy/api-keys";
import { baseUrl, env } from "@/lib/platform/env";
import type { Stopper } from "@/lib/interfaces/http/server/stopper";
import { closeRedis } from "@/lib/platform/limits";
import { log } from "@/lib/platform/log";
import { metrics } from "@/lib/platform/metrics";
import { namingDatabase } from "@/lib/platform/name-database";
import { maintainReserve } from "./maintain-reserve";
import type { DatabaseAddress } from "./messages";
import { flushToolCalls } from "@/lib/interfaces/oauth";
import { flushCalls } from "@/lib/metering";

const OUTSIDE =
  "\n          outside DATA_DIR, which PostgreSQL's user cannot enter (it never runs as root); file backups must include both folders";

type ServerOptions = {
  dataDir: string;
  stopper: Stopper;
  /** Called when the service stops; if there is a successor, the embedded server is left running for it. */
  hasSuccessor: () => boolean;
};

/** Attempts follow each other within a second, so one a minute is logged. */
const RESTART_FAILURE_MS = 60_000;

function logRestartFailures(): (error: unknown) => void {
  let loggedAtMs = -Infinity;
  return (error) => {
    if (performance.now() - loggedAtMs < RESTART_FAILURE_MS) return;
    loggedAtMs = performance.now();
    log.error({ err: error }, "the embedded PostgreSQL has exited and cannot be restarted; it is tried again");
  };
}

/**
 * Returns the database URL: the configured server, or the embedded one, which is started if necessary.
 *
 * @throws Error if another service uses the data directory, or the embedded server cannot be started
 */
export async function openDatabaseServer({ dataDir, stopper, hasSuccessor }: ServerOptions): Promise<string> {
  if (env.DATABASE_URL !== undefined) return env.DATABASE_URL;
  // Earlier than the claim, which could not be told from that of a process that has ended.
  await refuseUseElsewhere(databaseFolder(dataDir));
  const claim = claimDataDir(dataDir);
  stopper.onStop({
    name: "data directory",
    timeoutMs: 1_000,
    close: () => {
      claim.release();
      return Promise.resolve();
    },
  });
  const server = await openEmbedded({
    dataDir,
    binDir: env.PG_BIN_DIR,
    onRestarted: () => {
      log.warn("the embedded PostgreSQL had exited and was restarted");
    },
    onRestartFailed: logRestartFailures(),
  });
  stopper.onStop({
    name: "embedded PostgreSQL",
    timeoutMs: 30_000,
    reservedMs: 12_000,
    close: () => server.close({ forSuccessor: hasSuccessor() }),
  });
  maintainReserve(server.folder, stopper);
  claim.update({ address: baseUrl() });
  const state = server.isAdopted ? "running" : "started";
  const note = server.isOutside ? OUTSIDE : "";
  process.stdout.write(`Database  ${state}, files in ${server.folder}${note}\n`);
  return server.url;
}

/** Finds out how to connect to the database, and warns if a pooler in front of it drops session settings. */
export async function findDatabase(databaseUrl: string): Promise<DatabaseAddress> {
  if (env.DATABASE_URL === undefined) return { databaseUrl, hasSettings: true, prepare: env.DATABASE_PREPARE ?? true };
  const { settings, haveDeadline } = await namingDatabase("DATABASE_URL", databaseUrl, () => trySessions(databaseUrl));
  if (!haveDeadline) {
    process.stdout.write(
      `Database  a pooler drops session settings, so the server does not cancel slow statements. Run once, for the role and the database: ${settingsOfRole()}\n`,
    );
  }
  const prepare = env.DATABASE_PREPARE ?? settings === "applied";
  return { databaseUrl, hasSettings: settings !== "refused", prepare };
}

type ReplicaAddress = { url: string; connections: number; prepare: boolean; hasSettings: boolean };

/** Opens connections to the read replica and reports their state in logs and metrics. */
function openReader(connection: Connection, address: ReplicaAddress, stopper: Stopper): void {
  const replica = connectReplica(connection, {
    ...address,
    applicationName: SERVICE_CONNECTIONS,
    maxLagSeconds: env.DATABASE_READ_MAX_LAG_SECONDS,
    onFallback: (reason) => metrics()?.count("imprint_replica_fallbacks_total", { reason }),
    onChange({ usable, problem }) {
      if (usable) log.info("reading from the read replica");
      else log.warn({ problem }, "the server in DATABASE_READ_URL is not used: its statements go to the primary");
    },
  });
  publishReplica(replica);
  stopper.onStop({ name: "read replica", timeoutMs: 3_000, close: replica.close });
}

/**
 * Opens this process's connections, shared with the pages. Buffered counts are written before the connections close.
 */
export function openConnections(
  { databaseUrl: url, hasSettings, prepare, poolSize }: DatabaseAddress & { poolSize: number },
  stopper: Stopper,
): Connection {
  const connection = connect({
    ...{ url, poolSize, prepare, hasSettings, applicationName: SERVICE_CONNECTIONS },
    onShardServer({ server, problem }) {
      if (problem === undefined)
        log.info({ server }, "statements of workspaces on this server are sent to it directly");
      else log.warn({ server, problem }, "statements of workspaces on this server are sent through the coordinator");
    },
  });
  stopper.onStop({ name: "database connections", timeoutMs: 6_000, close: connection.close });
  publishConnection(connection);
  if (env.DATABASE_READ_URL !== undefined)
    openReader(connection, { url: env.DATABASE_READ_URL, connections: poolSize >> 2, prepare, hasSettings }, stopper);
  stopper.onStop({ name: "rate limits", timeoutMs: 1_000, close: closeRedis });
  stopper.onStop(
    { name: "counted calls", timeoutMs: 6_000, close: flushCalls },
    { name: "uses of keys", timeoutMs: 6_000, close: flushKeyUses },
    { name: "calls of tools", timeoutMs: 6_000, close: flushToolCalls },
  );
  return connection;
}

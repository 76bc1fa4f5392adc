import { type Connection, connect, connectReplica, publishConnection, publishReplica } from "@/db/client";
import { openEmbedded } from "@/db/embedded";
import { SERVICE_CONNECTIONS } from "@/db/older-service";
import { claimDataDir } from "@/db/service-lock.mjs";
import { settingsOfRole, trySessions } from "@/db/session-settings";
import { flushKeyUses } from "@/lib/tenancy/api-keys";
import { baseUrl, env } from "@/lib/platform/env";
import type { Stopper } from "@/lib/interfaces/http/server/stopper";
import { closeRedis } from "@/lib/platform/limits";
import { log } from "@/lib/platform/log";
import { metrics } from "@/lib/platform/metrics";
import type { DatabaseAddress } from "./messages";
import { flushToolCalls } from "@/lib/interfaces/oauth";
import { flushCalls } from "@/lib/metering";

const OUTSIDE =
  "\n          outside DATA_DIR, which PostgreSQL's user cannot enter (it never runs as root); a backup of files has to include both";

type ServerOptions = {
  dataDir: string;
  stopper: Stopper;
  /** Asked when the service stops: a successor finds the embedded server running. */
  hasSuccessor: () => boolean;
};

/**
 * The address of the database: the given server, or the embedded one, which runs from now on.
 *
 * @throws Error when another service uses the data directory, or the embedded server cannot be started
 */
export async function openDatabaseServer({ dataDir, stopper, hasSuccessor }: ServerOptions): Promise<string> {
  if (env.DATABASE_URL !== undefined) return env.DATABASE_URL;
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
      log.warn("the embedded PostgreSQL had died and was started again");
    },
  });
  stopper.onStop({
    name: "embedded PostgreSQL",
    timeoutMs: 30_000,
    close: () => server.close({ forSuccessor: hasSuccessor() }),
  });
  claim.update({ address: baseUrl() });
  const state = server.isAdopted ? "running" : "started";
  const note = server.isOutside ? OUTSIDE : "";
  process.stdout.write(`Database  ${state}, files in ${server.folder}${note}\n`);
  return server.url;
}

/** How to connect to the database; says what a pooler in front of it takes away. */
export async function findDatabase(databaseUrl: string): Promise<DatabaseAddress> {
  if (env.DATABASE_URL === undefined) return { databaseUrl, hasSettings: true, prepare: env.DATABASE_PREPARE ?? true };
  const { settings, haveDeadline } = await trySessions(databaseUrl);
  if (!haveDeadline) {
    process.stdout.write(
      `Database  a pooler drops the settings of sessions, so the server ends no statement that takes too long. Run once, for the role and the database: ${settingsOfRole()}\n`,
    );
  }
  const prepare = env.DATABASE_PREPARE ?? settings === "applied";
  return { databaseUrl, hasSettings: settings !== "refused", prepare };
}

type ReplicaAddress = { url: string; connections: number; prepare: boolean; hasSettings: boolean };

/** Connections to the read replica, whose state is told when metrics are read. */
function openReader(connection: Connection, address: ReplicaAddress, stopper: Stopper): void {
  const replica = connectReplica(connection, {
    ...address,
    applicationName: SERVICE_CONNECTIONS,
    maxLagSeconds: env.DATABASE_READ_MAX_LAG_SECONDS,
    onFallback: (reason) => metrics()?.count("imprint_replica_fallbacks_total", { reason }),
    onChange({ usable, problem }) {
      if (usable) log.info("the read replica is read from");
      else log.warn({ problem }, "the read replica is not read from: its statements go to the primary");
    },
  });
  publishReplica(replica);
  stopper.onStop({ name: "read replica", timeoutMs: 3_000, close: replica.close });
}

/** The connections of this process, which it shares with the pages. What is counted in memory is written before they close. */
export function openConnections(
  { databaseUrl: url, hasSettings, prepare, poolSize }: DatabaseAddress & { poolSize: number },
  stopper: Stopper,
): Connection {
  const connection = connect({
    ...{ url, poolSize, prepare, hasSettings, applicationName: SERVICE_CONNECTIONS },
    onShardServer({ server, problem }) {
      if (problem === undefined)
        log.info({ server }, "statements of workspaces on this server are sent to it directly");
      else log.warn({ server, problem }, "statements of workspaces on this server go by way of the coordinator");
    },
  });
  stopper.onStop({ name: "database connections", timeoutMs: 6_000, close: connection.close });
  publishConnection(connection);
  if (env.DATABASE_READ_URL !== undefined)
    openReader(connection, { url: env.DATABASE_READ_URL, connections: poolSize >> 2, prepare, hasSettings }, stopper);
  stopper.onStop({ name: "rate limits", timeoutMs: 1_000, close: closeRedis });
  stopper.onStop({ name: "counted calls", timeoutMs: 6_000, close: flushCalls });
  stopper.onStop({ name: "uses of keys", timeoutMs: 6_000, close: flushKeyUses });
  stopper.onStop({ name: "calls of tools", timeoutMs: 6_000, close: flushToolCalls });
  return connection;
}

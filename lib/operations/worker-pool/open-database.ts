import { type Connection, connect, publishConnection } from "@/db/client";
import { openEmbedded } from "@/db/embedded";
import { SERVICE_CONNECTIONS } from "@/db/older-service";
import { claimDataDir } from "@/db/service-lock.mjs";
import { settingsOfRole, trySessions } from "@/db/session-settings";
import { flushKeyUses } from "@/lib/tenancy/api-keys";
import { baseUrl, env } from "@/lib/platform/env";
import type { Stopper } from "@/lib/interfaces/http/server/stopper";
import { closeRedis } from "@/lib/platform/limits";
import { log } from "@/lib/platform/log";
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

/** The connections of this process, which it shares with the pages. What is counted in memory is written before they close. */
export function openConnections(
  { databaseUrl: url, hasSettings, prepare, poolSize }: DatabaseAddress & { poolSize: number },
  stopper: Stopper,
): Connection {
  const connection = connect({ url, poolSize, prepare, hasSettings, applicationName: SERVICE_CONNECTIONS });
  stopper.onStop({ name: "database connections", timeoutMs: 6_000, close: connection.close });
  publishConnection(connection);
  stopper.onStop({ name: "rate limits", timeoutMs: 1_000, close: closeRedis });
  stopper.onStop({ name: "counted calls", timeoutMs: 6_000, close: flushCalls });
  stopper.onStop({ name: "uses of keys", timeoutMs: 6_000, close: flushKeyUses });
  stopper.onStop({ name: "calls of tools", timeoutMs: 6_000, close: flushToolCalls });
  return connection;
}

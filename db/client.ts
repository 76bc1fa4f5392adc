import { AsyncLocalStorage } from "node:async_hooks";

import { type ExtractTablesWithRelations, sql } from "drizzle-orm";
import type { PgTransaction } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsDatabase, type PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import type postgres from "postgres";

import { addressOn } from "./address";
import type { Role } from "./choose-server";
import { withDeadlines } from "./deadline";
import { causes, isReadOnly } from "./failures";
import { inTime } from "./in-time";
import { openClient } from "./open-client";
import type { Pipelines } from "./pipelines";
import { createRenewable, type Renewable } from "./renewable";
import { type Fallback, openReplica, type Replica, type ReplicaState } from "./replica";
import { newRouting, type Routing } from "./routing";
import { closeAll, LIST_SHARD_SERVERS, openShardConnection, pipelinesOver } from "./shard-connection";
import { createShardServers, type ShardServer, type ShardServerChange } from "./shard-servers";
import * as schema from "./schema";
import { SESSION_SETTINGS } from "./session-settings";

export { isDatabaseUnavailable } from "./failures";

type Schema = typeof schema;
export type Database = PostgresJsDatabase<Schema>;
type Transaction = PgTransaction<PostgresJsQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>;
/** A database or an open transaction. */
export type Db = Database | Transaction;

type ConnectOptions = {
  url: string;
  poolSize: number;
  prepare: boolean;
  applicationName: string;
  /** Whether connections may send settings at startup; false behind a pooler that rejects them. */
  hasSettings?: boolean;
  /** Called when statements start to go directly to a shard server, and when they stop. */
  onShardServer?: ((change: ShardServerChange) => void) | undefined;
};

type Sent = { text: string; parameters: readonly unknown[] };
const sentStatements = new AsyncLocalStorage<Sent[]>();

/** Runs `work` and records every statement it sends to the database server; `sent` includes the parameters. */
export async function countRoundTrips<T>(
  work: () => Promise<T>,
): Promise<{ result: T; roundTrips: number; statements: string[]; sent: Sent[] }> {
  const recorded: Sent[] = [];
  const result = await sentStatements.run(recorded, work);
  // Copied, because timers started by `work` may still append.
  const sent = [...recorded];
  return { result, roundTrips: sent.length, statements: sent.map(({ text }) => text), sent };
}

/** Opens a pool that connects on first use and reconnects automatically. */
export function connectPool({
  url,
  poolSize,
  applicationName,
  prepare,
  hasSettings = true,
  role,
  onClose,
}: ConnectOptions & { role?: Role; onClose?: () => void }): postgres.Sql {
  const clientOptions = {
    ...(onClose && { onclose: onClose }),
    max: poolSize,
    // Also covers savepoints, which the driver would otherwise send as named statements.
    prepare,
    // The driver would otherwise query array types on its own, and that query's failure on a lost connection cannot be
    // caught.
    fetch_types: false,
    connect_timeout: 4,
    idle_timeout: 0,
    max_lifetime: 3600,
    // The driver's default backs off for up to 20 s after an outage.
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 0.5),
    onnotice: () => undefined,
    connection: {
      application_name: applicationName,
      TimeZone: "UTC",
      ...(hasSettings ? SESSION_SETTINGS : {}),
    },
  };
  return openClient(url, clientOptions, role);
}

type Channels = {
  pool: postgres.Sql;
  pipelines: Pipelines | undefined;
  prepare: boolean;
  routing: Routing;
  /** Called with the error of every failed statement and transaction. */
  onFailure: (error: unknown) => void;
  /** Called when a sent statement got no answer. */
  onSilence: () => void;
};

const onRoundTrip = (text: string, parameters: readonly unknown[]) =>
  void sentStatements.getStore()?.push({ text, parameters });

function databaseOver({ pool, pipelines, prepare, routing, onFailure, onSilence }: Channels): Database {
  return drizzle(withDeadlines(pool, { prepare, onRoundTrip, onFailure, onSilence, pipelines, routing }), { schema });
}

/** The renewal is repeated after this time, for connections that still reached the old server. */
const RENEWAL_MS = 1_000;

/**
 * Opens new connections when the server turns read-only. After a failover the same address leads to a new primary, but
 * open connections stay with the old server, which keeps answering reads.
 */
function renewWhenReadOnly(clients: readonly Renewable[]) {
  let repetition: NodeJS.Timeout | undefined;
  let readOnlyAt = Number.NEGATIVE_INFINITY;
  const renewAll = () => {
    for (const { renew } of clients) renew();
  };
  return {
    renewAll,
    readOnlyAt: () => readOnlyAt,
    onFailure(error: unknown) {
      if (!isReadOnly(error)) return;
      readOnlyAt = performance.now();
      if (repetition) return;
      renewAll();
      repetition = setTimeout(() => {
        repetition = undefined;
        renewAll();
      }, RENEWAL_MS).unref();
    },
  };
}

/**
 * Replaces the pool's connections when one could not be established in time: the cause may be the driver bug described
 * in `pipelines.ts`.
 */
function renewWhenTimedOut(pool: Renewable) {
  let renewedAt = Number.NEGATIVE_INFINITY;
  const renew = () => {
    if (performance.now() - renewedAt < RENEWAL_MS) return;
    renewedAt = performance.now();
    pool.renew();
  };
  return {
    /**
     * For open connections: if the server machine is gone, the operating system notices only after about 15 minutes.
     */
    onSilence: renew,
    onTimeOut: (error: unknown) => {
      if ([...causes(error)].some((at) => "code" in at && at.code === "CONNECT_TIMEOUT")) renew();
    },
  };
}

export type Connection = Channels & {
  db: Database;
  /** When the server was last found to be read-only, on the `performance.now` clock. */
  readOnlyAt: () => number;
  /** Makes all further statements use new connections. */
  renewAll: () => void;
  close: () => Promise<void>;
};

/**
 * Opens a database over `poolSize` connections, which connect on first use: half for short statements, the rest for
 * transactions and long statements. Unprepared statements cannot be pipelined, since the server describes them before
 * each run, so they share one pool with everything else.
 *
 * If tables are distributed, short statements of a workspace go directly to its shard server, over the same number of
 * connections per server.
 */
export function connect({ prepare, poolSize, onShardServer, ...options }: ConnectOptions): Connection {
  const short = prepare ? Math.floor(poolSize / 2) : 0;
  const open = (url: string, size: number) => {
    const client = connectPool({ ...options, url, prepare, poolSize: size });
    // Drizzle turns off the driver's own parsing of JSON and timestamps.
    drizzle(client);
    return client;
  };
  const openShort = (url: string): Renewable[] =>
    Array.from({ length: short }, () => createRenewable(() => open(url, 1)));
  const clients = openShort(options.url);
  const pool = createRenewable(() => open(options.url, poolSize - short));
  const servers = createShardServers({
    list: () => inTime(pool.client.unsafe<ShardServer[]>(LIST_SHARD_SERVERS)),
    open: (server) => openShardConnection(openShort(addressOn(options.url, server)), server),
    onChange: onShardServer,
  });
  const renewal = renewWhenReadOnly([pool, ...clients]);
  const { onTimeOut, onSilence } = renewWhenTimedOut(pool);
  const channels = {
    ...renewal,
    onFailure(error: unknown) {
      renewal.onFailure(error);
      onTimeOut(error);
    },
    onSilence,
    pool: pool.client,
    pipelines: pipelinesOver(clients),
    prepare,
    routing: newRouting(servers),
  };
  return {
    ...channels,
    db: databaseOver(channels),
    close: async () => {
      await Promise.all([closeAll([pool, ...clients]), servers.close()]);
    },
  };
}

type ReplicaOptions = Omit<ConnectOptions, "poolSize"> & {
  connections: number;
  maxLagSeconds: number;
  /** Called for each statement that falls back to the primary. */
  onFallback: (reason: Fallback) => void;
  /** Called when the replica becomes usable or unusable. */
  onChange?: (change: { usable: boolean; problem: ReplicaState["problem"] }) => void;
};

/** Opens connections to a replica of the database that `primary` is connected to. */
export function connectReplica(primary: Channels, options: ReplicaOptions): Replica {
  const { pool, prepare, routing, onFailure } = primary;
  return openReplica({
    open(onLost) {
      const client = connectPool({ ...options, poolSize: 1, role: "standby", onClose: onLost });
      drizzle(client);
      return client;
    },
    ...options,
    primary: { pool, client: withDeadlines(pool, { prepare, onRoundTrip, onFailure, routing }) },
    routing,
    onRoundTrip,
  });
}

const HOLDER = Symbol.for("imprint.database");
const REPLICA = Symbol.for("imprint.replica");
type Holder = { [HOLDER]?: Channels; [REPLICA]?: Pick<Replica, "client" | "state"> | undefined };

/** Shares connections with the other module graph in this process. */
export function publishConnection({ pool, pipelines, prepare, routing, onFailure, onSilence }: Channels): void {
  (globalThis as Holder)[HOLDER] = { pool, pipelines, prepare, routing, onFailure, onSilence };
}

let own: { pool: postgres.Sql; db: Database } | undefined;

/** The database of this process, over the connections published by the server entry point. */
export function database(): Database {
  const shared = (globalThis as Holder)[HOLDER];
  if (!shared) throw new Error("The database is not open: the service is started through server.ts");
  if (own?.pool !== shared.pool) own = { pool: shared.pool, db: databaseOver(shared) };
  return own.db;
}

/** Shares a replica with the other module graph in this process, or withdraws it with `undefined`. */
export function publishReplica(replica: Pick<Replica, "client" | "state"> | undefined): void {
  (globalThis as Holder)[REPLICA] = replica;
}

/** State of this process's replica; undefined without one. */
export const replicaState = (): ReplicaState | undefined => (globalThis as Holder)[REPLICA]?.state();

let ownReader: { client: postgres.Sql; db: Database } | undefined;

/**
 * Database for reads that may be a few seconds old: the replica while it is fresh enough, otherwise the primary.
 * Undefined without a replica. Transactions, and statements that turn out to write, run on the primary.
 */
export function readerDatabase(): Database | undefined {
  const client = (globalThis as Holder)[REPLICA]?.client;
  if (!client) return undefined;
  if (ownReader?.client !== client) ownReader = { client, db: drizzle(client, { schema }) };
  return ownReader.db;
}

/**
 * Whether `error` is a known driver bug: postgres 3.4.9 writes to a connection that the server has closed, from a timer
 * where the error cannot be caught. The affected queries end at their deadlines; the process must keep running.
 */
export const isLateDriverWrite = (error: unknown): boolean =>
  error instanceof TypeError && /\bnextWrite\b.*[\\/](postgres|dist)[\\/]/.test(error.stack ?? "");

/**
 * Extracts a name from a Citus coordinator's message about a failure on a shard, which lacks the error fields. The
 * shard id suffix is removed.
 */
const wordsOfShard = (error: object, pattern: RegExp): string | undefined =>
  "message" in error && typeof error.message === "string"
    ? pattern.exec(error.message)?.[1]?.replace(/_\d{6,}$/, "")
    : undefined;

/** Name of the constraint that a failed statement violated. */
export function violatedConstraint(error: unknown): string | undefined {
  for (const at of causes(error)) {
    if ("constraint_name" in at && typeof at.constraint_name === "string") return at.constraint_name;
    if ("code" in at && typeof at.code === "string" && at.code.startsWith("23")) {
      const name = wordsOfShard(at, /constraint "([^"]+)"/);
      if (name !== undefined) return name;
    }
  }
  return undefined;
}

/** The `not null` column that a failed statement left null. */
export function emptyColumn(error: unknown): string | undefined {
  for (const at of causes(error)) {
    if (!("code" in at) || at.code !== "23502") continue;
    if ("column_name" in at && typeof at.column_name === "string") return at.column_name;
    return wordsOfShard(at, /column "([^"]+)"/);
  }
  return undefined;
}

/** Current time of the database clock. */
export async function databaseNow(db: Db): Promise<Date> {
  const [row] = await db.execute<{ at: string }>(sql`select extract(epoch from clock_timestamp()) * 1000 as at`);
  if (!row) throw new Error("the database did not return the time");
  return new Date(Number(row.at));
}

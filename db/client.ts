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
  /** Whether a connection may begin with settings: not through a pooler that refuses them. */
  hasSettings?: boolean;
  /** Called when statements begin to go directly to a server with shards, and when they no longer do. */
  onShardServer?: ((change: ShardServerChange) => void) | undefined;
};

type Sent = { text: string; parameters: readonly unknown[] };
const sentStatements = new AsyncLocalStorage<Sent[]>();

/** Runs `work` and records each statement that it sent to the database server, `sent` with its parameters. */
export async function countRoundTrips<T>(
  work: () => Promise<T>,
): Promise<{ result: T; roundTrips: number; statements: string[]; sent: Sent[] }> {
  const recorded: Sent[] = [];
  const result = await sentStatements.run(recorded, work);
  // A copy: timers that the work has started may add more.
  const sent = [...recorded];
  return { result, roundTrips: sent.length, statements: sent.map(({ text }) => text), sent };
}

/** Opens a pool. It connects on first use and reconnects by itself. */
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
    // The driver names statements of its own, too: savepoints.
    prepare,
    // The driver would query array types by itself, and that query's failure on a lost connection cannot be caught.
    fetch_types: false,
    connect_timeout: 4,
    idle_timeout: 0,
    max_lifetime: 3600,
    // The driver's default waits up to 20 s after an outage.
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
  /** Called with the error of each statement and transaction that failed. */
  onFailure: (error: unknown) => void;
  /** Called when a sent statement was not answered. */
  onSilence: () => void;
};

const onRoundTrip = (text: string, parameters: readonly unknown[]) =>
  void sentStatements.getStore()?.push({ text, parameters });

function databaseOver({ pool, pipelines, prepare, routing, onFailure, onSilence }: Channels): Database {
  return drizzle(withDeadlines(pool, { prepare, onRoundTrip, onFailure, onSilence, pipelines, routing }), { schema });
}

/** A renewal is repeated after this time, for connections that still led to the old server. */
const RENEWAL_MS = 1_000;

/**
 * Opens new connections when the server turned read-only. After a failover the same address leads to another server,
 * but open connections stay with the old one, which goes on reading.
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
 * Opens new connections of the pool when one did not come about in time: the driver may be at fault, as `pipelines.ts`
 * tells of those of one connection.
 */
function renewWhenTimedOut(pool: Renewable) {
  let renewedAt = Number.NEGATIVE_INFINITY;
  const renew = () => {
    if (performance.now() - renewedAt < RENEWAL_MS) return;
    renewedAt = performance.now();
    pool.renew();
  };
  return {
    /** Of one that is open, when the machine of the server is gone: the system notices after a quarter of an hour. */
    onSilence: renew,
    onTimeOut: (error: unknown) => {
      if ([...causes(error)].some((at) => "code" in at && at.code === "CONNECT_TIMEOUT")) renew();
    },
  };
}

export type Connection = Channels & {
  db: Database;
  /** When the server was last found to only read, on the clock of `performance.now`. */
  readOnlyAt: () => number;
  /** Has every statement from now on use a new connection. */
  renewAll: () => void;
  close: () => Promise<void>;
};

/**
 * A database over `poolSize` connections: half of them for short statements, the rest for transactions and for long
 * statements. They connect on first use. Unprepared statements cannot be pipelined, since the server describes them
 * before each run: they share one pool with the rest.
 *
 * Where tables are distributed, short statements of a workspace go to its server, over as many connections to each.
 */
export function connect({ prepare, poolSize, onShardServer, ...options }: ConnectOptions): Connection {
  const short = prepare ? Math.floor(poolSize / 2) : 0;
  const open = (url: string, size: number) => {
    const client = connectPool({ ...options, url, prepare, poolSize: size });
    // Drizzle switches the driver's parsing of JSON and times off.
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
  /** Called for each statement that the primary answers instead. */
  onFallback: (reason: Fallback) => void;
  /** Called when the replica can be read from, or no more. */
  onChange?: (change: { usable: boolean; problem: ReplicaState["problem"] }) => void;
};

/** Connections to a replica of the database that `primary` is connected to. */
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

/** Shares connections with the other module graph of this process. */
export function publishConnection({ pool, pipelines, prepare, routing, onFailure, onSilence }: Channels): void {
  (globalThis as Holder)[HOLDER] = { pool, pipelines, prepare, routing, onFailure, onSilence };
}

let own: { pool: postgres.Sql; db: Database } | undefined;

/** The database of this process, over the connections that the server entry published. */
export function database(): Database {
  const shared = (globalThis as Holder)[HOLDER];
  if (!shared) throw new Error("The database is not open: the service is started through server.ts");
  if (own?.pool !== shared.pool) own = { pool: shared.pool, db: databaseOver(shared) };
  return own.db;
}

/** Shares a replica with the other module graph of this process, or takes it back. */
export function publishReplica(replica: Pick<Replica, "client" | "state"> | undefined): void {
  (globalThis as Holder)[REPLICA] = replica;
}

/** How the replica of this process is; nothing without one. */
export const replicaState = (): ReplicaState | undefined => (globalThis as Holder)[REPLICA]?.state();

let ownReader: { client: postgres.Sql; db: Database } | undefined;

/**
 * Where to read what may be some seconds old: a replica while it is fresh enough, else the primary. Nothing without a
 * replica. A transaction, and a statement that turns out to write, is for the primary.
 */
export function readerDatabase(): Database | undefined {
  const client = (globalThis as Holder)[REPLICA]?.client;
  if (!client) return undefined;
  if (ownReader?.client !== client) ownReader = { client, db: drizzle(client, { schema }) };
  return ownReader.db;
}

/**
 * Whether `error` is a fault of the driver: postgres 3.4.9 writes to a connection that the server has closed, from a
 * timer where it cannot be caught. The queries concerned end by their deadlines; the process must continue.
 */
export const isLateDriverWrite = (error: unknown): boolean =>
  error instanceof TypeError && /\bnextWrite\b.*[\\/](postgres|dist)[\\/]/.test(error.stack ?? "");

/** What a coordinator of Citus tells of a failure on a shard: its words, without the fields. The shard's number is left out. */
const wordsOfShard = (error: object, pattern: RegExp): string | undefined =>
  "message" in error && typeof error.message === "string"
    ? pattern.exec(error.message)?.[1]?.replace(/_\d{6,}$/, "")
    : undefined;

/** The name of the constraint that a failed statement violated. */
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

/** The `not null` column that a failed statement left empty. */
export function emptyColumn(error: unknown): string | undefined {
  for (const at of causes(error)) {
    if (!("code" in at) || at.code !== "23502") continue;
    if ("column_name" in at && typeof at.column_name === "string") return at.column_name;
    return wordsOfShard(at, /column "([^"]+)"/);
  }
  return undefined;
}

/** The database clock. */
export async function databaseNow(db: Db): Promise<Date> {
  const [row] = await db.execute<{ at: string }>(sql`select extract(epoch from clock_timestamp()) * 1000 as at`);
  if (!row) throw new Error("the database did not return the time");
  return new Date(Number(row.at));
}

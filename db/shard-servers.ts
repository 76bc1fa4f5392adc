import { LRUCache } from "lru-cache";

import { codeOf, isReadOnly } from "./failures";
import { isLoss, type Pipelines } from "./pipelines";
import type { ShardTables } from "./shard-reads";

/**
 * A server with shards, at the address the other servers use, and the installation's first workspace, which identifies
 * the installation.
 */
export type ShardServer = { group: number; host: string; port: number; workspace: string | null };
export type ShardConnection = {
  pipelines: Pipelines;
  readTables: (shard: number) => Promise<ReadonlyMap<string, number>>;
  close: () => Promise<void>;
};
/** Location of a workspace's rows: the group of the server, and the shard of the workspace's visits. */
type ShardPlace = { group: number; shard: number };

/** A working connection, and a callback for its failures. */
type UsableConnection = {
  pipelines: Pipelines;
  /** The tables of the workspace's shard, once known. */
  tables: ShardTables | undefined;
  /** Reports a failed statement; returns whether it may have run. */
  failed: (error: unknown) => "not sent" | "unknown";
};

export type ShardServers = {
  /** The connection to a workspace's server; undefined while the server is unknown or unreachable. */
  connectionFor: (workspace: string) => UsableConnection | undefined;
  /** Records where a statement of the workspace ran. */
  learn: (workspace: string, place: ShardPlace) => void;
  forget: (workspace: string) => void;
  close: () => Promise<void>;
};

/** A change in a server's connection; with `problem`, statements go through the coordinator again. */
export type ShardServerChange = { server: string; problem?: string };

type Options = {
  /** Lists the servers with shards; called before each connection attempt. */
  list: () => Promise<readonly ShardServer[]>;
  /** Connects to a server and verifies that it is that of the group; rejects otherwise. */
  open: (server: ShardServer) => Promise<ShardConnection>;
  onChange?: ((change: ShardServerChange) => void) | undefined;
};

/** Size of the workspace cache: as large as the caches that map environments and keys to workspaces. */
const MAX_WORKSPACES = 10_000;
/** Delay before an unreachable server is retried; doubled on each failure. */
const RETRY_MS = { least: 1_000, most: 60_000 };

/**
 * Codes of failures before anything was sent: no connection was established (57P03: the server is starting), it was
 * refused (28: role or password, 53300: too many connections), or the database does not exist there (3D000).
 */
const NOT_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT|57P03|28[0-9A-Z]{3}|53300|3D000)$/;
/** Code of a missed statement deadline: the server or the network may hang. */
const LATE = "service_unavailable";
/** undefined_function: the function that runs statements on a shard is missing. */
const NO_FUNCTION = "42883";

const endsConnection = (error: unknown): boolean =>
  isLoss(error) || isReadOnly(error) || NOT_SENT.test(codeOf(error)) || [LATE, NO_FUNCTION].includes(codeOf(error));

type Open = {
  state: "open";
  attempts: 0;
  connection: ShardConnection;
  failed: UsableConnection["failed"];
  /** Tables by shard; undefined while the query is in progress. */
  tables: Map<number, ShardTables | undefined>;
};
type Route = Open | { state: "opening"; attempts: number } | { state: "closed"; attempts: number; retryAtMs: number };

const IGNORED = () => undefined;

/** The tables of a shard; the first call fetches them in the background. */
function tablesOf({ tables, connection }: Open, shard: number): ShardTables | undefined {
  if (!tables.has(shard)) {
    tables.set(shard, undefined);
    connection.readTables(shard).then((names) => {
      tables.set(shard, { shard, names });
    }, IGNORED);
  }
  return tables.get(shard);
}

const nameOf = ({ host, port }: ShardServer) => `${host}:${port}`;

/** Connections by server group, each opened on first use. */
function createRoutes({ list, open, onChange }: Options) {
  const routes = new Map<number, Route>();
  let isClosed = false;

  function giveUp(group: number, attempts: number): void {
    const delayMs = Math.min(RETRY_MS.least * 2 ** attempts, RETRY_MS.most);
    routes.set(group, { state: "closed", attempts: attempts + 1, retryAtMs: performance.now() + delayMs });
  }

  function establish(group: number, server: ShardServer, connection: ShardConnection): void {
    const route: Open = {
      state: "open",
      attempts: 0,
      connection,
      tables: new Map(),
      failed(error) {
        if (!endsConnection(error)) return "unknown";
        // All statements in flight fail together; the first failure closes the connection.
        if (routes.get(group) === route) {
          giveUp(group, 0);
          onChange?.({ server: nameOf(server), problem: String(error) });
          void connection.close();
        }
        return NOT_SENT.test(codeOf(error)) ? "not sent" : "unknown";
      },
    };
    routes.set(group, route);
    onChange?.({ server: nameOf(server) });
  }

  async function connect(group: number, attempts: number): Promise<void> {
    routes.set(group, { state: "opening", attempts });
    let server: ShardServer | undefined;
    try {
      server = (await list()).find((each) => each.group === group);
      if (!server) throw new Error(`the coordinator has no server for group ${group}`);
      const connection = await open(server);
      if (isClosed) await connection.close();
      else establish(group, server, connection);
    } catch (error) {
      giveUp(group, attempts);
      if (attempts === 0 && server && !isClosed) onChange?.({ server: nameOf(server), problem: String(error) });
    }
  }

  return {
    /** The open connection to a server; if there is none, it is opened in the background. */
    find(group: number): Open | undefined {
      if (isClosed) return undefined;
      const route = routes.get(group);
      if (route?.state === "open") return route;
      if (!route || (route.state === "closed" && performance.now() >= route.retryAtMs))
        void connect(group, route?.attempts ?? 0);
      return undefined;
    },
    async close() {
      isClosed = true;
      const open = [...routes.values()].flatMap((route) => (route.state === "open" ? [route.connection.close()] : []));
      routes.clear();
      await Promise.all(open);
    },
  };
}

/**
 * Connections to the shard servers of a cluster, so that statements bypass the coordinator, which would plan and
 * forward them. They are only an optimisation: each is opened in the background when a statement could have used it,
 * used once it is established, and abandoned at the first failure, after which statements go through the coordinator.
 */
export function createShardServers(options: Options): ShardServers {
  const places = new LRUCache<string, ShardPlace>({ max: MAX_WORKSPACES });
  const routes = createRoutes(options);
  return {
    connectionFor(workspace) {
      const place = places.get(workspace);
      const route = place && routes.find(place.group);
      if (!route) return undefined;
      const { connection, failed } = route;
      return { pipelines: connection.pipelines, tables: tablesOf(route, place.shard), failed };
    },
    learn(workspace, place) {
      // Shards on the coordinator itself are reached through the normal connections.
      if (place.group !== 0) places.set(workspace, place);
    },
    forget(workspace) {
      places.delete(workspace);
    },
    close: () => routes.close(),
  };
}

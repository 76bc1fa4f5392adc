import { LRUCache } from "lru-cache";

import { codeOf, isReadOnly } from "./failures";
import { isLoss, type Pipelines } from "./pipelines";
import type { ShardTables } from "./shard-reads";

/** A server that has shards, as the others reach it, and the first workspace of the installation, by which it is known. */
export type ShardServer = { group: number; host: string; port: number; workspace: string | null };
export type ShardConnection = {
  pipelines: Pipelines;
  readTables: (shard: number) => Promise<ReadonlyMap<string, number>>;
  close: () => Promise<void>;
};
/** Where the rows of a workspace lie: the group of its server, and the shard of its visits. */
type ShardPlace = { group: number; shard: number };

/** A connection that works, and who is to be told when it does not. */
type UsableConnection = {
  pipelines: Pipelines;
  /** The tables of the workspace's shard, once they are known. */
  tables: ShardTables | undefined;
  /** Whether a statement that failed may have run. */
  failed: (error: unknown) => "not sent" | "unknown";
};

export type ShardServers = {
  /** How to send a statement of a workspace to its server; nothing while that is unknown or cannot be reached. */
  connectionFor: (workspace: string) => UsableConnection | undefined;
  /** Notes where a statement of the workspace ran. */
  learn: (workspace: string, place: ShardPlace) => void;
  forget: (workspace: string) => void;
  close: () => Promise<void>;
};

/** What a change of a server's connection was; `problem` when statements go by way of the coordinator again. */
export type ShardServerChange = { server: string; problem?: string };

type Options = {
  /** The servers with shards, asked whenever one is to be connected to. */
  list: () => Promise<readonly ShardServer[]>;
  /** Connects to a server that proves to be the one of the group; rejects where it cannot. */
  open: (server: ShardServer) => Promise<ShardConnection>;
  onChange?: ((change: ShardServerChange) => void) | undefined;
};

/** Workspaces whose server is remembered: as many as environments and keys whose workspace is. */
const MAX_WORKSPACES = 10_000;
/** Time until a server that could not be reached is tried again; doubled each time. */
const RETRY_MS = { least: 1_000, most: 60_000 };

/**
 * Ended before anything was sent: no connection came about (57P03: the server starts), it was refused (28: role or
 * password, 53300: too many), or the server has no such database (3D000).
 */
const NOT_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT|57P03|28[0-9A-Z]{3}|53300|3D000)$/;
/** The deadline of a statement: the server, or what lies between, may hang. */
const LATE = "service_unavailable";
/** The function by which statements run on a shard is not there. */
const NO_FUNCTION = "42883";

const endsConnection = (error: unknown): boolean =>
  isLoss(error) || isReadOnly(error) || NOT_SENT.test(codeOf(error)) || [LATE, NO_FUNCTION].includes(codeOf(error));

type Open = {
  state: "open";
  attempts: 0;
  connection: ShardConnection;
  failed: UsableConnection["failed"];
  /** Of the shards that were asked for; nothing while the answer is on its way. */
  tables: Map<number, ShardTables | undefined>;
};
type Route = Open | { state: "opening"; attempts: number } | { state: "closed"; attempts: number; retryAtMs: number };

const IGNORED = () => undefined;

/** The tables of a shard; asked for in the background the first time. */
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

/** The connections by the group of their server; each is opened when it is first asked for. */
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
        // All statements in flight fail together: the first one ends the connection.
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
      if (!server) throw new Error(`the coordinator knows no server of the group ${group}`);
      const connection = await open(server);
      if (isClosed) await connection.close();
      else establish(group, server, connection);
    } catch (error) {
      giveUp(group, attempts);
      if (attempts === 0 && server && !isClosed) onChange?.({ server: nameOf(server), problem: String(error) });
    }
  }

  return {
    /** The open connection to a server; where there is none it is opened in the background. */
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
 * Connections to the servers of a cluster, so that a statement does not go by way of the coordinator, which plans it and
 * hands it on. They are a short cut: each is opened in the background when a statement would have used it, used once it
 * has answered, and given up at the first failure, after which statements go by way of the coordinator.
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
      // The coordinator's own shards are where the other connections lead.
      if (place.group !== 0) places.set(workspace, place);
    },
    forget(workspace) {
      places.delete(workspace);
    },
    close: () => routes.close(),
  };
}

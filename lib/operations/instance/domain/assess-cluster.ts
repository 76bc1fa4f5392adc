import { type CheckResult, fail, ok, warn } from "./check-result";

type Node = {
  name: string;
  isCoordinator: boolean;
  hasShards: boolean;
  isReachable: boolean;
  obstacle: string;
  routedFunction: "current" | "other" | "missing";
  bytes: number;
};

export type Cluster = {
  nodes: readonly Node[];
  shards: number;
  unplaced: readonly string[];
  largest: readonly { workspaceId: string; devices: number; share: number; hasOwnShard: boolean }[];
};

/** Maximum ratio of the fullest server's size to the mean. */
const MAX_SKEW = 1.5;
/** Below this total, rebalancing is not worthwhile. */
const MIN_BYTES = 100e6;
/** Share of all devices above which a workspace should have its own shard. */
const LARGE_SHARE = 0.2;
const MIN_DEVICES = 10_000;

const size = (bytes: number) => (bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toPrecision(2)} GB`);
const list = (nodes: readonly Node[]) => nodes.map(({ name }) => name).join(", ");

function assessNodes({ nodes, shards }: Cluster, command: string): CheckResult {
  const name = "cluster";
  const away = nodes.filter(({ isReachable }) => !isReachable);
  if (away.length > 0)
    return fail(
      name,
      `Of ${nodes.length} servers, ${list(away)} does not answer: workspaces with shards there get 503, and nobody can create or change workspaces, members and keys.`,
      "Start it again: requests then work without further action.",
    );
  if (shards === 0)
    return warn(
      name,
      `The database has Citus and ${nodes.length} servers, but its tables are not distributed.`,
      `Run \`${command} distribute\`.`,
    );
  return ok(name, `All ${nodes.length} servers answer: ${list(nodes)}.`);
}

/** Without the function, no statement of a workspace runs; a different version comes from another release. */
function assessRoutedFunction({ nodes }: Cluster, command: string): CheckResult[] {
  const missing = nodes.filter(({ routedFunction }) => routedFunction === "missing");
  const other = nodes.filter(({ routedFunction }) => routedFunction === "other");
  if (missing.length === 0 && other.length === 0) return [];
  const found = [
    ...(missing.length > 0 ? [`is missing on ${list(missing)}`] : []),
    ...(other.length > 0 ? [`is that of another release on ${list(other)}`] : []),
  ];
  const text = `The function run_on_shard, which runs statements on their shard, ${found.join(", and ")}.`;
  const fix = `Run \`${command} distribute\`, which creates it on every server.`;
  return [missing.length > 0 ? fail("run-on-shard", text, fix) : warn("run-on-shard", text, fix)];
}

function assessShards({ nodes, shards, unplaced }: Cluster, command: string): CheckResult {
  const name = "shards";
  if (unplaced.length > 0)
    return warn(name, `Not distributed: ${unplaced.join(", ")}.`, `Run \`${command} distribute\`.`);
  const holders = nodes.filter(({ hasShards, isReachable }) => hasShards && isReachable);
  const total = holders.reduce((sum, { bytes }) => sum + bytes, 0);
  const most = Math.max(...holders.map(({ bytes }) => bytes));
  const skew = total === 0 ? 1 : (most * holders.length) / total;
  const held = holders.map((node) => `${node.name} ${size(node.bytes)}`).join(", ");
  const text = `${shards} shards: ${held}. The fullest server holds ${skew.toFixed(2)} times the mean.`;
  if (skew <= MAX_SKEW || total < MIN_BYTES) return ok(name, text);
  return warn(name, text, `Run \`${command} distribute --rebalance\`.`);
}

function assessLargest({ largest }: Cluster, command: string): CheckResult[] {
  if (largest.length === 0) return [];
  const name = "largest-workspaces";
  const text = `By devices: ${largest
    .map(
      ({ workspaceId, devices, share, hasOwnShard }) =>
        `${workspaceId} ${devices} (${Math.round(100 * share)} %${hasOwnShard ? ", on its own shard" : ""})`,
    )
    .join(", ")}.`;
  const crowded = largest.find(
    ({ share, devices, hasOwnShard }) => share > LARGE_SHARE && devices >= MIN_DEVICES && !hasOwnShard,
  );
  if (!crowded) return [ok(name, text)];
  return [warn(name, text, `Run \`${command} distribute --isolate ${crowded.workspaceId}\`.`)];
}

/** The limits of any cluster, and of this one. */
function assessLimits({ nodes }: Cluster): CheckResult {
  const name = "cluster-limits";
  const held = nodes.filter(({ obstacle }) => obstacle !== "");
  const text =
    "A backup reads each server at its own instant. While a server is down, nobody can create or change workspaces, members and keys.";
  if (held.length === 0) return ok(name, `${text} Shards are moved while the service runs.`);
  return warn(
    name,
    `${text} Shards cannot be moved while the service runs, because of ${[...new Set(held.map(({ obstacle }) => obstacle))].join(" and ")} on ${list(held)}.`,
    "On each of them: `alter system set wal_level = logical`, then a restart; if PostgreSQL has this setting, `alter system set output_plugin_libraries = pgoutput, citus`, then `select pg_reload_conf()`.",
  );
}

/** The facts that doctor reports about a cluster; `command` is the admin command. */
export function assessCluster(cluster: Cluster, command: string): CheckResult[] {
  const nodes = assessNodes(cluster, command);
  if (cluster.shards === 0) return [nodes];
  return [
    nodes,
    ...assessRoutedFunction(cluster, command),
    assessShards(cluster, command),
    ...assessLargest(cluster, command),
    assessLimits(cluster),
  ];
}

/** One line to print at startup. */
export function describeCluster({ nodes, shards }: Cluster): string {
  const away = nodes.filter(({ isReachable }) => !isReachable);
  const base = `Cluster   ${nodes.length} database servers, ${shards} shards`;
  if (shards === 0) return `Cluster   Citus is installed, but the tables are not distributed`;
  return away.length === 0 ? base : `${base}; ${list(away)} does not answer: its workspaces get 503 until it does`;
}

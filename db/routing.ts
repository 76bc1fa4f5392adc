import { createHash } from "node:crypto";

import { causes, isReadOnly } from "./failures";
import type { Pipelines } from "./pipelines";
import { ROUTED_FUNCTION } from "./routed-function";
import type { ShardServers } from "./shard-servers";
import { onShard, type ReadOnShard } from "./shard-reads";
import { nameStatement } from "./statement-name";

/**
 * Routing state shared by all connections of a process. `distribution` is `unsupported` without Citus, `local` if Citus
 * is installed but the tenant tables are not distributed, or `distributed`. `servers` has the direct connections to
 * shard servers.
 */
export type Routing = {
  distribution: "unsupported" | "local" | "distributed" | undefined;
  servers: ShardServers | undefined;
};

export const newRouting = (servers?: ShardServers): Routing => ({ distribution: undefined, servers });

type Send = (text: string, parameters: unknown[]) => PromiseLike<unknown>;
/** `unsafeThrough` sends over given pipelines; undefined where nothing is pipelined, as in a transaction. */
type Client = {
  unsafe: Send;
  unsafeShort: Send | undefined;
  unsafeThrough: ((pipelines: Pipelines) => Send) | undefined;
  unsafeUncounted: Send;
  routing: Routing;
};

const FIND_DISTRIBUTION = `
  select exists (select 1 from pg_extension where extname = 'citus') as has_extension,
    to_regprocedure('${ROUTED_FUNCTION}(uuid,text,text,json)') is not null as has_function`;
nameStatement(FIND_DISTRIBUTION, "find shards");

async function findDistribution(client: Client): Promise<NonNullable<Routing["distribution"]>> {
  const [row] = (await client.unsafeUncounted(FIND_DISTRIBUTION, [])) as {
    has_extension: boolean;
    has_function: boolean;
  }[]; // the columns above
  if (row?.has_extension !== true) return "unsupported";
  return row.has_function ? "distributed" : "local";
}

/** Whether Citus cannot plan the statement as one. If tenant tables are distributed, it has to be sent differently. */
const isRefusedByCitus = (error: unknown): boolean =>
  !isReadOnly(error) && [...causes(error)].some((at) => "code" in at && at.code === "0A000");

/**
 * Runs `distributed` if the tenant tables are distributed, even if that happened after the process started, otherwise
 * `local`.
 */
export async function byDistributionOf<T>(
  client: Client,
  local: () => PromiseLike<T>,
  distributed: () => PromiseLike<T>,
): Promise<T> {
  const { routing } = client;
  routing.distribution ??= await findDistribution(client);
  if (routing.distribution === "distributed") return await distributed();
  try {
    return await local();
  } catch (error) {
    if (routing.distribution === "unsupported" || !isRefusedByCitus(error)) throw error;
    routing.distribution = await findDistribution(client);
    if (routing.distribution !== "distributed") throw error;
    return await distributed();
  }
}

/** A parameter as text that the server can parse as any type. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A statement that runs on its workspace's shard server. */
export type Routed = {
  /** Prepared statement name on the servers: the same for the same SQL in every process. */
  key: string;
  text: string;
  /** SQL that is sent instead; it contains the name, by which logs and metrics distinguish statements. */
  call: string;
  /** SQL sent directly to the shard server if the statement only reads. */
  readOnShard: ReadOnShard | undefined;
};

export const routed = (text: string, name = "routed statement"): Routed => ({
  key: createHash("sha256").update(text).digest("hex").slice(0, 16),
  text,
  call: `/* ${name} */ select ${ROUTED_FUNCTION}($1, $2, $3, $4) as answer`,
  readOnShard: onShard(text, name),
});

type Row = Record<string, unknown>;
type Refusal = { code: string; message: string; column_name: string; constraint_name: string };
/**
 * `server` and `shard` say where it ran. The function of an earlier build returns neither, until `distribute` replaces
 * it.
 */
type Answer = { rows: Row[]; server?: number; shard?: number } | { refusal: Refusal };

/** The shard was moved while the statement was in transit; it did nothing. */
const MOVED = /have moved/;
const ATTEMPTS = 3;

const isMoved = (error: unknown): boolean =>
  [...causes(error)].some((at) => "message" in at && MOVED.test(String(at.message)));

async function callOnShard(send: Send, call: string, parameters: unknown[]) {
  const [row] = (await send(call, parameters)) as { answer: Answer }[]; // the function's own
  if (!row) throw new Error(`${ROUTED_FUNCTION} answered nothing`);
  const { answer } = row;
  if ("refusal" in answer) throw Object.assign(new Error(answer.refusal.message), answer.refusal);
  return answer;
}

const callValues = (workspace: string, { key, text }: Routed, parameters: readonly unknown[]) => [
  workspace,
  key,
  text,
  JSON.stringify(parameters.map(textOf)),
];

/**
 * Sends a statement directly to the workspace's known shard server.
 *
 * @returns undefined if it certainly did not run there: the server no longer has the shard or accepts no connections
 */
async function sendDirectly(
  { unsafeThrough, routing: { servers } }: Client,
  workspace: string,
  statement: Routed,
  parameters: readonly unknown[],
): Promise<Row[] | undefined> {
  if (!unsafeThrough || !servers) return undefined;
  const connection = servers.connectionFor(workspace);
  if (!connection) return undefined;
  const send = unsafeThrough(connection.pipelines);
  const { tables } = connection;
  const read = tables && statement.readOnShard;
  try {
    if (read) return (await send(read.textOn(tables), [...parameters])) as Row[]; // a select's
    return (await callOnShard(send, statement.call, callValues(workspace, statement, parameters))).rows;
  } catch (error) {
    if (read?.isMoved(error) || isMoved(error)) {
      servers.forget(workspace);
      return undefined;
    }
    if (connection.failed(error) === "not sent") return undefined;
    throw error;
  }
}

/**
 * Runs a statement on the workspace's shard: directly on its server if that is known and reachable, otherwise through
 * the coordinator.
 *
 * @returns the rows; those of writes, and those that came through the coordinator, are decoded from JSON
 */
export async function sendToShard(
  client: Client,
  send: Send,
  workspace: unknown,
  statement: Routed,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const id = String(workspace);
  const { servers } = client.routing;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const direct = send === client.unsafeShort && (await sendDirectly(client, id, statement, parameters));
      if (direct) return direct;
      const { rows, server, shard } = await callOnShard(send, statement.call, callValues(id, statement, parameters));
      if (server !== undefined && shard !== undefined) servers?.learn(id, { group: server, shard });
      return rows;
    } catch (error) {
      if (attempt === ATTEMPTS || !isMoved(error)) throw error;
    }
  }
}

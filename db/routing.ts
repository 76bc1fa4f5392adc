import { createHash } from "node:crypto";

import { causes, isReadOnly } from "./failures";
import type { Pipelines } from "./pipelines";
import { ROUTED_FUNCTION } from "./routed-function";
import type { ShardServers } from "./shard-servers";
import { onShard, type ReadOnShard } from "./shard-reads";
import { nameStatement } from "./statement-name";

/**
 * Where the tables of tenants are: `unsupported` without Citus; `local` with it while they are not distributed;
 * `distributed`. With the connections to the servers that have them. Shared by the connections of a process.
 */
export type Routing = {
  distribution: "unsupported" | "local" | "distributed" | undefined;
  servers: ShardServers | undefined;
};

export const newRouting = (servers?: ShardServers): Routing => ({ distribution: undefined, servers });

type Send = (text: string, parameters: unknown[]) => PromiseLike<unknown>;
/** `unsafeThrough` sends over given pipelines; where nothing is pipelined, as in a transaction, there is none. */
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

/** A statement that Citus cannot plan as one: what the tables of tenants are distributed for has to be sent otherwise. */
const isRefusedByCitus = (error: unknown): boolean =>
  !isReadOnly(error) && [...causes(error)].some((at) => "code" in at && at.code === "0A000");

/**
 * Does `distributed` where the tables of tenants are distributed, also when that was done since the process began, and
 * `local` elsewhere.
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

/** A parameter as text that the server reads as any type. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A statement that runs on the server of a workspace. */
export type Routed = {
  /** Its name in the sessions of the servers: a text has the same one in every process. */
  key: string;
  text: string;
  /** What is sent in its place: with its name, by which logs and metrics tell it from others. */
  call: string;
  /** What is sent to the server itself when it only reads. */
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
/** `server` and `shard`: where it ran. A function that an earlier build made tells neither, until `distribute` renews it. */
type Answer = { rows: Row[]; server?: number; shard?: number } | { refusal: Refusal };

/** A shard that is moved while a statement is on its way: it did nothing. */
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
 * Sends a statement to the server that is known to have the workspace.
 *
 * @returns nothing when it certainly did not run there: the server has the shard no more, or takes no connections
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
 * Sends a statement to the server of a workspace, to be run on the shard's tables: to the server itself where that is
 * known and can be reached, else by way of the coordinator.
 *
 * @returns its rows; those of a change, and those that came by way of the coordinator, as JSON has them
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

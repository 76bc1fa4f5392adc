import { createHash } from "node:crypto";

import { causes, isReadOnly } from "./failures";
import { ROUTED_FUNCTION } from "./routed-function";
import { nameStatement } from "./statement-name";

/**
 * Where the tables of tenants lie: `absent` without Citus, so nothing is ever distributed; `whole` with it while they are
 * not distributed yet; `distributed`. Shared by the connections of a process.
 */
export type Routing = { footing: "absent" | "whole" | "distributed" | undefined };

export const newRouting = (): Routing => ({ footing: undefined });

type Send = (text: string, parameters: unknown[]) => PromiseLike<unknown>;
type Client = { unsafe: Send; unsafeShort: Send | undefined; unsafeUncounted: Send; routing: Routing };

const FIND_FOOTING = `
  select exists (select 1 from pg_extension where extname = 'citus') as has_extension,
    to_regprocedure('${ROUTED_FUNCTION}(uuid,text,text,json)') is not null as has_function`;
nameStatement(FIND_FOOTING, "find shards");

async function findFooting(client: Client): Promise<NonNullable<Routing["footing"]>> {
  const [row] = (await client.unsafeUncounted(FIND_FOOTING, [])) as { has_extension: boolean; has_function: boolean }[]; // the columns above
  if (row?.has_extension !== true) return "absent";
  return row.has_function ? "distributed" : "whole";
}

/** A statement that Citus cannot plan as one: what the tables of tenants are distributed for has to be sent otherwise. */
const isRefusedByCitus = (error: unknown): boolean =>
  !isReadOnly(error) && [...causes(error)].some((at) => "code" in at && at.code === "0A000");

/**
 * Does `whole` where the tables of tenants lie on one server, and `apart` where they are distributed, also when they were
 * distributed since the process began.
 */
export async function byFooting<T>(
  client: Client,
  whole: () => PromiseLike<T>,
  apart: () => PromiseLike<T>,
): Promise<T> {
  const { routing } = client;
  routing.footing ??= await findFooting(client);
  if (routing.footing === "distributed") return await apart();
  try {
    return await whole();
  } catch (error) {
    if (routing.footing === "absent" || !isRefusedByCitus(error)) throw error;
    routing.footing = await findFooting(client);
    if (routing.footing !== "distributed") throw error;
    return await apart();
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
};

export const routed = (text: string, name = "routed statement"): Routed => ({
  key: createHash("sha256").update(text).digest("hex").slice(0, 16),
  text,
  call: `/* ${name} */ select ${ROUTED_FUNCTION}($1, $2, $3, $4) as answer`,
});

type Refusal = { code: string; message: string; column_name: string; constraint_name: string };
type Answer = { rows: Record<string, unknown>[] } | { refusal: Refusal };

/** A shard that is moved while a statement is on its way: it did nothing. */
const MOVED = /have moved/;
const ATTEMPTS = 3;

const isMoved = (error: unknown): boolean =>
  [...causes(error)].some((at) => "message" in at && MOVED.test(String(at.message)));

/** Sends a statement to the server of a workspace, to be run on the shard's tables; its rows as JSON has them. */
export async function sendToShard(
  send: Send,
  workspace: unknown,
  { key, text, call }: Routed,
  parameters: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  const values = JSON.stringify(parameters.map(textOf));
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [row] = (await send(call, [workspace, key, text, values])) as { answer: Answer }[]; // the function's own
      if (!row) throw new Error(`${ROUTED_FUNCTION} answered nothing`);
      if ("rows" in row.answer) return row.answer.rows;
      throw Object.assign(new Error(row.answer.refusal.message), row.answer.refusal);
    } catch (error) {
      if (attempt === ATTEMPTS || !isMoved(error)) throw error;
    }
  }
}

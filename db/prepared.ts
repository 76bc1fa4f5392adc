import { is, Placeholder, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

import { idToUuid } from "@/lib/contract/ids";
import type { Db } from "./client";
import { byDistributionOf, routed, sendToShard } from "./routing";
import { nameStatement } from "./statement-name";

const dialect = new PgDialect();

type Client = Parameters<typeof byDistributionOf>[0];

/** The driver under a database or transaction: drizzle-orm 0.45.4 keeps it in its session, undeclared. */
const clientOf = (db: Db) => Reflect.get(db._.session, "client") as Client;

/** The placeholder that names the workspace whose rows a statement is about. */
const ROUTED_BY = "workspace";

/** Values of a statement's placeholders, by name. */
export type Values = Readonly<Record<string, unknown>>;
/** A select of one row at most and what its placeholders stand for: a part of a statement that does more. */
export type RowQuery = { sql: SQL; values: readonly Values[] };
/** @throws Error when two of the objects have different values of one placeholder */
export type Statement<Row> = (db: Db, ...values: readonly Values[]) => PromiseLike<Row[]>;

type Reader = (sources: readonly Values[]) => unknown;

/** Looks through all sources on every call: 2 to 3 µs for the statement with the most placeholders. */
const readName =
  (name: string): Reader =>
  (sources) => {
    let found: unknown;
    for (const values of sources) {
      const value = values[name];
      if (value === undefined || value === found) continue;
      if (found !== undefined) throw new Error(`placeholder ${name} has two different values`);
      found = value;
    }
    return found;
  };

/**
 * The text with one parameter for each placeholder, however often it occurs: each parameter is converted, sent and
 * read separately. Numbers are inlined: with an unknown limit the planner makes a new plan for every call. No literal
 * of a statement contains a line break or a parameter.
 */
function compile(text: SQL) {
  const { sql, params } = dialect.sqlToQuery(text);
  const read: Reader[] = [];
  const numbers = new Map<string, number>();
  const write = (value: unknown): string => {
    if (typeof value === "number") return `(${value})`;
    if (!is(value, Placeholder)) return `$${read.push(() => value)}`;
    const { name } = value;
    const number = numbers.get(name) ?? read.push(readName(name));
    numbers.set(name, number);
    return `$${number}`;
  };
  const written = params.map(write);
  const workspace = numbers.get(ROUTED_BY);
  return {
    /** Which parameter names the workspace whose rows the statement is about. */
    workspaceAt: workspace === undefined ? undefined : workspace - 1,
    sql: sql.replaceAll(/\$(\d+)/g, (_, given) => written[Number(given) - 1] ?? "").replaceAll(/\s*\n\s*/g, " "),
    read,
  };
}

/**
 * A statement whose text is compiled once: on the hot paths that costs more than running it. A placeholder has the same
 * type wherever it occurs; rows are as the driver parses them. Outside a transaction it is sent through the pipelines,
 * so it has to be short.
 *
 * Where the tables of tenants are distributed, a statement with the placeholder `workspace` runs on the server of that
 * workspace: it reads and writes rows of that workspace alone, and lookup tables. Its rows come as JSON: it has no
 * columns of bytes, times or `bigint`.
 *
 * @param name what logs, metrics and traces call it
 * @param isRouted false for one that also reads or writes what is not a workspace's
 */
export function statement<Row extends Record<string, unknown>>(
  text: SQL,
  name?: string,
  { isRouted = true }: { isRouted?: boolean } = {},
): Statement<Row> {
  const { sql, read, workspaceAt } = compile(text);
  if (name !== undefined) nameStatement(sql, name);
  const onShard = routed(sql, name);
  if (name !== undefined) nameStatement(onShard.call, name);
  return (db, ...sources) => {
    const client = clientOf(db);
    const send = client.unsafeShort ?? client.unsafe;
    const parameters = read.map((valueOf) => valueOf(sources));
    const local = () => send(sql, parameters);
    const rows =
      workspaceAt === undefined || !isRouted || client.routing.distribution === "unsupported"
        ? local()
        : byDistributionOf(client, local, () =>
            sendToShard(client, send, parameters[workspaceAt], onShard, parameters),
          );
    return rows as PromiseLike<Row[]>; // safe: Row names the statement's columns
  };
}

/** A statement whose text depends on flags; each variant is compiled on first use. */
export function statementByShape<Shape extends Readonly<Record<string, boolean>>, Row extends Record<string, unknown>>(
  build: (shape: Shape) => SQL,
  statementName?: string,
): (shape: Shape) => Statement<Row> {
  const made = new Map<string, Statement<Row>>();
  return (shape) => {
    const key = Object.values(shape).map(Number).join("");
    const known = made.get(key) ?? statement<Row>(build(shape), statementName);
    made.set(key, known);
    return known;
  };
}

const rowReaders = new WeakMap<SQL, Statement<Record<string, unknown>>>();

/** Reads the row of a query by itself; its columns are missing when it finds none. */
export async function readRow(db: Db, query: RowQuery): Promise<Readonly<Record<string, unknown>>> {
  const read = rowReaders.get(query.sql) ?? statement<Record<string, unknown>>(query.sql, "read row");
  rowReaders.set(query.sql, read);
  const [row = {}] = await read(db, ...query.values);
  return row;
}

/**
 * Runs a query about rows of one workspace, where these lie; its columns as those of `statement`, at least one. Its text
 * is not compiled once: for what is not asked with each request.
 */
export const executeFor = <Row extends Record<string, unknown>>(
  db: Db,
  workspaceId: string,
  query: SQL,
): Promise<Row[]> =>
  byDistribution<Row[]>(
    db,
    async () => [...(await db.execute(query))] as Row[], // safe: Row names the query's columns
    async () => {
      const { sql: text, params } = dialect.sqlToQuery(query);
      const client = clientOf(db);
      const rows = await sendToShard(client, client.unsafe, idToUuid(workspaceId), routed(text), params);
      return rows as Row[]; // safe: Row names the query's columns
    },
  );

/** Writes lines of several workspaces: in one statement where all lie on one server, else in one for each workspace. */
export const executeForEach = <Line extends { workspaceId: string }>(
  db: Db,
  lines: readonly Line[],
  queryOf: (lines: readonly Line[]) => SQL,
): Promise<void> =>
  byDistribution(
    db,
    async () => {
      await db.execute(queryOf(lines));
    },
    async () => {
      for (const workspaceId of new Set(lines.map((line) => line.workspaceId))) {
        const own = lines.filter((line) => line.workspaceId === workspaceId);
        await executeFor(db, workspaceId, queryOf(own));
      }
    },
  );

/** Does `distributed` where the tables of tenants are distributed over several servers, and `local` elsewhere. */
export const byDistribution = <T>(db: Db, local: () => PromiseLike<T>, distributed: () => PromiseLike<T>): Promise<T> =>
  byDistributionOf(clientOf(db), local, distributed);

import { is, Placeholder, type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

import { idToUuid } from "@/lib/contract/ids";
import type { Db } from "./client";
import { byDistributionOf, routed, sendToShard } from "./routing";
import { nameStatement } from "./statement-name";

const dialect = new PgDialect();

type Client = Parameters<typeof byDistributionOf>[0];

/** The driver client under a database or transaction: drizzle-orm 0.45.4 keeps it in its session, undeclared. */
const clientOf = (db: Db) => Reflect.get(db._.session, "client") as Client;

/** Placeholder for the workspace whose rows a statement touches. */
const ROUTED_BY = "workspace";

/** Values of a statement's placeholders, by name. */
export type Values = Readonly<Record<string, unknown>>;
/** A select of at most one row and its placeholder values, used as part of a larger statement. */
export type RowQuery = { sql: SQL; values: readonly Values[] };
/** @throws Error if two of the objects have different values for one placeholder */
export type Statement<Row> = (db: Db, ...values: readonly Values[]) => PromiseLike<Row[]>;

type Reader = (sources: readonly Values[]) => unknown;

/** Searches all sources on every call: 2 to 3 µs for the statement with the most placeholders. */
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

/** Writes something else in place of each parameter of a query's text. */
const replaceParameters = (text: string, written: readonly string[]): string =>
  text.replaceAll(/\$(\d+)/g, (_, given) => written[Number(given) - 1] ?? "");

/**
 * Compiles the SQL with one parameter per placeholder, however often it occurs: otherwise each occurrence would be
 * converted, sent and read separately. Numbers are inlined, because with an unknown limit the planner makes a new plan
 * for every call. No literal in a statement may contain a line break or a parameter.
 */
function compile(query: SQL) {
  const { sql: text, params } = dialect.sqlToQuery(query);
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
    /** Index of the parameter for the workspace. */
    workspaceAt: workspace === undefined ? undefined : workspace - 1,
    sql: replaceParameters(text, written).replaceAll(/\s*\n\s*/g, " "),
    read,
  };
}

/**
 * A query whose placeholders are columns of rows instead of parameters, so that it can be run for several callers in one
 * statement: as a lateral subquery beside `rows`, which are named `given`. Values are sent as text, so every placeholder
 * needs its type.
 *
 * @param others columns of the rows that the query does not use
 */
export function overRows(query: SQL, ...others: readonly string[]): { rows: SQL; query: SQL } {
  const { sql: text, params } = dialect.sqlToQuery(query);
  const names = new Set(others);
  const write = (value: unknown): string => {
    if (typeof value === "number") return `(${value})`;
    if (!is(value, Placeholder)) throw new Error("a query over rows has only numbers and placeholders as parameters");
    names.add(value.name);
    return `given."${value.name}"`;
  };
  const written = params.map(write);
  const columns = [...names].map((name) => `"${name}" text`).join(", ");
  return {
    rows: sql`json_to_recordset(${sql.placeholder("rows")}::json) as given(${sql.raw(columns)})`,
    query: sql.raw(replaceParameters(text, written)),
  };
}

function mergeValues(values: readonly Values[]): Values {
  const merged = {};
  for (const each of values) Object.assign(merged, each);
  return merged;
}

/** The value of `rows` for `overRows`: one row for each list of values. */
export const rowsOf = (lists: readonly (readonly Values[])[]): Values => ({
  rows: JSON.stringify(lists.map(mergeValues)),
});

/**
 * A statement whose SQL is compiled once: on the hot paths compiling costs more than running it. A placeholder has the
 * same type wherever it occurs; rows are as the driver parses them. Outside a transaction the statement is pipelined,
 * so it must be short.
 *
 * If tenant tables are distributed, a statement with the placeholder `workspace` runs on that workspace's shard server:
 * it may read and write only that workspace's rows and lookup tables. Its rows arrive as JSON, so it must not return
 * bytes, timestamps or `bigint`.
 *
 * @param name name in logs, metrics and traces
 * @param isRouted false if the statement also touches data outside the workspace
 */
export function statement<Row extends Record<string, unknown>>(
  query: SQL,
  name?: string,
  { isRouted = true }: { isRouted?: boolean } = {},
): Statement<Row> {
  const { sql: text, read, workspaceAt } = compile(query);
  if (name !== undefined) nameStatement(text, name);
  const onShard = routed(text, name);
  if (name !== undefined) nameStatement(onShard.call, name);
  return (db, ...sources) => {
    const client = clientOf(db);
    const send = client.unsafeShort ?? client.unsafe;
    const parameters = read.map((valueOf) => valueOf(sources));
    const local = () => send(text, parameters);
    const rows =
      workspaceAt === undefined || !isRouted || client.routing.distribution === "unsupported"
        ? local()
        : byDistributionOf(client, local, () =>
            sendToShard(client, send, parameters[workspaceAt], onShard, parameters),
          );
    return rows as PromiseLike<Row[]>; // safe: Row names the statement's columns
  };
}

/** A statement whose SQL depends on flags; each variant is compiled on first use. */
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

/** Reads a query's row on its own; the columns are missing if it finds none. */
export async function readRow(db: Db, query: RowQuery): Promise<Readonly<Record<string, unknown>>> {
  const read = rowReaders.get(query.sql) ?? statement<Record<string, unknown>>(query.sql, "read row");
  rowReaders.set(query.sql, read);
  const [row = {}] = await read(db, ...query.values);
  return row;
}

/**
 * Runs a query about one workspace's rows on that workspace's shard. The column restrictions of `statement` apply, and
 * there must be at least one column. The SQL is compiled on every call, so this is not for queries made on every
 * request.
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

/**
 * Writes lines of several workspaces: in one statement if they are all on one server, otherwise in one statement per
 * workspace.
 */
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

/** Runs `distributed` if tenant tables are distributed over several servers, otherwise `local`. */
export const byDistribution = <T>(db: Db, local: () => PromiseLike<T>, distributed: () => PromiseLike<T>): Promise<T> =>
  byDistributionOf(clientOf(db), local, distributed);

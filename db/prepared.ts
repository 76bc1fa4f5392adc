import { is, Placeholder, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

import type { Db } from "./client";

const dialect = new PgDialect();

type Send = (text: string, parameters: unknown[]) => PromiseLike<unknown>;
type Client = { unsafe: Send; unsafeShort: Send | undefined };

/** The driver under a database or transaction: drizzle-orm 0.45.4 keeps it in its session, undeclared. */
const clientOf = (db: Db) => Reflect.get(db._.session, "client") as Client;

/** What a statement's placeholders stand for, by name. */
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
 * The text with one parameter for each placeholder, however often it stands there: every one is converted, sent and
 * read for itself. Numbers stand in the text: a limit that the planner does not know makes it plan every call anew.
 * No literal of a statement has a line break or a parameter in it.
 */
function withoutRepeats(text: SQL) {
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
  return {
    sql: sql.replaceAll(/\$(\d+)/g, (_, given) => written[Number(given) - 1] ?? "").replaceAll(/\s*\n\s*/g, " "),
    read,
  };
}

/**
 * A statement whose text is made once: on the hot paths building one costs more than running it. Its values are
 * placeholders, each of one type wherever it stands; rows come as the driver reads them. Outside a transaction it goes
 * through the pipelines: it is for what is answered at once.
 */
export function statement<Row extends Record<string, unknown>>(text: SQL): Statement<Row> {
  const { sql, read } = withoutRepeats(text);
  return (db, ...sources) => {
    const client = clientOf(db);
    const send = client.unsafeShort ?? client.unsafe;
    const parameters = read.map((valueOf) => valueOf(sources));
    return send(sql, parameters) as PromiseLike<Row[]>; // the statement's own columns
  };
}

/** A statement whose text depends on what it has to do: each form of it is made when it is first needed. */
export function statementByShape<Shape extends Readonly<Record<string, boolean>>, Row extends Record<string, unknown>>(
  build: (shape: Shape) => SQL,
): (shape: Shape) => Statement<Row> {
  const made = new Map<string, Statement<Row>>();
  return (shape) => {
    const name = Object.values(shape).map(Number).join("");
    const known = made.get(name) ?? statement<Row>(build(shape));
    made.set(name, known);
    return known;
  };
}

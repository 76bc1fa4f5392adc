import { is, Placeholder, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

import type { Db } from "./client";

const dialect = new PgDialect();

type Client = { unsafe: (text: string, parameters: unknown[]) => PromiseLike<unknown> };

/** The driver under a database or transaction: drizzle-orm 0.45.4 keeps it in its session, undeclared. */
const clientOf = (db: Db) => Reflect.get(db._.session, "client") as Client;

/** What a statement's placeholders stand for, by name. */
export type Values = Readonly<Record<string, unknown>>;
export type Statement<Row> = (db: Db, values: Values) => PromiseLike<Row[]>;

/**
 * A statement whose text is made once: on the hot paths building one costs more than running it. Its values are
 * placeholders; rows come as the driver reads them.
 */
export function statement<Row extends Record<string, unknown>>(text: SQL): Statement<Row> {
  const { sql, params } = dialect.sqlToQuery(text);
  return (db, values) => {
    const parameters = params.map((value) => (is(value, Placeholder) ? values[value.name] : value));
    return clientOf(db).unsafe(sql, parameters) as PromiseLike<Row[]>; // the statement's own columns
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

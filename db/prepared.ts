import { is, Placeholder, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

import type { Db } from "./client";

const dialect = new PgDialect();

type Client = { unsafe: (text: string, parameters: unknown[]) => PromiseLike<unknown> };

/** The driver under a database or transaction: drizzle-orm 0.45.4 keeps it in its session, undeclared. */
const clientOf = (db: Db) => Reflect.get(db._.session, "client") as Client;

/**
 * A statement whose text is made once: on the hot paths building one costs more than running it. Its values are
 * placeholders; rows come as the driver reads them.
 */
export function statement<Row extends Record<string, unknown>>(text: SQL) {
  const { sql, params } = dialect.sqlToQuery(text);
  return (db: Db, values: Readonly<Record<string, unknown>>): PromiseLike<Row[]> => {
    const parameters = params.map((value) => (is(value, Placeholder) ? values[value.name] : value));
    return clientOf(db).unsafe(sql, parameters) as PromiseLike<Row[]>; // the statement's own columns
  };
}

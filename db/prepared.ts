import type { Db } from "./client";

/** Makes a statement once for each database or transaction: building one costs more than running it. */
export function preparedOnce<Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const known = new WeakMap<Db, Statement>();
  return (db) => {
    const statement = known.get(db) ?? build(db);
    known.set(db, statement);
    return statement;
  };
}

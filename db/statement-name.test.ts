import { expect, test } from "vitest";

import { failedStatement, nameStatement, statementName } from "./statement-name";

test("a statement has its assigned name, otherwise its verb and a table of the schema", () => {
  nameStatement("with x as (select 1) select * from x", "read x");
  const names = [
    "with x as (select 1) select * from x",
    'select "name" from "jobs" order by 1',
    'with old as (select 1 from visits) DELETE FROM "challenge_uses" where true',
    'insert into "audit_log" ("a") values ($1) returning 1',
    "update only visits set a = 1",
    "begin",
  ].map(statementName);
  expect(names).toEqual([
    "read x",
    "select jobs",
    "delete challenge_uses",
    "insert audit_log",
    "update visits",
    "begin",
  ]);
});

test("SQL without a schema table is named `other`: caller input never becomes a name", () => {
  for (const text of ["select 1 from ws_0193abc", "insert into svc_live_key values (1)", "select 'from users'", ""])
    expect(statementName(text)).toMatch(/^(other|select users)$/);
});

test("the failed statement is found through wrapping errors", () => {
  const error = new Error("outside", { cause: Object.assign(new Error("x"), { query: "select 1 from jobs" }) });
  expect(failedStatement(error)).toBe("select jobs");
  expect(failedStatement(new Error("none"))).toBeUndefined();
});

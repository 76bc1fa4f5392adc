import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { statement } from "@/db/prepared";
import { createTestDatabase } from "@/test/database";
import { createErrorSerializer } from "./describe-error";

const { db } = await createTestDatabase();
const CANARY = "canary-3f9c1d77";

const told = async (work: () => PromiseLike<unknown>) => {
  const error: unknown = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return createErrorSerializer()(error);
};

const read = statement(
  sql`select name, 'fixed' as kind, 42 as number from workspaces where name = ${sql.placeholder("name")}::uuid::text`,
);

test("a failed statement of a hot path is logged with its SQL, without values", async () => {
  const error = await told(() => read(db, { name: CANARY }));
  expect(error).toMatchObject({
    code: "22P02",
    statement: "select name, ? as kind, ? as number from workspaces where name = $1::uuid::text",
  });
  expect(JSON.stringify(error)).not.toContain(CANARY);
});

test("a failed query is logged with its SQL once, and with the column concerned", async () => {
  const workspace = crypto.randomUUID();
  const insert = () =>
    db.execute(sql`insert into workspaces (workspace_id, name, plan) values (${workspace}::uuid, null, ${CANARY})`);
  const error = await told(insert);
  expect(error).toMatchObject({
    statement: "insert into workspaces (workspace_id, name, plan) values ($1::uuid, null, $2)",
    cause: { code: "23502", table_name: "workspaces", column_name: "name" },
  });
  expect(error["cause"]).not.toHaveProperty("statement");
  expect(JSON.stringify(error)).not.toMatch(new RegExp(`${CANARY}|${workspace}`));
});

test("a query property on an error that is not the driver's is not logged", () => {
  const error = createErrorSerializer()(Object.assign(new Error(CANARY), { query: CANARY }));
  expect(JSON.stringify(error)).not.toContain(CANARY);
});

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { listSchemaFaults } from "./compare-schema";

const { db } = await createTestDatabase();

test("a migrated database has the whole schema; a missing table, column, index or key is reported by name", async () => {
  expect(await listSchemaFaults(db)).toEqual([]);
  const indexes = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_index x join pg_class c on c.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relname = 'trial_intents' and not x.indisunique limit 1`);
  const index = indexes[0]?.name ?? "";
  await db.execute(sql.raw(`drop index ${index}`));
  await db.execute(sql`alter table jobs rename column progress to progressed`);
  await db.execute(sql`alter table report_views drop constraint report_views_pkey cascade`).catch(() => undefined);
  await db.execute(sql`alter table audit_log rename to audit_log_gone`);
  expect(await listSchemaFaults(db)).toEqual(
    expect.arrayContaining([
      `the index ${index} is missing`,
      "jobs.progress is missing",
      "the table audit_log is missing",
    ]),
  );
});

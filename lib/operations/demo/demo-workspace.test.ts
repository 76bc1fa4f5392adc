import { getTableColumns, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";

import * as schema from "@/db/schema";
import { idToUuid } from "@/lib/contract/ids";
import { listKeys, readKeyUses } from "@/lib/tenancy/api-keys";
import { listAudit, readWorkspace } from "@/lib/tenancy/workspaces";
import { listWebApps } from "@/lib/tenancy/web-apps";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";
import { createDemoWorkspace, deleteDemoWorkspace, fillDemoWorkspace, makeDemoData } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

/** A workspace's rows in every table with a workspace column. */
async function rowsOf(workspaceId: string): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const [name, table] of Object.entries(schema)) {
    if (!is(table, PgTable) || !("workspaceId" in getTableColumns(table))) continue;
    const [row] = await db.execute<{ rows: number }>(
      sql`select count(*)::int as rows from ${table} where workspace_id = ${idToUuid(workspaceId)}::uuid`,
    );
    if (row && row.rows > 0) counted[name] = row.rows;
  }
  return counted;
}

test("demo data get their own workspace, are consistent, and are deleted completely except for the audit log", async () => {
  const other = await createTestWorkspace(db);
  await makeDemoData(operator, { workspaceId: other, days: 2 });
  const before = await rowsOf(other);

  const { workspaceId } = await createDemoWorkspace(operator);
  expect(await readWorkspace(operator, { workspaceId })).toMatchObject({ demoPercent: 0 });
  await fillDemoWorkspace(operator, { workspaceId, days: 2 });
  expect(await readWorkspace(operator, { workspaceId })).toMatchObject({ demoPercent: 100 });
  expect(Object.keys(await rowsOf(workspaceId)).length).toBeGreaterThan(15);

  const [first] = await db.execute<{ at: Date; refused: number; listed: number }>(sql`
    select (select min(recorded_at) from visits where workspace_id = ${idToUuid(workspaceId)}::uuid) as at,
      (select sum(calls)::int from usage_days where workspace_id = ${idToUuid(workspaceId)}::uuid and outcome = 'origin') as refused,
      (select sum(count)::int from refused_origins where workspace_id = ${idToUuid(workspaceId)}::uuid) as listed`);
  expect(first?.refused).toBeGreaterThanOrEqual(first?.listed ?? 0);
  for (const key of await listKeys(operator, { workspaceId })) {
    expect(key.createdAt.getTime()).toBeLessThan(new Date(first?.at ?? 0).getTime());
    expect(key.lastUsedAt).toBeInstanceOf(Date);
    expect((await readKeyUses(operator, { workspaceId, keyId: key.keyId })).uses.length).toBeGreaterThan(0);
  }
  for (const webApp of await listWebApps(operator, { workspaceId }))
    expect(webApp.createdAt.getTime()).toBeLessThan(new Date(first?.at ?? 0).getTime());

  await deleteDemoWorkspace(operator, { workspaceId });
  expect(Object.keys(await rowsOf(workspaceId))).toEqual(["auditLog"]);
  await expect(readWorkspace(operator, { workspaceId })).rejects.toMatchObject({ code: "not_found" });
  const { entries } = await listAudit(operator, {});
  expect(entries).toEqual(
    expect.arrayContaining([expect.objectContaining({ action: "demo_data.delete", target: workspaceId })]),
  );
  expect(await rowsOf(other)).toEqual(before);
});

test.each([20, 60, 80])("demo data of a workspace that is deleted at %s per cent do not remain", async (reached) => {
  const { workspaceId } = await createDemoWorkspace(operator);
  const filling = fillDemoWorkspace(operator, { workspaceId, days: 2 }, async (percent) => {
    if (percent === reached) await deleteDemoWorkspace(operator, { workspaceId });
  });
  await expect(filling).rejects.toMatchObject({ code: "not_found" });
  expect(Object.keys(await rowsOf(workspaceId))).toEqual(["auditLog"]);
});

test("nobody can delete another workspace this way, and only operators create and delete demo data", async () => {
  const workspaceId = await createTestWorkspace(db);
  const owner = await memberContext(db, workspaceId, "owner");
  await expect(deleteDemoWorkspace(operator, { workspaceId })).rejects.toMatchObject({ code: "conflict" });
  await expect(fillDemoWorkspace(operator, { workspaceId })).rejects.toMatchObject({ code: "conflict" });
  await expect(deleteDemoWorkspace(owner, { workspaceId })).rejects.toMatchObject({ code: "forbidden" });
  await expect(createDemoWorkspace(owner)).rejects.toMatchObject({ code: "forbidden" });
  expect(await readWorkspace(owner, { workspaceId })).toMatchObject({ demoPercent: null });
});

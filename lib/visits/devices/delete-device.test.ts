import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";

import { createTestDatabase } from "@/test/database";
import type { Signals } from "@/lib/contract/signals";
import { Report } from "@/lib/contract/report";
import { idToUuid } from "@/lib/contract/ids";
import { createSite, readReport, type Site, visit } from "@/test/visits";
import { memberContext, operatorContext } from "@/test/workspaces";
import { deleteDevice } from "./index";
import { iphoneSignals, letEvidenceAge, particularSignals } from "@/test/devices";

const { db } = await createTestDatabase({ poolSize: 20 });

const HOME = "87.128.7.7";

async function visitOf(site: Site, options: { signals?: Signals; address?: string; token?: string } = {}) {
  const { imprint, token } = await visit(site, options);
  const { device } = Report.parse(await (await readReport(site.apiKey, imprint)).json());
  return { imprint, token, device };
}

test("a deleted device leaves only its audit entry, and its browser becomes a new device", async () => {
  const site = await createSite(db);
  const { workspaceId } = site;
  const gone = await visitOf(site, { signals: particularSignals(), address: HOME });
  await letEvidenceAge(db, workspaceId);
  await visitOf(site, { signals: particularSignals(), address: HOME });
  const kept = await visitOf(site, { signals: iphoneSignals(), address: HOME });
  const input = { workspaceId, deviceId: gone.device.id };
  await expect(deleteDevice(await memberContext(db, workspaceId, "developer"), input)).rejects.toMatchObject({
    code: "forbidden",
  });
  expect(await deleteDevice(await memberContext(db, workspaceId, "admin"), input)).toEqual({
    deviceId: gone.device.id,
    visits: 2,
  });
  await expect(deleteDevice(operatorContext(db), input)).rejects.toMatchObject({ code: "not_found" });
  const tables = await db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'device_id' and t.table_type = 'BASE TABLE'`);
  expect(tables.length).toBeGreaterThanOrEqual(8);
  for (const { name } of tables) {
    const rows = await db.execute(
      sql`select 1 from ${sql.identifier(name)} where device_id = ${idToUuid(gone.device.id)}::uuid`,
    );
    expect([name, rows.length]).toEqual([name, 0]);
  }
  expect((await readReport(site.apiKey, gone.imprint)).status).toBe(404);
  expect((await readReport(site.apiKey, kept.imprint)).status).toBe(200);
  const again = await visitOf(site, { signals: particularSignals(), address: HOME, token: gone.token });
  expect(again.device).toMatchObject({ seen_before: false, access_count: 1 });
  expect(again.device.id).not.toBe(gone.device.id);
});

test("a device that is deleted while visits arrive ends up either deleted or new, never partly deleted", async () => {
  const site = await createSite(db);
  const first = await visitOf(site, { signals: particularSignals(), address: HOME });
  const visits = Promise.all(
    Array.from({ length: 6 }, () => visit(site, { signals: particularSignals(), address: HOME, token: first.token })),
  );
  await deleteDevice(operatorContext(db), { workspaceId: site.workspaceId, deviceId: first.device.id });
  await visits;
  const orphans = async () =>
    await db.execute(sql`
      select 1 from visits v left join devices d on d.workspace_id = v.workspace_id and d.device_id = v.device_id
      where v.workspace_id = ${idToUuid(site.workspaceId)}::uuid and d.device_id is null`);
  await vi.waitFor(async () => {
    expect(await orphans()).toHaveLength(0);
  });
});

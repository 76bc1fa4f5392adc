import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { idToUuid } from "@/lib/contract/ids";
import { deleteAccount, exportAccountAtOnce } from "@/lib/visits/account-map";
import { createSite, readReport, visit } from "@/test/visits";
import { listAudit, setMemberRole } from "@/lib/tenancy/workspaces";
import { memberContext, operatorContext } from "@/test/workspaces";
import { deleteDevice, exportDevice } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

type Report = { imprint: string; device: { id: string } };

async function visitWithAccount(account: string) {
  const site = await createSite(db);
  const first = await visit(site);
  const second = await visit(site, { token: first.token });
  const headers = { "X-Account-Ref": account };
  const report = (await (await readReport(site.apiKey, second.imprint, headers)).json()) as Report;
  return { site, imprints: [first.imprint, second.imprint], deviceId: report.device.id };
}

async function exportOf(context: Parameters<typeof exportDevice>[0], workspaceId: string, deviceId: string) {
  const { device, visits } = await exportDevice(context, { workspaceId, deviceId });
  const stored = [];
  for await (const page of visits) stored.push(...page);
  return { device, stored };
}

test("an export contains every visit with its Report, signals and addresses, and deletion leaves none of them", async () => {
  const { site, imprints, deviceId } = await visitWithAccount("user-42");
  const { workspaceId } = site;
  const { device, stored } = await exportOf(operator, workspaceId, deviceId);
  expect(device).toMatchObject({ device_id: deviceId, visits: 2 });
  expect(stored.map(({ imprint }) => imprint)).toEqual(imprints);
  expect(stored[1]).toMatchObject({ report: { imprint: imprints[1], device: { id: deviceId } }, surface: "default" });
  expect(stored[0]?.signals).toBeTruthy();

  const account = await exportAccountAtOnce(operator, { workspaceId, accountRef: "user-42" });
  expect(account).toMatchObject({
    devices: [{ device_id: deviceId }],
    visits: [{ imprint: imprints[1], device_id: deviceId }],
    truncated: false,
  });
  expect(stored[1]?.account_hash).toBe(account.account_hash);
  expect(JSON.stringify([device, stored, account])).not.toContain("user-42");

  await deleteAccount(operator, { workspaceId, accountRef: "user-42" });
  expect(await exportAccountAtOnce(operator, { workspaceId, accountRef: "user-42" })).toMatchObject({
    devices: [],
    visits: [],
  });
  await deleteDevice(operator, { workspaceId, deviceId });
  await expect(exportOf(operator, workspaceId, deviceId)).rejects.toMatchObject({ code: "not_found" });
  const { entries } = await listAudit(operator, { workspaceId, filter: { action: "export" } });
  expect(entries.map(({ target }) => target)).toEqual(["account", "account", deviceId]);
});

test("data that 0.1 stored in the visit's row is exported too, and deletion leaves raw signals in neither table", async () => {
  const { site, imprints, deviceId } = await visitWithAccount("user-9");
  const { workspaceId } = site;
  const workspace = sql`workspace_id = ${idToUuid(workspaceId)}::uuid`;
  const countSignals = async () => (await db.execute(sql`select 1 from visit_signals where ${workspace}`)).length;
  expect(await countSignals()).toBe(2);
  await db.execute(sql`
    update visits set signals = '{"raw":true}', evidence = '{"risk":[],"profile":"old"}', evidence_packed = null
    where ${workspace} and event_id = ${idToUuid(imprints[0] ?? "")}::uuid`);
  await db.execute(
    sql`delete from visit_signals where ${workspace} and event_id = ${idToUuid(imprints[0] ?? "")}::uuid`,
  );
  const { stored } = await exportOf(operator, workspaceId, deviceId);
  expect(stored[0]).toMatchObject({ signals: { raw: true }, evidence: { risk: [], profile: "old" } });
  expect(stored[1]).toMatchObject({
    signals: { signals: {}, request: {}, timings: {} },
    evidence: { risk: [], identity: {} },
  });
  await deleteDevice(operator, { workspaceId, deviceId });
  expect(await countSignals()).toBe(0);
});

test("members who may not see addresses cannot export a device, whatever their role", async () => {
  const { site, deviceId } = await visitWithAccount("user-7");
  const { workspaceId } = site;
  const admin = await memberContext(db, workspaceId, "admin");
  expect((await exportOf(admin, workspaceId, deviceId)).stored).toHaveLength(2);
  const { userId } = admin.actor;
  await setMemberRole(operator, { workspaceId, userId, role: "admin", canSeeAddresses: false });
  await expect(exportOf(admin, workspaceId, deviceId)).rejects.toMatchObject({ code: "forbidden" });
});

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { idToUuid, newId, newImprint } from "@/lib/contract/ids";
import { deleteVisitLabelsBefore } from "@/lib/visits/visit-store";
import { deleteAccount, exportAccountAtOnce } from "@/lib/visits/account-map";
import { deleteDevice, exportDevice } from "@/lib/visits/devices";
import { exportReports } from "@/lib/visits/reports";
import { createManagementKey } from "@/lib/tenancy/management";
import { listAudit } from "@/lib/tenancy/workspaces";
import { createTestDatabase } from "@/test/database";
import { call, createSite, readReport, type Site, visit } from "@/test/visits";
import { memberContext, operatorContext } from "@/test/workspaces";
import { exportLabels, importLabels, listLabels, readLabels, setLabel } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

async function reportText(site: Site, imprint: string, account?: string) {
  return await (
    await readReport(site.apiKey, imprint, account === undefined ? {} : { "x-account-ref": account })
  ).text();
}

async function createVisit(account = newId("user")) {
  const site = await createSite(db);
  const { imprint } = await visit(site);
  await reportText(site, imprint, account);
  const report = await reportText(site, imprint);
  const deviceId = (JSON.parse(report) as { device: { id: string } }).device.id;
  return { site, workspaceId: site.workspaceId, imprint, account, deviceId, report };
}

async function joined(lines: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const line of lines) text += line;
  return text;
}

test("a visit's label takes precedence over its account's and device's, can be removed, and leaves the Report unchanged", async () => {
  const { site, workspaceId, imprint, deviceId, account, report } = await createVisit();
  const analyst = await memberContext(db, workspaceId, "analyst");
  const read = () => readLabels(operator, { workspaceId, imprint, deviceId });
  await setLabel(analyst, { workspaceId, subject: { deviceId }, label: "fraud" });
  expect((await read()).label).toBe("fraud");
  await setLabel(analyst, { workspaceId, subject: { accountRef: account }, label: "tester" });
  expect((await read()).label).toBe("tester");
  const set = await setLabel(analyst, { workspaceId, subject: { imprint }, label: "legitimate" });
  expect(set).toMatchObject({ kind: "visit", id: imprint, label: "legitimate", previous: null });
  const labels = await read();
  expect(labels).toMatchObject({
    label: "legitimate",
    visit: { label: "legitimate", actorKind: "user", createdBy: analyst.actor.userId },
    account: { label: "tester" },
    device: { label: "fraud" },
  });
  expect(await reportText(site, imprint)).toBe(report);
  const back = await setLabel(analyst, { workspaceId, subject: { imprint }, label: null });
  expect(back).toMatchObject({ label: null, previous: "legitimate", labelledAt: null });
  expect(await read()).toMatchObject({ label: "tester", visit: null });
});

test("the audit log records once who set, changed or removed which label, and names no account", async () => {
  const { workspaceId, imprint, account } = await createVisit();
  const analyst = await memberContext(db, workspaceId, "analyst");
  for (const label of ["fraud", "fraud", "legitimate", null, null] as const)
    await setLabel(analyst, { workspaceId, subject: { imprint }, label });
  await setLabel(analyst, { workspaceId, subject: { accountRef: account }, label: "fraud" });
  const { entries } = await listAudit(operator, { workspaceId, filter: { action: "label" } });
  expect(entries.map(({ action, target, detail }) => [action, target, detail])).toEqual([
    ["label.set", "account", { subject: "account", from: null, to: "fraud" }],
    ["label.remove", imprint, { subject: "visit", from: "legitimate", to: null }],
    ["label.set", imprint, { subject: "visit", from: "fraud", to: "legitimate" }],
    ["label.set", imprint, { subject: "visit", from: null, to: "fraud" }],
  ]);
  expect(JSON.stringify(entries)).not.toContain(account);
});

test("a management key needs only the label scope, and a key of another workspace finds nothing", async () => {
  const { workspaceId, imprint, deviceId, account } = await createVisit();
  const elsewhere = await createSite(db);
  const post = async (of: string, scope: string, body: unknown) => {
    const { secret } = await createManagementKey(operator, { workspaceId: of, name: "CI", scopes: [scope] });
    const headers = { authorization: `Bearer ${secret}` };
    const response = await call("/api/v1/labels", { method: "POST", headers, body: JSON.stringify(body) });
    return [response.status, (await response.json()) as Record<string, unknown>] as const;
  };
  const [status, answer] = await post(workspaceId, "labels", { account_ref: account, label: "fraud" });
  expect([status, answer]).toMatchObject([200, { subject: "account", label: "fraud", previous_label: null }]);
  expect(await post(workspaceId, "labels", { account_id: answer["id"], label: null })).toMatchObject([
    200,
    { label: null, previous_label: "fraud", labelled_at: null },
  ]);
  for (const body of [{ imprint }, { device_id: deviceId }])
    expect(await post(elsewhere.workspaceId, "labels", { ...body, label: "fraud" })).toMatchObject([
      404,
      { error: { code: "not_found" } },
    ]);
  for (const [scope, body, code] of [
    ["keys", { imprint, label: "fraud" }, 403],
    ["labels", { imprint, device_id: deviceId, label: "fraud" }, 400],
    ["labels", { label: "fraud" }, 400],
    ["labels", { imprint, label: "suspect" }, 400],
    ["labels", { account_ref: "a@b.example", label: "fraud" }, 400],
  ] as const)
    expect((await post(workspaceId, scope, body))[0], JSON.stringify(body)).toBe(code);
  expect((await listLabels(operator, { workspaceId })).labels).toEqual([]);
});

test.each([
  [";", "as Excel writes it in locales with a decimal comma"],
  ["\t", "as cells are copied from a sheet"],
])("a file with cells separated by %j is accepted, %s", async (separator) => {
  const { workspaceId, imprint, deviceId } = await createVisit();
  const rows = [
    ["imprint", "device_id", '"note, if any"', "label"],
    [imprint, "", '"two, three"', "fraud"],
    ["", deviceId, "", "tester"],
  ];
  const csv = rows.map((cells) => cells.join(separator)).join("\r\n");
  expect(await importLabels(operator, { workspaceId, csv })).toEqual({ changed: 2, unchanged: 0, problems: [] });
});

test("a CSV file is applied row by row, errors are reported by line, and an export can be imported", async () => {
  const { workspaceId, imprint, deviceId, account } = await createVisit();
  const csv = [
    "imprint,device_id,account_ref,label",
    `${imprint},,,fraud`,
    `,"${deviceId}",,Legitimate`,
    `,,"${account}",tester`,
    `${newImprint(Date.now())},,,fraud`,
    `${imprint},${deviceId},,fraud`,
    `${imprint},,,guilty`,
    "",
    `imp_1,,,fraud`,
  ].join("\r\n");
  const imported = await importLabels(operator, { workspaceId, csv });
  expect(imported).toMatchObject({ changed: 3, unchanged: 0 });
  expect(imported.problems.map(({ line }) => line)).toEqual([5, 6, 7, 9]);
  const exported = await joined(exportLabels(operator, { workspaceId }));
  expect((await listAudit(operator, { workspaceId })).entries).toContainEqual(
    expect.objectContaining({ action: "export.create", target: "labels" }),
  );
  expect(await importLabels(operator, { workspaceId, csv: exported })).toEqual({
    ...{ changed: 0, unchanged: 3, problems: [] },
  });
  for (const wrong of ["", "label\nfraud", "imprint\nimp_1", `imprint,label\n${`${imprint},fraud\n`.repeat(5_001)}`])
    await expect(importLabels(operator, { workspaceId, csv: wrong })).rejects.toMatchObject({
      code: "invalid_request",
    });
  const { labels, counts } = await listLabels(operator, { workspaceId, kind: "device" });
  expect(labels).toMatchObject([{ kind: "device", id: deviceId, label: "legitimate", actorKind: "operator" }]);
  expect(counts).toHaveLength(3);
});

test("an export of Reports has the effective labels, and pages of labels contain each once", async () => {
  const { workspaceId, imprint, deviceId } = await createVisit();
  await setLabel(operator, { workspaceId, subject: { deviceId }, label: "fraud" });
  await setLabel(operator, { workspaceId, subject: { imprint }, label: "tester" });
  const range = { workspaceId, from: new Date(0), to: new Date(Date.now() + 60_000) };
  const csv = await joined(await exportReports(operator, { ...range, format: "csv" }));
  expect(csv.split("\r\n").map((line) => line.split(",").at(-1))).toEqual(['"label"', '"tester"', ""]);
  const json = JSON.parse(await joined(await exportReports(operator, { ...range, format: "json" }))) as {
    reports: { label: string }[];
  };
  expect(json.reports.map(({ label }) => label)).toEqual(["tester"]);
  const first = await listLabels(operator, { workspaceId, limit: 1 });
  const second = await listLabels(operator, { workspaceId, limit: 1, before: first.older ?? "" });
  expect([...first.labels, ...second.labels].map(({ kind }) => kind)).toEqual(["visit", "device"]);
  expect(second.older).toBeNull();
  await expect(listLabels(operator, { workspaceId, before: "x" })).rejects.toMatchObject({ code: "invalid_request" });
});

test("the export of a device or an account includes its label", async () => {
  const { workspaceId, imprint, deviceId, account } = await createVisit();
  await setLabel(operator, { workspaceId, subject: { imprint }, label: "legitimate" });
  await setLabel(operator, { workspaceId, subject: { deviceId }, label: "fraud" });
  await setLabel(operator, { workspaceId, subject: { accountRef: account }, label: "tester" });
  const { device, visits } = await exportDevice(operator, { workspaceId, deviceId });
  expect(device).toMatchObject({ label: "fraud" });
  expect((await visits.next()).value).toMatchObject([{ imprint, label: "legitimate" }]);
  expect(await exportAccountAtOnce(operator, { workspaceId, accountRef: account })).toMatchObject({ label: "tester" });
});

test("labels are deleted with their subjects: erased accounts and devices, and visits past their retention", async () => {
  const { workspaceId, imprint, deviceId, account } = await createVisit();
  await setLabel(operator, { workspaceId, subject: { imprint }, label: "fraud" });
  await setLabel(operator, { workspaceId, subject: { deviceId }, label: "fraud" });
  await setLabel(operator, { workspaceId, subject: { accountRef: account }, label: "fraud" });
  const left = async () => (await listLabels(operator, { workspaceId })).labels.map(({ kind }) => kind);
  await deleteAccount(operator, { workspaceId, accountRef: account });
  expect(await left()).toEqual(["device", "visit"]);
  await deleteDevice(operator, { workspaceId, deviceId });
  expect(await left()).toEqual([]);
  const old = newImprint(Date.now() - 86_400_000);
  await db.execute(sql`insert into labels (workspace_id, subject_kind, subject_id, label, actor_kind, created_by)
    values (${idToUuid(workspaceId)}::uuid, 'visit', ${idToUuid(old)}::uuid, 'fraud', 'operator', '')`);
  const before = (to: number) => deleteVisitLabelsBefore(db, { workspaceId, to: new Date(to), limit: 10 });
  expect(await before(Date.now() - 2 * 86_400_000)).toBe(0);
  expect(await before(Date.now())).toBe(1);
});

test("the subject of a label must exist, so that no future visit can be labelled in advance", async () => {
  const { workspaceId } = await createVisit();
  for (const subject of [
    { imprint: newImprint(Date.now()) },
    { deviceId: newId("device") },
    { accountId: newId("account") },
    { accountRef: "nobody" },
  ])
    for (const label of ["fraud", null] as const)
      await expect(setLabel(operator, { workspaceId, subject, label })).rejects.toMatchObject({ code: "not_found" });
  const lite = await createSite(db, { plan: "lite" });
  await expect(
    setLabel(operator, { workspaceId: lite.workspaceId, subject: { accountRef: "1" }, label: "fraud" }),
  ).rejects.toMatchObject({ code: "account_map_not_allowed" });
});

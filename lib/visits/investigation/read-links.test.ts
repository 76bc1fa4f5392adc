import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { makeDemoData } from "@/lib/operations/demo";
import { findAccount } from "@/lib/visits/account-map";
import { listReports } from "@/lib/visits/reports";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";
import { listSharers, readLinks, summariseSubject } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const workspaceId = await createTestWorkspace(db, "pro");
await makeDemoData(operator, { workspaceId, days: 20 });

/** The demo's rented server, which its account farm uses. */
const FARM = "192.0.2.8";
const EVER = { from: new Date(0), to: new Date(Date.now() + 86_400_000) };

const newestAt = async (address: string) =>
  (await listReports(operator, { workspaceId, ...EVER, address, limit: 1 })).items[0]?.deviceId ?? "";

test("an account farm is a ring by its device and by any of its accounts, and its rented server is not followed", async () => {
  const deviceId = await newestAt(FARM);
  const view = await readLinks(operator, { workspaceId, of: deviceId });
  expect(view.nodes[0]).toMatchObject({ kind: "device", value: deviceId, step: 0, lastStatus: "DECEPTIVE" });
  expect(view.nodes.filter(({ kind }) => kind === "account").length).toBeGreaterThanOrEqual(12);
  expect(view.nodes.find(({ value }) => value === FARM)).toMatchObject({ kind: "address", addressKind: "hosting" });
  expect(view.groups[0]).toMatchObject({ pattern: "ring", devices: 1 });
  const ofAccount = view.nodes.find(({ kind }) => kind === "account")?.value ?? "";
  const back = await readLinks(operator, { workspaceId, of: ofAccount });
  expect(back.groups[0]).toMatchObject({ pattern: "ring", devices: 1 });
  const ofAddress = await readLinks(operator, { workspaceId, of: FARM });
  expect(ofAddress.nodes.map(({ value }) => value)).toContain(deviceId);
});

test("an account on many devices is reported as shared, and each link connects a device with what it was seen with", async () => {
  const of = (await findAccount(operator, { workspaceId, accountRef: "user-1007" })) ?? "";
  const view = await readLinks(operator, { workspaceId, of });
  expect(view.groups[0]?.pattern).toBe("shared_account");
  expect(view.nodes.length).toBeLessThanOrEqual(150);
  for (const { device, other } of view.links) {
    expect(view.nodes[device]?.kind).toBe("device");
    expect(["account", "address"]).toContain(view.nodes[other]?.kind);
  }
});

test("a network leads to its devices with most visits and from there to their accounts and addresses, but connects nothing", async () => {
  const deviceId = await newestAt(FARM);
  const view = await readLinks(operator, { workspaceId, of: "as64508" });
  expect(view.nodes[0]).toMatchObject({ kind: "network", value: "AS64508", step: 0 });
  const stepOf = new Map(view.nodes.map(({ kind, value, step }) => [`${kind} ${value}`, step]));
  expect(stepOf.get(`device ${deviceId}`)).toBe(1);
  expect(stepOf.get(`address ${FARM}`)).toBe(2);
  expect(view.nodes.filter(({ kind, step }) => kind === "account" && step === 2).length).toBeGreaterThanOrEqual(10);
  for (const { nodes } of view.groups) expect(nodes).not.toContain(0);
  for (const { device } of view.links) expect(view.nodes[device]?.kind).toBe("device");
  await expect(readLinks(operator, { workspaceId, of: "AS64999" })).rejects.toMatchObject({ code: "not_found" });
  const analyst = await memberContext(db, workspaceId, "analyst");
  await expect(readLinks(analyst, { workspaceId, of: "AS64508" })).rejects.toMatchObject({ code: "forbidden" });
});

test("members who may not see addresses get links without them and cannot start from one, and nothing leads into another workspace", async () => {
  const analyst = await memberContext(db, workspaceId, "analyst");
  const deviceId = await newestAt(FARM);
  const view = await readLinks(analyst, { workspaceId, of: deviceId });
  expect(JSON.stringify(view)).not.toMatch(/192\.0\.2|203\.0\.113|198\.51\.100|2001:db8/);
  await expect(readLinks(analyst, { workspaceId, of: FARM })).rejects.toMatchObject({ code: "forbidden" });
  const other = await createTestWorkspace(db, "pro");
  await expect(readLinks(operator, { workspaceId: other, of: deviceId })).rejects.toMatchObject({ code: "not_found" });
  for (const wrong of ["", "192.0.2.0/24", "hello", "AS4294967296"])
    await expect(readLinks(operator, { workspaceId, of: wrong })).rejects.toMatchObject({ code: "invalid_request" });
});

test("a summary tells for each kind of subject how much there is and who shares it", async () => {
  const deviceId = await newestAt(FARM);
  const ofDevice = await summariseSubject(operator, { workspaceId, kind: "device", deviceId });
  expect(ofDevice).toMatchObject({ devices: 1, addresses: 1, isTruncated: false });
  expect(ofDevice.accounts).toBeGreaterThanOrEqual(12);
  expect(ofDevice.deceptive).toBe(ofDevice.visits);
  expect(await summariseSubject(operator, { workspaceId, kind: "address", address: FARM })).toEqual(ofDevice);
  const ofNetwork = { kind: "network", asn: 64_508, since: new Date(Date.now() - 30 * 86_400_000) } as const;
  const network = await summariseSubject(operator, { workspaceId, ...ofNetwork });
  expect(network.visits).toBeGreaterThanOrEqual(ofDevice.visits);
  const sharers = await listSharers(operator, { workspaceId, ...ofNetwork });
  const [first] = sharers.filter(({ kind }) => kind === "device");
  expect(first).toMatchObject({ value: deviceId, passed: 0, deceptive: ofDevice.visits });
  expect(sharers.find(({ kind, value }) => kind === "address" && value === FARM)?.deceptive).toBe(ofDevice.visits);
  expect(sharers.filter(({ kind, value }) => kind === "account" && /^acc_[0-9a-f]{32}$/.test(value)).length).toBe(10);
  const analyst = await memberContext(db, workspaceId, "analyst");
  await expect(listSharers(analyst, { workspaceId, ...ofNetwork })).rejects.toMatchObject({ code: "forbidden" });
  expect(await summariseSubject(analyst, { workspaceId, kind: "device", deviceId })).toMatchObject({
    addresses: undefined,
  });
  for (const subject of [{ kind: "address", address: FARM } as const, ofNetwork])
    await expect(summariseSubject(analyst, { workspaceId, ...subject })).rejects.toMatchObject({ code: "forbidden" });
});

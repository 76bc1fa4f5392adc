import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { openNetworkData } from "@/lib/visits/network";
import { mmdbFile } from "@/test/network-data";
import { createSite, visit } from "@/test/visits";
import { addMember, listAudit, setViewLog } from "@/lib/tenancy/workspaces";
import { contextOf, memberContext, operatorContext } from "@/test/workspaces";
import { readReportForConsole } from "./index";

const { db } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), "imprint-console-report-"));

const ADDRESS = "88.198.50.10";
const PLACE = { country: { iso_code: "DE" }, city: { names: { en: "Falkenstein" } } };
const OWNER = { autonomous_system_number: 24940, autonomous_system_organization: "Hetzner Online GmbH" };

beforeAll(async () => {
  const files = { city: join(folder, "city"), asn: join(folder, "asn") };
  writeFileSync(files.city, mmdbFile({ "88.198.0.0/16": PLACE }, { type: "GeoLite2-City" }));
  writeFileSync(files.asn, mmdbFile({ "88.198.0.0/16": OWNER }, { type: "GeoLite2-ASN" }));
  await openNetworkData(folder, { files, locatePackage: () => undefined });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** One visit from a rented server, read by a member. */
async function readAs(canSeeAddresses: boolean) {
  const site = await createSite(db);
  const { workspaceId } = site;
  const { imprint } = await visit(site, { address: ADDRESS });
  const email = `${canSeeAddresses ? "sees" : "blind"}-${workspaceId}@example.com`;
  const member = await addMember(operatorContext(db), { workspaceId, email, role: "analyst", canSeeAddresses });
  const context = contextOf(db, { kind: "user", userId: member.userId, email, isOperator: false });
  return readReportForConsole(context, { workspaceId, imprint });
}

const PLACES = /88\.198|Hetzner|24940|Falkenstein|\bDE\b|Germany/;

test("a member who may see addresses reads what the finding compared", async () => {
  const { findings, report } = await readAs(true);
  expect(report.network).toMatchObject({ observed_ip: ADDRESS, asn: 24940 });
  const hosting = findings.find(({ reason }) => reason === "HOSTING_NETWORK_DETECTED");
  expect(hosting?.evidence).toContainEqual({ label: "Egress address", value: ADDRESS, isOdd: false });
  expect(hosting?.evidence).toContainEqual({ label: "Provider", value: "Hetzner Online GmbH", isOdd: false });
});

test("a member who may not see addresses reads the finding without addresses, places and networks", async () => {
  const read = await readAs(false);
  expect(JSON.stringify(read)).not.toMatch(PLACES);
  expect(read.report.network).toMatchObject({ status: "SUSPICIOUS", connection_type: "hosting" });
  const hosting = read.findings.find(({ reason }) => reason === "HOSTING_NETWORK_DETECTED");
  expect(hosting?.evidence).toContainEqual({ label: "Connection", value: "a data centre", isOdd: true });
  expect(hosting?.evidence).toContainEqual({ label: "Provider", value: "not visible to your role", isOdd: false });
});

test("the audit log records who opens which Report only once the workspace wants it", async () => {
  const site = await createSite(db);
  const { workspaceId } = site;
  const { imprint } = await visit(site, { address: ADDRESS });
  const owner = await memberContext(db, workspaceId, "owner");
  const viewed = async () => {
    await readReportForConsole(owner, { workspaceId, imprint });
    const { entries } = await listAudit(owner, { workspaceId, filter: { action: "report" } });
    return entries.map(({ action, target, actorId }) => ({ action, target, actorId }));
  };
  expect(await viewed()).toEqual([]);
  await setViewLog(owner, { workspaceId, isOn: true });
  const entry = { action: "report.view", target: imprint, actorId: owner.actor.userId };
  expect(await viewed()).toEqual([entry]);
  await setViewLog(owner, { workspaceId, isOn: false });
  expect(await viewed()).toEqual([entry]);
});

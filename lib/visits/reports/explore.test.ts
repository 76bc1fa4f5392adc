import { beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { listDeviceAccounts, readAccount } from "@/lib/visits/account-map";
import type { Context } from "@/lib/platform/context";
import type { Report } from "@/lib/contract/report";
import { makeDemoData } from "@/lib/operations/demo";
import { listDeviceAddresses, listDevices, readAddress } from "@/lib/visits/devices";
import { setPlan } from "@/lib/tenancy/workspaces";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";
import {
  countFurther,
  countReports,
  exportReports,
  findSubject,
  listReports,
  type ReportFilter,
  readReportForConsole,
} from "./index";

const { db } = await createTestDatabase();

const DAY_MS = 86_400_000;
const ADDRESS = "192.0.2.8";
const PLACES =
  /\b(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d|2001:db8|Example (?:Cloud|Broadband|Kabel)|Berlin|Amsterdam/;

let workspaceId = "";
let everything: ReportFilter;
let owner: Context;
let analyst: Context;

beforeAll(async () => {
  workspaceId = await createTestWorkspace(db, "pro");
  await makeDemoData(operatorContext(db), { workspaceId, days: 20 });
  [owner, analyst] = [await memberContext(db, workspaceId, "owner"), await memberContext(db, workspaceId, "analyst")];
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  everything = { workspaceId, from: new Date(today - 21 * DAY_MS), to: new Date(today + 2 * DAY_MS) };
}, 120_000);

async function readAll(filter: Partial<ReportFilter>, limit = 100) {
  const items = [];
  let before: string | undefined;
  do {
    const page = await listReports(owner, { ...everything, ...filter, limit, before });
    items.push(...page.items);
    before = page.older ?? undefined;
  } while (before !== undefined);
  return items;
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);

const tallyOf = (values: readonly string[]): Record<string, number> => {
  const tally: Record<string, number> = {};
  for (const value of values) tally[value] = (tally[value] ?? 0) + 1;
  return tally;
};

test("reasons and devices are counted consistently with the list, devices only for few visits", async () => {
  const filters: Partial<ReportFilter>[] = [
    {},
    { status: "DECEPTIVE" },
    { surface: "sign-in" },
    { rule: "automation.webdriver" },
    { status: "SUSPICIOUS", country: "DE" },
    { surface: "sign-in", country: "DE" },
    { reason: "HOSTING_NETWORK_DETECTED" },
    { from: new Date(everything.from.getTime() + 1) },
    { address: ADDRESS },
    { from: new Date(0), to: new Date(1) },
  ];
  for (const filter of filters) {
    const items = await readAll(filter);
    const { reasons, byDevice } = await countFurther(owner, { ...everything, ...filter, total: items.length });
    expect(reasons).toEqual(tallyOf(items.flatMap((item) => item.reasons)));
    expect(Object.values(reasons)).toEqual(Object.values(reasons).sort((a, b) => b - a));
    const devices = Object.values(tallyOf(items.map(({ deviceId }) => deviceId)));
    expect([byDevice?.devices, byDevice?.busiest[0]?.visits ?? 0]).toEqual([devices.length, Math.max(0, ...devices)]);
    expect((await countFurther(owner, { ...everything, ...filter, total: 2_001 })).byDevice).toBeUndefined();
  }
});

test("the pages of the list contain every visit once, newest first", async () => {
  const items = await readAll({});
  const counts = await countReports(owner, { ...everything, starts: [everything.from] });
  expect(items.length).toBe(sum(counts.total));
  expect(new Set(items.map(({ imprint }) => imprint)).size).toBe(items.length);
  const times = items.map(({ recordedAt }) => recordedAt.getTime());
  expect(times).toEqual([...times].sort((a, b) => b - a));
});

test("each filter selects exactly the visits with the value, in both list and count", async () => {
  const all = await readAll({});
  const reports = new Map<string, Report>();
  for await (const text of await exportReports(owner, { ...everything, format: "json" }))
    for (const line of text.split("\n").filter((each) => each.startsWith("{") && each.includes("imprint"))) {
      const { report } = JSON.parse(line) as { report: Report };
      reports.set(report.imprint, report);
    }
  expect(reports.size).toBe(all.length);
  const webAppId = all[0]?.webAppId ?? "";
  const deviceId = all[0]?.deviceId ?? "";
  const asn = [...reports.values()].find(({ network }) => network.asn !== undefined)?.network.asn;
  const cases: [Partial<ReportFilter>, (report: Report) => boolean][] = [
    [{ status: "DECEPTIVE" }, ({ risk }) => risk.status === "DECEPTIVE"],
    [{ reason: "AUTOMATION_DETECTED" }, ({ risk }) => risk.reasons.includes("AUTOMATION_DETECTED")],
    [{ country: "DE" }, ({ network }) => network.country_code === "DE"],
    [{ connection: "hosting" }, ({ network }) => network.connection_type === "hosting"],
    [{ asn }, ({ network }) => network.asn === asn],
    [{ browser: "Safari" }, ({ browser }) => browser.name === "Safari"],
    [{ system: "Android" }, ({ operating_system }) => operating_system.name === "Android"],
    [{ address: ADDRESS }, ({ network }) => network.observed_ip === ADDRESS],
    [
      { address: "203.0.113.0/26" },
      ({ network }) => /^203\.0\.113\.([1-5]?\d|6[0-3])$/.test(network.observed_ip ?? ""),
    ],
    [{ deviceId }, ({ device }) => device.id === deviceId],
    [
      { country: { isExcluded: false, values: ["DE", "GB"] } },
      ({ network }) => ["DE", "GB"].includes(network.country_code ?? ""),
    ],
    [
      { reason: { isExcluded: true, values: ["AUTOMATION_DETECTED", "PROXY_DETECTED"] } },
      ({ risk }) => !risk.reasons.some((each) => ["AUTOMATION_DETECTED", "PROXY_DETECTED"].includes(each)),
    ],
    [
      {
        connection: { isExcluded: true, values: ["residential"] },
        browser: { isExcluded: false, values: ["Chrome", 'no "such\\'] },
      },
      ({ network, browser }) => network.connection_type !== "residential" && browser.name === "Chrome",
    ],
    [{ status: { isExcluded: true, values: ["PASS"] } }, ({ risk }) => risk.status !== "PASS"],
  ];
  for (const [filter, fits] of cases) {
    const found = (await readAll(filter)).map(({ imprint }) => imprint).sort();
    const expected = [...reports.values()].filter(fits).map(({ imprint }) => imprint);
    expect(found, JSON.stringify(filter)).toEqual(expected.sort());
    expect(found.length, JSON.stringify(filter)).toBeGreaterThan(0);
    const counts = await countReports(owner, { ...everything, ...filter, starts: [everything.from] });
    expect(sum(counts.total), JSON.stringify(filter)).toBe(found.length);
  }
  const ofApp = all.filter((item) => item.webAppId === webAppId);
  expect(ofApp.length).toBeLessThan(all.length);
  expect(await readAll({ webAppId })).toEqual(ofApp);
  const { total } = await countReports(owner, { ...everything, webAppId, starts: [everything.from] });
  expect(sum(total)).toBe(ofApp.length);
});

test("the bars add up to the total, and the facets offer exactly the existing values", async () => {
  const starts = Array.from({ length: 22 }, (_, day) => new Date(everything.from.getTime() + day * DAY_MS));
  const { steps, total, facets } = await countReports(owner, { ...everything, starts });
  expect(steps.reduce((count, step) => count + step.PASS, 0)).toBe(total.PASS);
  expect(facets.country?.map(({ value }) => value)).toContain("DE");
  expect(facets.browser.reduce((count, each) => count + (each.count ?? Number.NaN), 0)).toBe(sum(total));
});

test("the search box finds an imprint, a device, an address, a range and an account, and otherwise says why not", async () => {
  const [item] = await readAll({ address: ADDRESS });
  const find = (text: string) => findSubject(owner, { workspaceId, text });
  expect(await find(` ${item?.imprint.toUpperCase() ?? ""} `)).toEqual({ kind: "imprint", id: item?.imprint });
  expect(await find(item?.deviceId ?? "")).toEqual({ kind: "device", id: item?.deviceId });
  expect(await find(item?.deviceId.slice(0, 9) ?? "")).toMatchObject({ kind: "beginning" });
  expect(await find(ADDRESS)).toEqual({ kind: "address", range: ADDRESS });
  expect(await find("192.0.2.77/24")).toEqual({ kind: "address", range: "192.0.2.0/24" });
  expect(await find("AS64500")).toEqual({ kind: "network", asn: 64500 });
  expect(await find("AS4294967296")).toEqual({ kind: "nothing", why: "account" });
  const account = await find("user-1007");
  expect(account).toMatchObject({ kind: "account" });
  expect(await find("user-100700")).toEqual({ kind: "nothing", why: "account" });
  expect(await find("ada@example.com")).toEqual({ kind: "nothing", why: "reference" });
  expect(await find(`imp_${"0".repeat(32)}`)).toEqual({ kind: "nothing", why: "imprint" });
  expect(await find(`dev_${"0".repeat(32)}`)).toEqual({ kind: "nothing", why: "device" });
  expect(await find("   ")).toEqual({ kind: "nothing", why: "reference" });
});

test("an address lists its devices, an account its devices, and a device its accounts and addresses", async () => {
  const found = await readAddress(owner, { workspaceId, address: ADDRESS });
  expect(found.older).toBeNull();
  const visitors = new Set((await readAll({ address: ADDRESS })).map(({ deviceId }) => deviceId));
  expect(new Set(found.devices.map(({ deviceId }) => deviceId))).toEqual(visitors);
  expect(found).toMatchObject({ deviceCount: visitors.size, addressCount: 1, isSingle: true });
  const subject = await findSubject(owner, { workspaceId, text: "user-1007" });
  const accountId = subject.kind === "account" ? subject.id : "";
  const account = await readAccount(owner, { workspaceId, accountId });
  const visits = await readAll({ accountId });
  expect(visits.length).toBe(account.visits);
  expect(new Set(visits.map(({ deviceId }) => deviceId)).size).toBe(account.devices);
  const [device] = account.newestDevices;
  const deviceId = device?.deviceId ?? "";
  const { accounts } = await listDeviceAccounts(owner, { workspaceId, deviceId });
  expect(accounts).toContainEqual(expect.objectContaining({ accountId, devices: account.devices }));
  expect((await listDeviceAddresses(owner, { workspaceId, deviceId })).addresses).not.toEqual([]);
});

test("the list of devices continues where its page ended, with every device once", async () => {
  const ids: string[] = [];
  let before: string | undefined;
  do {
    const page = await listDevices(owner, { workspaceId, before });
    ids.push(...page.devices.map(({ deviceId }) => deviceId));
    before = page.older ?? undefined;
  } while (before !== undefined);
  expect(ids.length).toBeGreaterThan(50);
  expect(new Set(ids).size).toBe(ids.length);
  await expect(listDevices(owner, { workspaceId, before: "x" })).rejects.toMatchObject({ code: "invalid_request" });
});

test("members who may not see addresses and places neither get them nor can filter by them", async () => {
  const page = await listReports(analyst, everything);
  expect(page.addressesVisible).toBe(false);
  expect(JSON.stringify(page.items)).not.toMatch(PLACES);
  for (const filter of [{ address: ADDRESS }, { country: "DE" }, { asn: 64_500 }]) {
    await expect(listReports(analyst, { ...everything, ...filter })).rejects.toMatchObject({ code: "forbidden" });
    const counted = countReports(analyst, { ...everything, ...filter, starts: [everything.from] });
    await expect(counted).rejects.toMatchObject({ code: "forbidden" });
    const exported = exportReports(analyst, { ...everything, ...filter, format: "csv" });
    await expect(exported).rejects.toMatchObject({ code: "forbidden" });
  }
  const { facets } = await countReports(analyst, { ...everything, starts: [everything.from] });
  expect(facets).not.toHaveProperty("country");
  const deviceId = page.items[0]?.deviceId ?? "";
  await expect(readAddress(analyst, { workspaceId, address: ADDRESS })).rejects.toMatchObject({ code: "forbidden" });
  await expect(listDeviceAddresses(analyst, { workspaceId, deviceId })).rejects.toMatchObject({ code: "forbidden" });
  for (const text of [ADDRESS, "AS64500"])
    expect(await findSubject(analyst, { workspaceId, text })).toEqual({ kind: "nothing", why: "restricted" });
});

test("exports are complete, quote their values, and omit places for members who may not see them", async () => {
  const read = async (context: Context, format: "csv" | "json") => {
    let text = "";
    for await (const part of await exportReports(context, { ...everything, format })) text += part;
    return text;
  };
  const counts = await countReports(owner, { ...everything, starts: [everything.from] });
  const [mine, theirs] = [await read(owner, "csv"), await read(analyst, "csv")];
  expect(mine.trimEnd().split("\r\n").length).toBe(sum(counts.total) + 1);
  expect(mine).toMatch(PLACES);
  expect(theirs).not.toMatch(PLACES);
  expect(theirs).not.toContain("observed_ip");
  const json = JSON.parse(await read(analyst, "json")) as { count: number; is_complete: boolean; reports: unknown[] };
  expect(json).toMatchObject({ count: sum(counts.total), is_complete: true });
  expect(json.reports.length).toBe(json.count);
  expect(JSON.stringify(json)).not.toMatch(PLACES);
  expect(JSON.parse(await readEmpty())).toMatchObject({ reports: [], count: 0 });
});

async function readEmpty(): Promise<string> {
  let text = "";
  const filter = { ...everything, to: new Date(everything.from.getTime() + 1000), format: "json" } as const;
  for await (const part of await exportReports(owner, filter)) text += part;
  return text;
}

test("an export has each visit's account and evidence, and reveals no place to members who may not see places", async () => {
  type Visit = { account_id: string | null; rules: { rule: string; compared: { label: string }[] }[] };
  const exported = async (context: Context, filter: Partial<ReportFilter>) => {
    let text = "";
    for await (const part of await exportReports(context, { ...everything, ...filter, format: "json" })) text += part;
    return (JSON.parse(text) as { reports: Visit[] }).reports;
  };
  const farm = { surface: "sign-up" };
  const [theirs, all] = [await exported(analyst, farm), await exported(owner, farm)];
  expect(new Set(all.map((visit) => visit.account_id)).size).toBe(all.length);
  for (const visit of all) {
    expect(visit.account_id).toMatch(/^acc_[0-9a-f]{32}$/);
    expect(visit.rules.map(({ rule }) => rule)).toContain("automation.webdriver-flag");
  }
  expect(JSON.stringify(theirs)).not.toMatch(PLACES);
  expect(theirs.map((visit) => visit.account_id)).toEqual(all.map((visit) => visit.account_id));
  let csv = "";
  for await (const part of await exportReports(owner, { ...everything, ...farm, format: "csv" })) csv += part;
  expect(csv.split("\n")[0]).toContain('"rules","account_id"');
});

test("lists, search, devices and Reports say so if the plan has no Account Map, instead of showing nothing", async () => {
  const lite = await createTestWorkspace(db, "pro");
  await makeDemoData(operatorContext(db), { workspaceId: lite, days: 3 });
  const context = await memberContext(db, lite, "owner");
  const range = { workspaceId: lite, from: everything.from, to: everything.to };
  const subject = await findSubject(context, { workspaceId: lite, text: "user-1007" });
  const accountId = subject.kind === "account" ? subject.id : "";
  const [visit] = (await listReports(context, { ...range, accountId })).items;
  const imprint = visit?.imprint ?? "";
  expect((await readReportForConsole(context, { workspaceId: lite, imprint })).account).toMatchObject({ accountId });
  await setPlan(operatorContext(db), { workspaceId: lite, plan: "lite" });
  const refused = { code: "account_map_not_allowed" };
  await expect(listReports(context, { ...range, accountId })).rejects.toMatchObject(refused);
  await expect(readAccount(context, { workspaceId: lite, accountId })).rejects.toMatchObject(refused);
  const deviceId = visit?.deviceId ?? "";
  await expect(listDeviceAccounts(context, { workspaceId: lite, deviceId })).rejects.toMatchObject(refused);
  expect(await findSubject(context, { workspaceId: lite, text: "user-1007" })).toEqual({
    kind: "nothing",
    why: "plan",
  });
  expect((await readReportForConsole(context, { workspaceId: lite, imprint })).account).toBe("restricted");
});

test("visits, devices and accounts of another workspace cannot be found", async () => {
  const other = await createTestWorkspace(db, "pro");
  const stranger = await memberContext(db, other, "owner");
  const [item] = await readAll({ address: ADDRESS });
  const find = (text: string) => findSubject(stranger, { workspaceId: other, text });
  expect(await find(item?.imprint ?? "")).toEqual({ kind: "nothing", why: "imprint" });
  expect(await find(item?.deviceId ?? "")).toEqual({ kind: "nothing", why: "device" });
  expect(await find("user-1007")).toEqual({ kind: "nothing", why: "account" });
  expect((await readAddress(stranger, { workspaceId: other, address: ADDRESS })).deviceCount).toBe(0);
  await expect(findSubject(stranger, { workspaceId, text: ADDRESS })).rejects.toMatchObject({ code: "not_found" });
});

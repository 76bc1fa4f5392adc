import { beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import type { Context } from "@/lib/platform/context";
import { makeDemoData } from "@/lib/operations/demo";
import { countReports, listReports } from "@/lib/visits/reports";
import { createTestWorkspace, memberContext, operatorContext, strangerContext } from "@/test/workspaces";
import { explore, findUnusual, listBusiest, summariseVisits } from "./index";

const { db } = await createTestDatabase();
const DAY_MS = 86_400_000;

let workspaceId = "";
let owner: Context;
let analyst: Context;
let range: { workspaceId: string; from: Date; to: Date };

beforeAll(async () => {
  workspaceId = await createTestWorkspace(db, "pro");
  await makeDemoData(operatorContext(db), { workspaceId, days: 40 });
  [owner, analyst] = [await memberContext(db, workspaceId, "owner"), await memberContext(db, workspaceId, "analyst")];
  range = { workspaceId, from: new Date(owner.now.getTime() - 30 * DAY_MS), to: owner.now };
}, 120_000);

const sum = (counts: object) => Object.values(counts as Record<string, number>).reduce((all, count) => all + count, 0);

test("each row has as many visits as the list that it links to", async () => {
  const explored = await explore(owner, { ...range, dimensions: ["browser", "connection"] });
  expect(explored.rows.length).toBeGreaterThan(3);
  for (const { values, visits, verdicts, series } of explored.rows) {
    const [browser, connection] = values;
    const filter = { workspaceId, from: explored.from, to: explored.to, browser, connection: connection as "hosting" };
    const { total } = await countReports(owner, { ...filter, starts: [explored.from] });
    expect({ values, visits }).toEqual({ values, visits: sum(total) });
    expect(verdicts).toEqual({ passed: total.PASS, suspicious: total.SUSPICIOUS, deceptive: total.DECEPTIVE });
    expect(sum(series.map(sum))).toBe(visits);
  }
});

test("devices and accounts are counted by their own visits, alone and combined with another dimension", async () => {
  const devices = await explore(owner, { ...range, dimensions: ["device"] });
  const [device] = devices.rows;
  // Slices count whole hours, so the list must cover the same ones.
  const counted = { workspaceId, from: devices.from, to: devices.to };
  const deviceId = device?.values[0];
  const { items } = await listReports(owner, { ...counted, deviceId, limit: 100 });
  expect(device?.visits).toBe(items.length);
  const accounts = await explore(owner, { ...range, dimensions: ["surface", "account"] });
  const [surface, accountId] = accounts.rows[0]?.values ?? [];
  const ofAccount = await listReports(owner, { ...counted, accountId, limit: 100 });
  expect(ofAccount.items.filter((item) => item.surface === surface)).toHaveLength(accounts.rows[0]?.visits ?? -1);
});

test("the values of a summary add up to all visits of the range", async () => {
  const summary = await summariseVisits(owner, { ...range, from: new Date(range.to.getTime() - 15 * DAY_MS) });
  const { total } = await countReports(owner, { ...range, from: summary.from, to: summary.to, starts: [summary.from] });
  expect(summary.total).toEqual({ passed: total.PASS, suspicious: total.SUSPICIOUS, deceptive: total.DECEPTIVE });
  expect(sum(summary.steps.map(sum))).toBe(sum(total));
  expect(summary.by.browser?.rows.reduce((all, { visits }) => all + visits, 0)).toBe(sum(total));
  expect(summary.previous?.steps).toHaveLength(summary.starts.length);
});

test("the attack in the demo data is unusual, with its surface and network", async () => {
  const { unusual } = await findUnusual(owner, { workspaceId });
  const attack = unusual.find(({ surface }) => surface?.value === "sign-up");
  expect(attack).toMatchObject({ surface: { visits: 12 } });
  expect(attack?.network?.visits).toBeGreaterThanOrEqual(12);
  const { items } = await listReports(owner, {
    ...{ workspaceId, from: attack?.from ?? range.from, to: attack?.to ?? range.to, reason: attack?.reason },
  });
  expect(items).toHaveLength(attack?.visits ?? -1);
  expect(items.length).toBeLessThan(20);
});

test("the machine that opened accounts, and its address, lead the list by number of accounts", async () => {
  const busiest = await listBusiest(owner, range);
  expect(busiest?.devices[0]?.accounts).toBeGreaterThanOrEqual(24);
  expect(busiest?.addresses?.[0]?.accounts).toBeGreaterThanOrEqual(24);
});

test("members who may not see addresses and places get none of them, and strangers get nothing", async () => {
  for (const dimension of ["country", "network"] as const)
    await expect(explore(analyst, { ...range, dimensions: ["browser", dimension] })).rejects.toMatchObject({
      code: "forbidden",
    });
  const summary = await summariseVisits(analyst, range);
  expect([summary.by.country, summary.by.network]).toEqual([undefined, undefined]);
  expect((await listBusiest(analyst, range))?.addresses).toBeUndefined();
  expect((await findUnusual(analyst, { workspaceId })).unusual.map(({ network }) => network)).not.toContainEqual(
    expect.anything(),
  );
  const stranger = strangerContext(db);
  for (const work of [
    () => explore(stranger, { ...range, dimensions: ["browser"] }),
    () => summariseVisits(stranger, range),
    () => findUnusual(stranger, { workspaceId }),
    () => listBusiest(stranger, range),
  ])
    await expect(work()).rejects.toMatchObject({ code: "not_found" });
});

test("accounts need a plan with Account Map, and two many-valued dimensions are refused", async () => {
  const lite = await createTestWorkspace(db, "lite");
  const context = await memberContext(db, lite, "owner");
  await expect(explore(context, { ...range, workspaceId: lite, dimensions: ["account"] })).rejects.toMatchObject({
    code: "account_map_not_allowed",
  });
  expect(await listBusiest(context, { ...range, workspaceId: lite })).toBeUndefined();
  for (const dimensions of [["device", "account"] as const, ["browser", "browser"] as const])
    await expect(explore(owner, { ...range, dimensions })).rejects.toMatchObject({ code: "invalid_request" });
});

import { beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import type { Context } from "@/lib/platform/context";
import { makeDemoData } from "@/lib/operations/demo";
import { countSlices } from "@/lib/visits/slices";
import { COUNTED_AFTER_SECONDS, countNewerVisits, countOlderVisits, forgetSlices } from "@/lib/visits/visit-store";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";
import { listReports, type ReportFilter } from "./index";

const { db } = await createTestDatabase();

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

let workspaceId = "";
let owner: Context;
let everything: ReportFilter;

const not = <T>(...values: T[]) => ({ isExcluded: true, values });
const anyOf = <T>(...values: T[]) => ({ isExcluded: false, values });

beforeAll(async () => {
  workspaceId = await createTestWorkspace(db, "pro");
  await makeDemoData(operatorContext(db), { workspaceId, days: 20 });
  owner = await memberContext(db, workspaceId, "owner");
  everything = { workspaceId, from: new Date(Date.now() - 19.3 * DAY_MS), to: new Date(Date.now() - 0.1 * HOUR_MS) };
}, 120_000);

const FILTERS: Record<string, Partial<ReportFilter>> = {
  "a rare surface": { surface: "sign-up" },
  "a frequent surface": { surface: "default" },
  "two surfaces": { surface: anyOf("sign-up", "checkout") },
  "all but two surfaces": { surface: not("product", "default") },
  "a rule": { rule: "automation.webdriver-flag" },
  "two reasons": { reason: anyOf("AUTOMATION_DETECTED" as const, "HOSTING_NETWORK_DETECTED" as const) },
  "a network": { asn: 64_508 },
  "a network and a verdict": { asn: 64_508, status: "SUSPICIOUS" },
  "a verdict": { status: "DECEPTIVE" },
  "all but a verdict": { status: not("PASS" as const) },
  "a country and a browser": { country: "NL", browser: "Chrome" },
  "a value that nobody has": { surface: "nowhere" },
};

/** The imprints of all pages, from newest to oldest and back. */
async function turnPages(filter: Partial<ReportFilter>): Promise<string[][]> {
  const [pages, limit]: [string[][], number] = [[], 7];
  let older: string | undefined;
  let last: string | undefined;
  do {
    const page = await listReports(owner, { ...everything, ...filter, limit, before: older });
    pages.push(page.items.map(({ imprint }) => imprint));
    older = page.older ?? undefined;
    last = page.newer ?? undefined;
  } while (older !== undefined);
  while (last !== undefined) {
    const page = await listReports(owner, { ...everything, ...filter, limit, after: last });
    pages.push(page.items.map(({ imprint }) => imprint));
    last = page.newer ?? undefined;
  }
  return pages;
}

const turnAll = async () =>
  Object.fromEntries(
    await Promise.all(Object.entries(FILTERS).map(async ([name, filter]) => [name, await turnPages(filter)] as const)),
  );

test("a list has the same pages in both directions, whether none, some or all visits are in the slices", async () => {
  await forgetSlices(db, workspaceId, 1_000_000);
  const uncounted = await turnAll();
  expect(uncounted["a rare surface"]?.flat().length).toBeGreaterThan(20);
  expect(uncounted["a value that nobody has"]).toEqual([[]]);
  await countSlices(db, workspaceId, { lagSeconds: 30 * 3600 });
  expect(await turnAll()).toEqual(uncounted);
  await countSlices(db, workspaceId);
  expect(await turnAll()).toEqual(uncounted);
});

test("a list contains each visit once if its hour is counted in part", async () => {
  const filter = { status: not("PASS" as const) };
  await forgetSlices(db, workspaceId, 1_000_000);
  const uncounted = await turnPages(filter);
  const times = (await listReports(owner, { ...everything, ...filter, limit: 100 })).items.map(({ recordedAt }) =>
    recordedAt.getTime(),
  );
  const hourOf = (time: number | undefined) => Math.floor((time ?? 0) / HOUR_MS);
  const index = times.findIndex((time, at) => hourOf(time) === hourOf(times[at + 1]));
  const [later, earlier] = [times[index] ?? NaN, times[index + 1] ?? NaN];
  await countSlices(db, workspaceId, { lagSeconds: (Date.now() - (later + earlier) / 2) / 1000 });
  expect(await turnPages(filter)).toEqual(uncounted);
});

test("older visits that the slices have not counted yet are found too", async () => {
  const other = await createTestWorkspace(db, "pro");
  await makeDemoData(operatorContext(db), { workspaceId: other, days: 6 });
  const reader = await memberContext(db, other, "owner");
  const read = async () =>
    (await listReports(reader, { ...everything, workspaceId: other, status: not("PASS" as const), limit: 100 })).items;
  await forgetSlices(db, other, 1_000_000);
  const whole = await read();
  expect(whole.length).toBeGreaterThan(5);
  const counting = { workspaceId: other, limit: 30, lagSeconds: COUNTED_AFTER_SECONDS };
  await db.transaction((tx) => countNewerVisits(tx, counting));
  expect(await db.transaction((tx) => countOlderVisits(tx, counting))).toBe(true);
  expect((await read()).map(({ imprint }) => imprint)).toEqual(whole.map(({ imprint }) => imprint));
});

import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { oldestWriteSeconds } from "@/db/open-writes";
import { ensurePartitions } from "@/db/partitions";
import { accountLinks, closedSlices, devices, sliceMarks, visits, visitSlices } from "@/db/schema";
import { type Reason, REPORT_STATUSES } from "@/lib/contract/report";
import { idToUuidText, newId, newImprint } from "@/lib/contract/ids";
import { deleteDevice } from "@/lib/visits/devices";
import { packJson } from "@/lib/visits/visit-store/pack-json";
import {
  closeSlices,
  COUNTED_AFTER_SECONDS,
  countNewerVisits,
  countOlderVisits,
  deleteAccountRows,
  deleteSlicesBefore,
  seriesOfSlices,
  sumSlices,
} from "@/lib/visits/visit-store";
import { countLockWaits } from "@/test/lock-waits";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { countAllSlices, countSlices } from "./index";
import { type Dimension, DIMENSIONS, PAIRS, sliceCode } from "./domain/dimensions";

const { db } = await createTestDatabase();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const now = new Date();
await ensurePartitions(db, new Date(now.getTime() - 62 * DAY_MS), now);

const DEVICES = [newId("device"), newId("device"), newId("device")];
const APPS = [newId("webApp"), newId("webApp")];
const RULES: readonly (readonly [Reason, string])[] = [
  ["AUTOMATION_DETECTED", "automation.webdriver"],
  ["AUTOMATION_DETECTED", "automation.program"],
  ["PROXY_DETECTED", "network.proxy"],
];

const visitOf = fc.record({
  ageMs: fc.oneof(
    fc.integer({ min: 0, max: 3 * HOUR_MS }),
    fc.integer({ min: 0, max: 14 * DAY_MS }),
    fc.integer({ min: 0, max: 50 * DAY_MS }),
  ),
  fired: fc.subarray([...RULES]),
  status: fc.constantFrom(...REPORT_STATUSES),
  surface: fc.constantFrom("default", "sign-in", 'it\'s "odd", \\ {}'),
  app: fc.constantFrom(...APPS),
  country: fc.constantFrom("DE", "US", null),
  asn: fc.constantFrom(64_500, 64_501, null),
  connection: fc.constantFrom("residential", "hosting", null),
  browser: fc.constantFrom("Chrome", null),
  system: fc.constantFrom("Windows", "iOS"),
  device: fc.constantFrom(...DEVICES),
  address: fc.constantFrom("192.0.2.1", "2001:db8::1", null),
  account: fc.constantFrom("aa", "bb", null),
  isOfOldVersion: fc.boolean(),
});
type Drawn = typeof visitOf extends fc.Arbitrary<infer T> ? T : never;
type Sample = Omit<Drawn, "address" | "account"> & { address: string | null; account: string | null };
type Made = Sample & { at: Date };

function valuesOf(visit: Made, dimension: Dimension): string[] {
  const { fired } = visit;
  const one = (value: string | number | null) => [String(value ?? "")];
  return {
    reason: () => [...new Set(fired.map(([reason]) => reason))] as string[],
    rule: () => fired.map(([, rule]) => rule),
    surface: () => one(visit.surface),
    app: () => one(idToUuidText(visit.app)),
    country: () => one(visit.country),
    network: () => one(visit.asn),
    connection: () => one(visit.connection),
    browser: () => one(visit.browser),
    system: () => one(visit.system),
    device: () => one(idToUuidText(visit.device)),
    address: () => (visit.address === null ? [] : one(visit.address)),
    account: () => (visit.account === null ? [] : one(visit.account)),
  }[dimension]();
}

async function insert(workspaceId: string, made: readonly Made[]): Promise<void> {
  for (const visit of made) {
    const eventId = newImprint(visit.at.getTime());
    const reasons = valuesOf(visit, "reason") as Reason[];
    await db.insert(visits).values({
      ...{ workspaceId, eventId, deviceId: visit.device, webAppId: visit.app, recordedAt: visit.at, accessCount: 1 },
      ...{ surface: visit.surface, origin: "https://a.example", status: visit.status, reasons, rulesVersion: "1" },
      ...{ address: visit.address, countryCode: visit.country, asn: visit.asn, connectionType: visit.connection },
      ...{ browserName: visit.browser, osName: visit.system, report: "{}", evidence: { risk: [] } },
      rules: visit.isOfOldVersion && visit.ageMs > DAY_MS ? null : valuesOf(visit, "rule"),
      evidencePacked: packJson("evidence", { risk: visit.fired.map(([, ruleId]) => ({ ruleId })) }),
    });
    if (visit.account !== null)
      await db.insert(accountLinks).values({
        ...{ workspaceId, eventId, deviceId: visit.device, recordedAt: visit.at },
        accountHash: Buffer.from(visit.account, "hex"),
      });
  }
}

/** Brute-force count of the visits, as text. */
function countOneByOne(made: readonly Made[], dimensions: readonly Dimension[], from: Date, to: Date): string[] {
  const counts = new Map<string, number[]>();
  for (const visit of made) {
    if (visit.at < from || visit.at >= to) continue;
    const [ones, others] = [0, 1].map((index) => {
      const dimension = dimensions[index];
      return dimension === undefined ? [""] : valuesOf(visit, dimension);
    });
    for (const one of ones ?? [])
      for (const other of others ?? []) {
        const key = JSON.stringify([one, other]);
        const verdicts = counts.get(key) ?? [0, 0, 0];
        verdicts[REPORT_STATUSES.indexOf(visit.status)] = (verdicts[REPORT_STATUSES.indexOf(visit.status)] ?? 0) + 1;
        counts.set(key, verdicts);
      }
  }
  return [...counts].map(([key, verdicts]) => `${key} ${verdicts.join()}`).sort();
}

type Dimensions = [] | [Dimension] | [Dimension, Dimension];
const CASES: Dimensions[] = [
  [],
  ...DIMENSIONS.map((dimension): Dimensions => [dimension]),
  ...PAIRS.map(([one, other]): Dimensions => [one, other]),
  ["system", "rule"],
];

const hour = (at: number) => new Date(Math.floor(at / HOUR_MS) * HOUR_MS);
const day = (at: number) => new Date(Math.floor(at / DAY_MS) * DAY_MS);
const RANGES = [
  [hour(now.getTime() - 30 * HOUR_MS), hour(now.getTime() + HOUR_MS)],
  [hour(now.getTime() - 10 * DAY_MS + 5 * HOUR_MS), hour(now.getTime() - 2 * DAY_MS + 7 * HOUR_MS)],
  [day(now.getTime() - 45 * DAY_MS), hour(now.getTime() + HOUR_MS)],
  [day(now.getTime() - 9 * DAY_MS), day(now.getTime() - DAY_MS)],
  [day(now.getTime() - 45 * DAY_MS), day(now.getTime() - 20 * DAY_MS)],
] as const;

async function expectAll(workspaceId: string, made: readonly Made[], cases = CASES): Promise<void> {
  for (const [from, to] of RANGES)
    for (const dimensions of cases) {
      const range = { workspaceId, dimensions, from, to, byHour: false };
      const { rows, values } = await sumSlices(db, range, { order: "visits", limit: 10_000 });
      const found = rows.map(
        (row) => `${JSON.stringify([row.first, row.second])} ${row.passed},${row.suspicious},${row.deceptive}`,
      );
      const expected = countOneByOne(made, dimensions, from, to);
      expect({ dimensions, from, found: found.sort() }).toEqual({ dimensions, from, found: expected });
      expect(values).toBe(expected.length);
    }
}

async function make(samples: readonly Sample[]) {
  const workspaceId = await createTestWorkspace(db);
  const made = samples.map((sample) => ({ ...sample, at: new Date(now.getTime() - sample.ageMs) }));
  await insert(workspaceId, made);
  return { workspaceId, made };
}

test("slices equal a brute-force count before, while and after visits are counted, in any order of steps", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(visitOf, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 12 }),
      async (samples, limit) => {
        const { workspaceId, made } = await make(samples);
        const some = CASES.filter((_, index) => index % 7 === limit % 7);
        // The fired rules of visits stored by an older version are known once they are counted.
        await expectAll(
          workspaceId,
          made,
          some.filter((dimensions) => !dimensions.some((dimension) => dimension === "rule")),
        );
        await countSlices(db, workspaceId, { limit, lagSeconds: 5 * 3600 });
        await expectAll(workspaceId, made, some);
        await countSlices(db, workspaceId, { limit });
        await expectAll(workspaceId, made);
      },
    ),
    { numRuns: 4 },
  );
}, 60_000);

const open = (workspaceId: string) => db.select().from(visitSlices).where(eq(visitSlices.workspaceId, workspaceId));
const closed = (workspaceId: string) => db.select().from(closedSlices).where(eq(closedSlices.workspaceId, workspaceId));
const all = async (workspaceId: string) => [...(await open(workspaceId)), ...(await closed(workspaceId))];
const sampled = (count: number) => fc.sample(visitOf, { numRuns: count, seed: 7 });

test("the steps of a series add up to the sums, by hour and by day", async () => {
  const { workspaceId, made } = await make(sampled(60));
  for (const isCounted of [false, true]) {
    if (isCounted) await countSlices(db, workspaceId);
    for (const [index, [from, to]] of RANGES.entries()) {
      const stepMs = index === 0 ? HOUR_MS : DAY_MS;
      const first = index === 0 ? from : day(from.getTime());
      const starts = [from];
      for (let at = first.getTime() + stepMs; at < to.getTime(); at += stepMs) starts.push(new Date(at));
      const range = { workspaceId, dimensions: ["browser", "reason"], from, to, byHour: index === 0 } as const;
      const found = (await seriesOfSlices(db, range, starts)).map(
        ({ step, ...row }) =>
          `${step} ${JSON.stringify([row.first, row.second])} ${row.passed},${row.suspicious},${row.deceptive}`,
      );
      const expected = starts.flatMap((start, step) =>
        countOneByOne(made, ["browser", "reason"], start, starts[step + 1] ?? to).map((text) => `${step} ${text}`),
      );
      expect(found.sort()).toEqual(expected.sort());
    }
  }
});

test("slices of past days and weeks move to their own table once all visits are counted, and sums stay the same", async () => {
  const { workspaceId, made } = await make(sampled(60));
  const counting = { workspaceId, limit: 5, lagSeconds: COUNTED_AFTER_SECONDS };
  await db.transaction((tx) => countOlderVisits(tx, counting));
  await db.transaction((tx) => closeSlices(tx, counting));
  expect(await closed(workspaceId)).toEqual([]);
  await countSlices(db, workspaceId, { limit: 7 });
  const [mark] = await db.select().from(sliceMarks).where(eq(sliceMarks.workspaceId, workspaceId));
  const today = day(mark?.countedUntil.getTime() ?? 0).getTime();
  const isOver = (slice: { hours: number; startsAt: Date }) =>
    slice.startsAt.getTime() + slice.hours * HOUR_MS <= today;
  const before = await closed(workspaceId);
  expect((await open(workspaceId)).filter((slice) => slice.hours > 1 && isOver(slice))).toEqual([]);
  expect(before.filter((slice) => slice.hours === 1 || !isOver(slice))).toEqual([]);
  await db.insert(visitSlices).values(before);
  await db.transaction((tx) => closeSlices(tx, { ...counting, limit: 10_000 }));
  expect(await closed(workspaceId)).toHaveLength(before.length);
  await db
    .update(closedSlices)
    .set({ passed: sql`passed / 2`, suspicious: sql`suspicious / 2`, deceptive: sql`deceptive / 2` });
  await expectAll(workspaceId, made);
});

test("a deleted device leaves no trace in the slices, which count only what is left", async () => {
  const { workspaceId, made } = await make(sampled(50));
  const [gone] = DEVICES;
  await db.insert(devices).values({
    ...{ workspaceId, deviceId: gone ?? "", firstSeenAt: now, lastRecordedAt: now, accessCount: 9 },
    ...{ browserFamily: "chrome", osFamily: "windows" },
  });
  await countSlices(db, workspaceId, { lagSeconds: 2 * 3600 });
  await deleteDevice({ ...operatorContext(db) }, { workspaceId, deviceId: gone ?? "" });
  const left = made.filter(({ device }) => device !== gone);
  await expectAll(workspaceId, left);
  await countSlices(db, workspaceId);
  await expectAll(workspaceId, left);
  expect(JSON.stringify(await all(workspaceId))).not.toContain(idToUuidText(gone ?? ""));
});

test("an account erased while its visits are being counted leaves no trace in the slices", async () => {
  const [sample] = sampled(1);
  if (!sample) throw new Error("no sample");
  const hex = "aa".repeat(16);
  const { workspaceId } = await make([{ ...sample, ageMs: 2 * HOUR_MS, account: hex }]);
  await countSlices(db, workspaceId, { lagSeconds: 5 * 3600 });

  let erasing: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await countNewerVisits(tx, { workspaceId, limit: 10, lagSeconds: COUNTED_AFTER_SECONDS });
    erasing = db.transaction((other) => deleteAccountRows(other, { workspaceId, hash: Buffer.from(hex, "hex") }));
    await expect.poll(() => countLockWaits(db), { timeout: 2_500 }).toBeGreaterThan(0);
  });
  await erasing;
  const accounts = (await all(workspaceId)).filter(({ code }) => code === sliceCode("account"));
  expect(accounts).toEqual([]);
});

test("visits past their retention are removed from the slices, and hours that nothing reads are deleted", async () => {
  const { workspaceId, made } = await make(sampled(60));
  await countSlices(db, workspaceId);
  const to = day(now.getTime() - 30 * DAY_MS);
  await deleteSlicesBefore(db, workspaceId, to);
  const slices = await all(workspaceId);
  expect(slices.filter(({ startsAt, hours }) => startsAt.getTime() + hours * HOUR_MS <= to.getTime())).toEqual([]);
  expect(made.some(({ at }) => at < to)).toBe(true);
  await expectAll(
    workspaceId,
    made.filter(({ at }) => at >= to),
    [[], ["browser"], ["browser", "country"]],
  );
});

test("only the most frequent devices of a day are kept, and other workspaces are not counted", async () => {
  const { workspaceId } = await make([]);
  const at = new Date(day(now.getTime() - 20 * DAY_MS).getTime() + HOUR_MS);
  const [sample] = sampled(1);
  if (!sample) throw new Error("no sample");
  const crowd = Array.from({ length: 310 }, () => ({ ...sample, at, device: newId("device"), account: null }));
  const often = { ...sample, at, account: null };
  await insert(workspaceId, [...crowd, often, often]);
  await countSlices(db, workspaceId, { limit: 50 });
  const kept = (await all(workspaceId)).filter(({ code }) => code === 160);
  expect(kept.filter(({ hours }) => hours === 24)).toHaveLength(300);
  expect(kept.map(({ first }) => first)).toContain(idToUuidText(often.device));
  expect((await db.select().from(sliceMarks)).length).toBeGreaterThan(1);
});

test("nothing is counted while an open transaction may still add visits, for example one waiting for a replica to confirm", async () => {
  const workspaceId = await createTestWorkspace(db);
  const { signal } = new AbortController();
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_current_xact_id()`);
    const visit = { at: new Date(Date.now() - 59_000), account: null };
    await insert(
      workspaceId,
      sampled(1).map((sample) => ({ ...sample, ...visit })),
    );
    await expect.poll(() => oldestWriteSeconds(db), { timeout: 10_000 }).toBeGreaterThan(2);
    await countAllSlices(db, signal);
    expect(await all(workspaceId)).toEqual([]);
  });
  expect(await oldestWriteSeconds(db)).toBe(0);
  await countAllSlices(db, signal);
  expect((await all(workspaceId)).length).toBeGreaterThan(0);
});

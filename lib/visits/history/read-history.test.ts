import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { History } from "@/lib/contract/history";
import { idToUuid, newImprint } from "@/lib/contract/ids";
import { call, createSite, type Site, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { setPlan } from "@/lib/tenancy/workspaces";
import { addDays } from "./domain/range";
import { readHistory } from "./index";
import { historyStatement } from "@/lib/visits/visit-store";
import { insertVisits, type StoredVisit } from "@/test/history";

const { db } = await createTestDatabase();
const DAY_MS = 86_400_000;

const get = (site: Site, imprint: string, query = "") =>
  call(`/api/v1/fingerprint/imprint/${imprint}/history${query}`, { headers: { "x-api-key": site.apiKey } });
const historyOf = async (site: Site, imprint: string, query = "") =>
  History.parse(await (await get(site, imprint, query)).json());
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const startOf = (day: string) => new Date(`${day}T00:00:00.000Z`);
const after = (day: string, milliseconds: number) => new Date(startOf(day).getTime() + milliseconds);

async function today(): Promise<string> {
  const [row] = await db.execute<{ day: string }>(sql`select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day`);
  return row?.day ?? "";
}

/** Repeats work that depends on the current day if midnight passes meanwhile. */
async function withinOneDay(work: (day: string) => Promise<() => void>): Promise<void> {
  for (;;) {
    const day = await today();
    const release = await work(day);
    if ((await today()) !== day) continue;
    release();
    return;
  }
}

/** The definition of History, applied to a list of visits. */
function expected(
  imprint: string,
  visits: readonly StoredVisit[],
  from: string,
  days: number,
  recent: number,
): History {
  const [start, end] = [startOf(from), startOf(addDays(from, days))];
  const inRange = visits.filter(({ recordedAt }) => recordedAt >= start && recordedAt < end);
  const timeline = Array.from({ length: days }, (_, index) => {
    const date = addDays(from, index);
    return { date, count: inRange.filter(({ recordedAt }) => dayOf(recordedAt) === date).length };
  });
  const [first, last] = [inRange[0], inRange.at(-1)];
  return {
    imprint,
    range: { from, to: addDays(from, days - 1), days },
    summary: {
      events: inRange.length,
      truncated: inRange.length > recent,
      ...(first && last
        ? { firstSeenAt: first.recordedAt.toISOString(), lastSeenAt: last.recordedAt.toISOString() }
        : {}),
    },
    timeline,
    recent: [...inRange]
      .reverse()
      .slice(0, recent)
      .map(({ recordedAt, surface }) => ({ at: recordedAt.toISOString(), surface })),
  };
}

test("real visits are counted by day and listed newest first with their surfaces, and consume no unit", async () => {
  await withinOneDay(async (day) => {
    const site = await createSite(db, { plan: "pro" });
    const first = await visit(site, { surface: "sign-in" });
    await visit(site, { surface: "checkout", token: first.token });
    await visit(site, { surface: "another device" });
    const history = await historyOf(site, first.imprint);
    const ledger = await db.execute(
      sql`select 1 from report_deliveries where workspace_id = ${idToUuid(site.workspaceId)}::uuid`,
    );
    return () => {
      expect(history.range).toEqual({ from: addDays(day, -29), to: day, days: 30 });
      expect(history.timeline.map(({ count }) => count)).toEqual([...Array.from({ length: 29 }, () => 0), 2]);
      expect(history.summary).toMatchObject({ events: 2, truncated: false });
      expect(history.recent.map(({ surface }) => surface)).toEqual(["checkout", "sign-in"]);
      expect(history.summary.lastSeenAt).toBe(history.recent[0]?.at);
      expect(history.summary.firstSeenAt).toBe(history.recent[1]?.at);
      expect(ledger).toHaveLength(0);
    };
  });
});

test(
  "every range of a year of visits matches the definition, with midnight exact to the millisecond",
  { timeout: 60_000 },
  async () => {
    const site = await createSite(db, { plan: "enterprise" });
    const day = await today();
    const edges = [-364, -200, -31, -30, -29, -1, 0].flatMap((offset) =>
      [-1, 0, 1].map((ms) => after(addDays(day, offset), ms)),
    );
    const spread = Array.from({ length: 260 }, (_, index) =>
      after(addDays(day, -((index * 37) % 370)), (index * 7_919_113) % DAY_MS),
    );
    const busy = Array.from({ length: 150 }, (_, index) => after(addDays(day, -12), index * 1000));
    const times = [...new Set([...edges, ...spread, ...busy].map((at) => at.getTime()))].map((ms) => new Date(ms));
    const { visits } = await insertVisits(db, site, times);
    const other = await insertVisits(db, site, [after(addDays(day, -1), 5)]);
    const imprint = visits[17]?.imprint ?? "";
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 365 }),
        fc.integer({ min: 0, max: 380 }),
        fc.integer({ min: 0, max: 100 }),
        async (days, back, recent) => {
          const from = addDays(day, -back);
          const to = addDays(from, days - 1);
          const found = await readHistory({ db }, { ...site, plan: "enterprise" }, { imprint, from, to, recent });
          expect(History.parse(found)).toEqual(expected(imprint, visits, from, days, recent));
        },
      ),
      { numRuns: 80 },
    );
    expect((await historyOf(site, other.visits[0]?.imprint ?? "", "?days=365")).summary.events).toBe(1);
  },
);

test("days count back from today, inclusive; the defaults are 30 days and 20 recent visits", async () => {
  await withinOneDay(async (day) => {
    const site = await createSite(db, { plan: "pro" });
    const { visits } = await insertVisits(
      db,
      site,
      Array.from({ length: 120 }, (_, index) => startOf(addDays(day, -index))),
    );
    const imprint = visits[0]?.imprint ?? "";
    const unspecified = await historyOf(site, imprint);
    const one = await historyOf(site, imprint, "?days=1&recent=0");
    const ninety = await historyOf(site, imprint, "?days=90&recent=100");
    return () => {
      expect([unspecified.range.days, unspecified.recent.length, unspecified.summary.truncated]).toEqual([
        30,
        20,
        true,
      ]);
      expect(one.range).toEqual({ from: day, to: day, days: 1 });
      expect([one.summary.events, one.summary.truncated, one.recent.length]).toEqual([1, true, 0]);
      const firstSeenAt = startOf(addDays(day, -89)).toISOString();
      expect(ninety.summary).toMatchObject({ events: 90, truncated: false, firstSeenAt });
    };
  });
});

test("a range without visits has neither first nor last visit and is not truncated, in any century", async () => {
  const site = await createSite(db, { plan: "pro" });
  const { imprint } = await visit(site);
  for (const range of [
    "from=0001-01-01&to=0001-01-02",
    "from=1969-12-31&to=1970-01-01",
    "from=9999-12-30&to=9999-12-31",
  ]) {
    const history = await historyOf(site, imprint, `?${range}&recent=0`);
    expect(history.summary).toEqual({ events: 0, truncated: false });
    expect(history.timeline.map(({ count }) => count)).toEqual([0, 0]);
  }
});

const refusals: [string, string][] = [
  ["days=0", "days: expected a whole number from 1 to 365"],
  ["days=91", "days: expected 1 to 90 on this plan"],
  ["days=366", "days: expected a whole number from 1 to 365"],
  ["days=", "days: expected a whole number from 1 to 365"],
  ["days=07", "days: expected a whole number from 1 to 365"],
  ["days=1.5", "days: expected a whole number from 1 to 365"],
  ["days=1e1", "days: expected a whole number from 1 to 365"],
  ["days=-1", "days: expected a whole number from 1 to 365"],
  ["days=7&days=8", "days: given more than once"],
  ["days=7&from=2026-01-01&to=2026-01-02", "query: give either days, or from and to"],
  ["days=7&from=2026-01-01", "query: from and to are given together"],
  ["from=2026-01-01", "query: from and to are given together"],
  ["to=2026-01-01", "query: from and to are given together"],
  ["from=2026-02-30&to=2026-03-01", "from: expected a date, YYYY-MM-DD"],
  ["from=2026-1-1&to=2026-01-02", "from: expected a date, YYYY-MM-DD"],
  ["from=0000-01-01&to=0000-01-02", "from and to are dates, YYYY-MM-DD"],
  ["from=0000-12-31&to=0001-01-01", "from and to are dates, YYYY-MM-DD"],
  ["from=%00&to=2026-01-01", "The query contains a NUL or half of a surrogate pair"],
  ["from=2026-01-02&to=2026-01-01", "from is after to"],
  ["from=2026-01-01&to=2026-04-01", "from and to: at most 90 days on this plan"],
  ["recent=101", "recent: expected a whole number from 0 to 100"],
  ["recent=", "recent: expected a whole number from 0 to 100"],
  ["limit=5", 'query: Unrecognized key: "limit"'],
];

test("invalid parameters are refused with the reason, whether or not the imprint exists", async () => {
  const site = await createSite(db, { plan: "pro" });
  const { imprint } = await visit(site);
  for (const [query, message] of refusals) {
    for (const each of [imprint, newImprint(Date.now())]) {
      const answer = await get(site, each, `?${query}`);
      expect([answer.status, await answer.json()], query).toEqual([
        400,
        { error: { code: "invalid_request", message } },
      ]);
    }
  }
  expect((await get(site, imprint, "?from=2026-01-01&to=2026-03-31")).status).toBe(200);
});

test("the plan determines from the next request whether and how far back History reaches", async () => {
  const site = await createSite(db, { plan: "lite" });
  const { imprint } = await visit(site);
  const answers: [string, number][] = [];
  for (const plan of ["lite", "pro", "enterprise", "lite"] as const) {
    await setPlan(operatorContext(db), { workspaceId: site.workspaceId, plan });
    for (const days of [90, 365]) answers.push([plan, (await get(site, imprint, `?days=${days}`)).status]);
  }
  expect(answers).toEqual([
    ["lite", 403],
    ["lite", 403],
    ["pro", 200],
    ["pro", 400],
    ["enterprise", 200],
    ["enterprise", 200],
    ["lite", 403],
    ["lite", 403],
  ]);
  expect(await (await get(site, imprint)).json()).toEqual({
    error: { code: "history_not_allowed", message: "The plan of this key does not include History" },
  });
});

test("another workspace's imprint is indistinguishable from an unknown or malformed one, and a key is required", async () => {
  const [site, other] = [await createSite(db), await createSite(db)];
  const { imprint } = await visit(site);
  const texts: [number, string][] = [];
  for (const each of [imprint, newImprint(Date.now()), "imp_short", imprint.toUpperCase()]) {
    const answer = await get(other, each);
    texts.push([answer.status, await answer.text()]);
  }
  expect(texts[0]?.[0]).toBe(404);
  expect(new Set(texts.map((text) => text.join())).size).toBe(1);
  expect((await call(`/api/v1/fingerprint/imprint/${imprint}/history`)).status).toBe(401);
});

/** A plan node. On a cluster, the plans of the servers with the rows are below it. */
type Explained = Record<string, unknown> | readonly Explained[] | string | number | boolean | null;

/** Pages read by the plans that the servers ran. A node includes everything below it. */
function pagesOf(explained: Explained): number {
  if (typeof explained !== "object" || explained === null) return 0;
  const { "Shared Hit Blocks": hit = 0, "Shared Read Blocks": read = 0 } = explained as Record<string, number>;
  const { Planning: _, ...parts } = explained as Record<string, unknown>;
  return hit + read || Object.values(parts).reduce((sum: number, part) => sum + pagesOf(part as Explained), 0);
}

/** Pages that the counting statement reads, according to the database. */
async function pagesTouched(site: Site, imprint: string, deviceId: string, from: string): Promise<number> {
  const span = { fromSecond: Date.parse(from) / 1000, days: 30, recent: 20 };
  const [row] = await db.execute<{ "QUERY PLAN": Explained }>(
    sql`explain (analyze, buffers, format json) ${historyStatement(site.workspaceId, idToUuid(deviceId), span)}`,
  );
  const pages = pagesOf(row?.["QUERY PLAN"] ?? null);
  expect(pages, imprint).toBeGreaterThan(0);
  return pages;
}

test("a device with 20,000 visits costs no more than one with one visit a day", { timeout: 60_000 }, async () => {
  const site = await createSite(db, { plan: "pro" });
  const from = addDays(await today(), -29);
  const daily = (count: number) =>
    Array.from({ length: 30 * count }, (_, index) =>
      after(addDays(from, index % 30), Math.floor(index / 30) * Math.floor(DAY_MS / count / 2)),
    );
  const quiet = await insertVisits(db, site, daily(1));
  const busy = await insertVisits(db, site, daily(667));
  await db.execute(sql`analyze visits`);
  const [few, many] = [
    await pagesTouched(site, quiet.visits[0]?.imprint ?? "", quiet.deviceId, from),
    await pagesTouched(site, busy.visits[0]?.imprint ?? "", busy.deviceId, from),
  ];
  expect(many).toBeLessThan(3 * few);
  for (const pages of [few, many]) expect(pages).toBeLessThan(1_000);
});

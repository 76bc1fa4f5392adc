import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";

import { createTestDatabase } from "@/test/database";
import { ensurePartitions, missingPartitions } from "@/db/partitions";
import { challengeUses, sessions, users, verificationTokens, visits, visitSignals } from "@/db/schema";
import { newId, newImprint } from "@/lib/contract/ids";
import { withSnapshot } from "@/lib/operations/backup/queries-snapshot";
import { createTestWorkspace } from "@/test/workspaces";
import { eraseOldSignals } from "./erase-old-signals";
import { JOBS } from "./index";

const { db, url } = await createTestDatabase();
const DAY_MS = 86_400_000;
const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);

function runOf(progress = "") {
  const run = {
    db,
    now,
    signal: new AbortController().signal,
    progress,
    saveProgress: (text: string) => {
      run.progress = text;
      return Promise.resolve();
    },
  };
  return run;
}

async function runJob(name: string): Promise<void> {
  const job = JOBS.find((each) => each.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  await job.run(runOf());
}

/** A visit as version 0.1 stored it, with its signals in the same row or in a separate table. */
async function insertVisit(workspaceId: string, at: Date, { isOf01 = false } = {}) {
  const eventId = newImprint(at.getTime());
  await db.insert(visits).values({
    workspaceId,
    eventId,
    deviceId: newId("device"),
    webAppId: newId("webApp"),
    recordedAt: at,
    accessCount: 1,
    surface: "default",
    origin: "https://a.example",
    status: "PASS",
    reasons: [],
    rulesVersion: "1",
    evidence: {},
    signals: isOf01 ? { raw: true } : null,
    report: "{}",
  });
  if (!isOf01) await db.insert(visitSignals).values({ workspaceId, eventId, packed: Buffer.alloc(3_000) });
  return eventId;
}

async function withSignals(workspaceId: string): Promise<string[]> {
  const workspace = sql`workspace_id = ${workspaceId.slice(-32)}::uuid`;
  const together = await db
    .select({ eventId: visits.eventId })
    .from(visits)
    .where(sql`${workspace} and signals is not null`);
  const apart = await db
    .select({ eventId: visitSignals.eventId })
    .from(visitSignals)
    .where(workspace)
    .orderBy(visitSignals.eventId);
  return [...together, ...apart].map(({ eventId }) => eventId);
}

test("job names are unique", () => {
  expect(new Set(JOBS.map(({ name }) => name)).size).toBe(JOBS.length);
});

test("the job makes the partitions of the service's clock too, and of the day before, if the database's is days ahead", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("1999-03-01T12:00:00Z") });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  await runJob("ensure-partitions");
  expect(await missingPartitions(db, new Date("1999-02-28T12:00:00Z"))).toEqual([]);
  expect(await missingPartitions(db, now)).toEqual([]);
});

test("after the job has run, partitions exist three months ahead", async () => {
  await db.execute(sql`drop table if exists visits_${sql.raw(monthSuffix(2))}`);
  expect(await missingPartitions(db, now)).toEqual([`visits_${monthSuffix(2)}`]);
  await runJob("ensure-partitions");
  expect(await missingPartitions(db, now)).toEqual([]);
});

function monthSuffix(ahead: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
    .toISOString()
    .slice(0, 7)
    .replace("-", "");
}

test("raw signals stored by 0.1 are erased after their retention, the Report stays, and the next run continues from there", async () => {
  await ensurePartitions(db, daysAgo(100), now);
  const [first, second] = [await createTestWorkspace(db), await createTestWorkspace(db)];
  const old = [
    await insertVisit(first, daysAgo(90), { isOf01: true }),
    await insertVisit(first, daysAgo(31), { isOf01: true }),
    await insertVisit(second, daysAgo(31), { isOf01: true }),
  ];
  const kept = await insertVisit(first, daysAgo(29), { isOf01: true });
  const run = runOf();
  await eraseOldSignals(run, 30);
  expect(await withSignals(first)).toEqual([kept]);
  expect(await withSignals(second)).toEqual([]);
  expect(run.progress).toBe(daysAgo(30).toISOString());
  const reports = await db.execute(sql`select 1 from visits where report = '{}'`);
  expect(reports).toHaveLength(old.length + 1);
  await eraseOldSignals(runOf(run.progress), 28);
  expect(await withSignals(first)).toEqual([]);
});

test("raw signals are erased by whole days, none is kept longer than the retention, and their disk space is freed", async () => {
  await ensurePartitions(db, daysAgo(31), now);
  const workspaceId = await createTestWorkspace(db);
  const ages = [30, 8, 7.2, 6, 0].map(daysAgo);
  const imprints: string[] = [];
  for (const at of ages) imprints.push(await insertVisit(workspaceId, at));
  const bytes = async () => {
    const [row] = await db.execute<{ bytes: number }>(sql`
      select sum(pg_total_relation_size(relid))::float8 as bytes from pg_partition_tree('visit_signals')`);
    return row?.bytes ?? 0;
  };
  const [before, visitsBefore] = [await bytes(), await db.$count(visits)];
  await eraseOldSignals(runOf(), 7);
  expect(await withSignals(workspaceId)).toEqual(imprints.slice(3));
  expect(await bytes()).toBeLessThan(before / 2);
  expect(await db.$count(visits)).toBe(visitsBefore);
  await eraseOldSignals(runOf(), 1);
  expect(await withSignals(workspaceId)).toEqual(imprints.slice(4));
});

test("raw signals are not erased while a backup reads them, but by the next run after it", async () => {
  await ensurePartitions(db, daysAgo(31), now);
  const workspaceId = await createTestWorkspace(db);
  await insertVisit(workspaceId, daysAgo(20));
  await withSnapshot(url, async () => {
    await eraseOldSignals(runOf(), 7);
    expect(await withSignals(workspaceId)).toHaveLength(1);
  });
  await eraseOldSignals(runOf(), 7);
  expect(await withSignals(workspaceId)).toEqual([]);
});

test("months entirely beyond retention are dropped, the others stay", async () => {
  await ensurePartitions(db, daysAgo(470), now);
  await runJob("drop-old-visits");
  const rows = await db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relname ~ '^(visits|report_deliveries|account_links|visit_rules)_\\d{6}$'`,
  );
  const monthOf = (date: Date) => date.toISOString().slice(0, 7).replace("-", "");
  for (const table of ["visits", "report_deliveries", "account_links", "visit_rules"]) {
    const months = rows.flatMap(({ name }) => (name.startsWith(`${table}_`) ? [name.slice(-6)] : [])).sort();
    expect(months[0]).toBe(monthOf(daysAgo(400)));
    expect(months.at(-1)).toBe(monthSuffix(3));
  }
});

test("used challenges are kept for ten minutes after they expire", async () => {
  const workspaceId = await createTestWorkspace(db);
  const use = (minutes: number) => ({
    workspaceId,
    nonce: crypto.randomUUID(),
    bodyHash: Buffer.alloc(32),
    eventId: newImprint(1),
    expiresAt: sql`now() - make_interval(mins => ${minutes})`,
  });
  await db.insert(challengeUses).values([use(11), use(9), use(-1)]);
  await runJob("purge-challenge-uses");
  expect(await db.select({ nonce: challengeUses.nonce }).from(challengeUses)).toHaveLength(2);
});

test("expired sessions and sign-in links are deleted, others are not", async () => {
  const userId = newId("user");
  await db.insert(users).values({ id: userId, email: "ada@example.com" });
  const expires = (hours: number) => sql`now() + make_interval(hours => ${hours})`;
  await db.insert(sessions).values([
    { sessionToken: "a", userId, expires: expires(-1) },
    { sessionToken: "b", userId, expires: expires(1) },
  ]);
  await db.insert(verificationTokens).values([
    { identifier: "ada@example.com", token: "a", expires: expires(-1) },
    { identifier: "ada@example.com", token: "b", expires: expires(1) },
  ]);
  await runJob("purge-ended-sessions");
  expect(await db.select({ token: sessions.sessionToken }).from(sessions)).toEqual([{ token: "b" }]);
  expect(await db.select({ token: verificationTokens.token }).from(verificationTokens)).toEqual([{ token: "b" }]);
});

test("partitions are not dropped while a backup reads them, because a waiting drop blocks all other queries", async () => {
  await withSnapshot(url, async () => {
    await expect(runJob("drop-old-visits")).rejects.toThrow("a backup is being written");
  });
  await runJob("drop-old-visits");
});

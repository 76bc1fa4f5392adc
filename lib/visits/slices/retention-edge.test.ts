import { expect, test } from "vitest";

import { ensurePartitions } from "@/db/partitions";
import { visits } from "@/db/schema";
import { newId, newImprint } from "@/lib/contract/ids";
import { narrowBySlices } from "@/lib/visits/reports";
import { deleteSlicesBefore, seriesOfSlices, sumSlices } from "@/lib/visits/visit-store";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace } from "@/test/workspaces";
import { countSlices } from "./index";

const { db } = await createTestDatabase();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
const now = new Date();
await ensurePartitions(db, new Date(now.getTime() - 62 * DAY_MS), now);

async function insertAt(workspaceId: string, at: Date): Promise<void> {
  await db.insert(visits).values({
    ...{ workspaceId, eventId: newImprint(at.getTime()), deviceId: newId("device"), webAppId: newId("webApp") },
    ...{ recordedAt: at, accessCount: 1, surface: "default", origin: "https://a.example", status: "DECEPTIVE" },
    ...{ reasons: [], rules: [], rulesVersion: "1", browserName: "Chrome", osName: "Windows" },
    ...{ report: "{}", evidence: { risk: [] } },
  });
}

test("a week that is kept in part counts its kept days, and no more", async () => {
  const workspaceId = await createTestWorkspace(db);
  const monday = new Date(Math.floor(now.getTime() / WEEK_MS) * WEEK_MS - 5 * WEEK_MS + 4 * DAY_MS);
  const after = (days: number) => new Date(monday.getTime() + days * DAY_MS);
  for (const at of [after(0.1), after(1.9), after(2.6), after(4), after(30)]) await insertAt(workspaceId, at);
  await countSlices(db, workspaceId);
  await deleteSlicesBefore(db, workspaceId, after(2.5));
  await deleteSlicesBefore(db, workspaceId, after(2.5));
  const range = { workspaceId, from: monday, to: after(35), byHour: false } as const;
  for (const dimensions of [[], ["browser"], ["browser", "system"]] as const) {
    const { rows } = await sumSlices(db, { ...range, dimensions }, { order: "visits", limit: 10 });
    expect(rows.map(({ deceptive }) => deceptive)).toEqual([3]);
  }
  const series = await seriesOfSlices(db, { ...range, dimensions: ["browser"] }, [monday, after(7)]);
  expect(series.map(({ step, deceptive }) => [step, deceptive])).toEqual([
    [0, 2],
    [1, 1],
  ]);
});

test("a filtered list finds the visits of the day that is kept in part", async () => {
  const workspaceId = await createTestWorkspace(db);
  const midnight = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - 30 * DAY_MS);
  const kept = new Date(midnight.getTime() + 12 * HOUR_MS);
  await insertAt(workspaceId, kept);
  await insertAt(workspaceId, new Date(now.getTime() - 2 * DAY_MS));
  await countSlices(db, workspaceId);
  await deleteSlicesBefore(db, workspaceId, new Date(midnight.getTime() + 6 * HOUR_MS));
  const filter = { workspaceId, from: new Date(midnight.getTime() - DAY_MS), to: now, status: "DECEPTIVE" } as const;
  const ranges = await narrowBySlices(db, filter, { before: undefined, after: undefined, limit: 51 });
  expect(ranges?.some(({ from, to }) => from <= kept && kept < to)).toBe(true);
});

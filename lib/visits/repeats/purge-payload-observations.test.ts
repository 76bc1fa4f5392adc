import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { payloadObservations } from "@/db/schema";
import { createTestDatabase } from "@/test/database";
import { newImprint } from "@/lib/contract/ids";
import { createTestWorkspace } from "@/test/workspaces";
import { purgePayloadObservations } from "./purge-payload-observations";

const { db } = await createTestDatabase();
const DAY_MS = 86_400_000;
const now = new Date();
const { signal } = new AbortController();

async function workspaceWith(daysAgo: readonly number[]): Promise<string> {
  const workspaceId = await createTestWorkspace(db);
  await db.insert(payloadObservations).values(
    daysAgo.map((days) => ({
      workspaceId,
      eventId: newImprint(now.getTime() - days * DAY_MS),
      kind: BigInt(days),
      network: 1n,
    })),
  );
  return workspaceId;
}

async function kept(workspaceId: string): Promise<number[]> {
  const rows = await db.select().from(payloadObservations).where(eq(payloadObservations.workspaceId, workspaceId));
  return rows.map(({ kind }) => Number(kind)).sort((one, other) => one - other);
}

test("observations are deleted after 30 days, or earlier if the workspace keeps visits for fewer", async () => {
  const [first, second] = [await workspaceWith([1, 29, 31, 90]), await workspaceWith([1, 6, 8])];
  await purgePayloadObservations(db, first, { now, days: 400, signal });
  await purgePayloadObservations(db, second, { now, days: 7, signal });
  expect([await kept(first), await kept(second)]).toEqual([
    [1, 29],
    [1, 6],
  ]);
});

test("a workspace keeps only the newest observations up to its limit, and other workspaces keep theirs", async () => {
  const [full, other] = [await workspaceWith([5, 4, 3, 2, 1]), await workspaceWith([5, 4, 3, 2, 1])];
  await purgePayloadObservations(db, full, { now, days: 400, signal, kept: 3 });
  expect([await kept(full), await kept(other)]).toEqual([
    [1, 2, 3],
    [1, 2, 3, 4, 5],
  ]);
});

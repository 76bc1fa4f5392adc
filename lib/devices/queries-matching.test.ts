import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/db/testing";
import { idToUuid } from "@/lib/ids";
import { createSite } from "@/lib/submissions/testing";
import { CANDIDATES_WEIGHED } from "./domain/blocking-keys";
import { findMatchFacts, matchReading } from "./queries-matching";
import { insertTestDevice } from "./testing";

const { db } = await createTestDatabase();

const MODEL_KEYS = ["11", "12", "13"];
const NETWORK_KEY = "14";
const CLONES = 2 * CANDIDATES_WEIGHED;

/** A device that was last seen so many days ago and is filed under the keys. */
async function fileDevice(workspaceId: string, keys: readonly string[], daysAgo: number): Promise<string> {
  const deviceId = await insertTestDevice(db, workspaceId);
  await db.execute(sql`
    with filed as (insert into device_profiles (workspace_id, device_id, profile)
      values (${idToUuid(workspaceId)}::uuid, ${idToUuid(deviceId)}::uuid, '{}'))
    insert into device_keys (workspace_id, device_id, key, seen)
    select ${idToUuid(workspaceId)}::uuid, ${idToUuid(deviceId)}::uuid, key, current_date - ${daysAgo}::int
    from unnest(${`{${keys.join()}}`}::bigint[]) key`);
  return deviceId;
}

test("the one device of a network is weighed, however many newer ones of its model there are", async () => {
  const { workspaceId } = await createSite(db);
  const deviceId = await fileDevice(workspaceId, [...MODEL_KEYS, NETWORK_KEY], 30);
  await Promise.all(Array.from({ length: CLONES }, () => fileDevice(workspaceId, MODEL_KEYS, 0)));

  const keys = [...MODEL_KEYS, NETWORK_KEY];
  const { candidates } = await findMatchFacts(db, matchReading({ workspaceId, tokenId: undefined, keys, draw: 0 }));
  expect(candidates).toHaveLength(CANDIDATES_WEIGHED);
  expect(candidates.map((candidate) => candidate.deviceId)).toContain(deviceId);
});

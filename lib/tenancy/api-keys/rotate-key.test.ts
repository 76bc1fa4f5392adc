import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import {
  authenticateApiKey,
  createKey,
  endOverlap,
  extendOverlap,
  listKeys,
  OVERLAP_SECONDS,
  revokeKey,
  rotateKey,
} from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

async function createTestKey(options: { expiresAfterSeconds?: number } = {}) {
  const workspaceId = await createTestWorkspace(db);
  return { workspaceId, ...(await createKey(operator, { workspaceId, name: "server", ...options })) };
}

const readKey = async (workspaceId: string, keyId: string) =>
  (await listKeys(operator, { workspaceId })).find((key) => key.keyId === keyId);

test.each(Object.entries(OVERLAP_SECONDS).filter(([name]) => name !== "0"))(
  "with an overlap of %s both keys are accepted until it ends",
  async (overlap, seconds) => {
    const old = await createTestKey();
    const startedAt = Date.now();
    const fresh = await rotateKey(operator, { ...old, overlap: overlap as keyof typeof OVERLAP_SECONDS });
    expect(await authenticateApiKey(db, old.apiKey)).toMatchObject({ keyId: old.keyId });
    expect(await authenticateApiKey(db, fresh.apiKey)).toMatchObject({ keyId: fresh.keyId });
    expect(Math.abs((fresh.overlapEndsAt?.getTime() ?? 0) - startedAt - seconds * 1000)).toBeLessThan(60_000);
    expect(await readKey(old.workspaceId, old.keyId)).toMatchObject({ state: "overlap", replacedBy: fresh.keyId });
  },
);

test("without an overlap the old key is refused at once", async () => {
  const old = await createTestKey();
  const fresh = await rotateKey(operator, { ...old, overlap: "0" });
  await expect(authenticateApiKey(db, old.apiKey)).rejects.toMatchObject({ code: "auth_failed" });
  expect(await authenticateApiKey(db, fresh.apiKey)).toMatchObject({ keyId: fresh.keyId });
  expect(fresh.overlapEndsAt).toBeNull();
});

test("the overlap defaults to a day, and never outlasts the old key's own expiry", async () => {
  const endless = await createTestKey();
  const startedAt = Date.now();
  const { overlapEndsAt } = await rotateKey(operator, endless);
  expect(Math.abs((overlapEndsAt?.getTime() ?? 0) - startedAt - 86_400_000)).toBeLessThan(60_000);

  const ending = await createTestKey({ expiresAfterSeconds: 3600 });
  const fresh = await rotateKey(operator, { ...ending, overlap: "7d" });
  expect(fresh.overlapEndsAt).toEqual(ending.expiresAt);
  expect(Math.abs((fresh.expiresAt?.getTime() ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);
});

test("expired, revoked and already replaced keys cannot be rotated", async () => {
  const expired = await createTestKey({ expiresAfterSeconds: 60 });
  await db.execute(sql`update api_keys set expires_at = now() where expires_at is not null`);
  await expect(rotateKey(operator, expired)).rejects.toMatchObject({ code: "conflict" });

  const revoked = await createTestKey();
  await revokeKey(operator, revoked);
  await expect(rotateKey(operator, revoked)).rejects.toMatchObject({ code: "conflict" });

  const replaced = await createTestKey();
  await rotateKey(operator, replaced);
  await expect(rotateKey(operator, replaced)).rejects.toMatchObject({ code: "conflict" });
});

test("exactly one of many concurrent rotations of a key succeeds", async () => {
  const old = await createTestKey();
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => rotateKey(operator, old)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await listKeys(operator, old)).toHaveLength(2);
});

test("an overlap can be ended early, once", async () => {
  const old = await createTestKey();
  await expect(endOverlap(operator, old)).rejects.toMatchObject({ code: "conflict" });
  await rotateKey(operator, old);
  await endOverlap(operator, old);
  await expect(authenticateApiKey(db, old.apiKey)).rejects.toMatchObject({ code: "auth_failed" });
  await expect(endOverlap(operator, old)).rejects.toMatchObject({ code: "conflict" });
});

test("a key of another workspace is not found", async () => {
  const mine = await createTestWorkspace(db);
  const other = await createTestKey();
  const refusal = { code: "not_found" };
  const input = { workspaceId: mine, keyId: other.keyId };
  await expect(rotateKey(operator, input)).rejects.toMatchObject(refusal);
  await expect(revokeKey(operator, input)).rejects.toMatchObject(refusal);
  await expect(endOverlap(operator, input)).rejects.toMatchObject(refusal);
  await expect(revokeKey(operator, { ...input, keyId: "key_'; drop table api_keys" })).rejects.toMatchObject(refusal);
  expect(await authenticateApiKey(db, other.apiKey)).toMatchObject({ keyId: other.keyId });
});

test("an overlap can be extended but not shortened, and ends with the key's own expiry at the latest", async () => {
  const endless = await createTestKey();
  await expect(extendOverlap(operator, { ...endless, overlap: "7d" })).rejects.toMatchObject({ code: "conflict" });
  const fresh = await rotateKey(operator, { ...endless, overlap: "1h" });
  const { overlapEndsAt } = await extendOverlap(operator, { ...endless, overlap: "7d" });
  expect(Math.abs(overlapEndsAt.getTime() - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000);
  await expect(extendOverlap(operator, { ...endless, overlap: "24h" })).rejects.toMatchObject({ code: "conflict" });
  expect(await authenticateApiKey(db, endless.apiKey)).toMatchObject({ keyId: endless.keyId });
  expect(await authenticateApiKey(db, fresh.apiKey)).toMatchObject({ keyId: fresh.keyId });

  // Replaced twice, so that the overlap has overwritten the expiry of the first two.
  const ending = await createTestKey({ expiresAfterSeconds: 7200 });
  const second = await rotateKey(operator, { ...ending, overlap: "15m" });
  await rotateKey(operator, { workspaceId: ending.workspaceId, keyId: second.keyId, overlap: "15m" });
  const extended = await extendOverlap(operator, { ...ending, overlap: "7d" });
  expect(Math.abs(extended.overlapEndsAt.getTime() - (ending.expiresAt?.getTime() ?? 0))).toBeLessThan(2_000);

  await endOverlap(operator, endless);
  await expect(extendOverlap(operator, { ...endless, overlap: "7d" })).rejects.toMatchObject({ code: "conflict" });
});

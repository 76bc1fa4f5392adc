import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";

import { countRoundTrips } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { publishSecrets } from "@/lib/platform/secrets";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { TEST_SECRETS } from "@/test/secrets";
import { authenticateApiKey, createKey, drawKey, listKeys, revokeKey, rotateKey } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

async function createTestKey(options: { expiresAfterSeconds?: number } = {}) {
  const workspaceId = await createTestWorkspace(db, "lite");
  return { workspaceId, ...(await createKey(operator, { workspaceId, name: "server", ...options })) };
}

const failure = { code: "auth_failed", message: "Authentication failed" };

test("a key authenticates with its workspace, kind and plan in one round trip, plus a look-up the first time", async () => {
  const { workspaceId, keyId, apiKey } = await createTestKey();
  const { result, roundTrips } = await countRoundTrips(() => authenticateApiKey(db, apiKey));
  expect(result).toEqual({ workspaceId, keyId, kind: "live", plan: "lite" });
  // The last one records the first use in the background.
  expect(roundTrips).toBeLessThanOrEqual(3);
  await vi.waitFor(async () => {
    const [key] = await listKeys(operator, { workspaceId });
    expect(key?.lastUsedAt).toBeInstanceOf(Date);
  });
  expect((await countRoundTrips(() => authenticateApiKey(db, apiKey))).roundTrips).toBe(1);
});

test("a key with a wrong checksum is refused without a query", async () => {
  const { apiKey } = await createTestKey();
  const wrong = apiKey.slice(0, -1) + (apiKey.endsWith("0") ? "1" : "0");
  const { result, roundTrips } = await countRoundTrips(() =>
    authenticateApiKey(db, wrong).catch((error: unknown) => error),
  );
  expect(result).toMatchObject(failure);
  expect(roundTrips).toBe(0);
});

test("unknown, revoked and expired keys get the same refusal", async () => {
  const revoked = await createTestKey();
  await revokeKey(operator, revoked);
  const expired = await createTestKey({ expiresAfterSeconds: 60 });
  await db.execute(sql`update api_keys set expires_at = now() where name = 'server' and expires_at is not null`);
  const unknown = await createTestKey();
  await db.execute(sql`delete from api_key_lookup where key_id = ${unknown.keyId.slice(-32)}::uuid`);
  for (const { apiKey } of [revoked, expired, unknown]) {
    await expect(authenticateApiKey(db, apiKey)).rejects.toMatchObject(failure);
  }
});

test("a revoked or replaced key is refused at once, also by a process that has cached its workspace", async () => {
  const { workspaceId, keyId, apiKey } = await createTestKey();
  await authenticateApiKey(db, apiKey);
  await revokeKey(operator, { workspaceId, keyId });
  await expect(authenticateApiKey(db, apiKey)).rejects.toMatchObject(failure);
  const other = await createTestKey();
  await authenticateApiKey(db, other.apiKey);
  const { apiKey: next } = await rotateKey(operator, { ...other, overlap: "0" });
  await expect(authenticateApiKey(db, other.apiKey)).rejects.toMatchObject(failure);
  expect(await authenticateApiKey(db, next)).toMatchObject({ workspaceId: other.workspaceId });
});

test("unknown keys cost one look-up each time and are not cached; known keys stay cached meanwhile", async () => {
  const { apiKey } = await createTestKey();
  await authenticateApiKey(db, apiKey);
  const invented = drawKey("live");
  const ask = () => authenticateApiKey(db, invented).catch((error: unknown) => error);
  for (const time of [1, 2]) {
    const { result, roundTrips } = await countRoundTrips(ask);
    expect([time, roundTrips]).toEqual([time, 1]);
    expect(result).toMatchObject(failure);
  }
  expect((await countRoundTrips(() => authenticateApiKey(db, apiKey))).statements.join()).not.toContain(
    "api_key_lookup",
  );
});

test("a key that is now in another workspace than the cached one, after a restore, is found", async () => {
  const { workspaceId, keyId, apiKey } = await createTestKey();
  await authenticateApiKey(db, apiKey);
  const restored = await createTestWorkspace(db, "pro");
  const ids = (id: string) => sql`${id.slice(-32)}::uuid`;
  // On a cluster a row is stored on its workspace's shard, so it is deleted and inserted again.
  for (const table of ["api_keys", "api_key_lookup"].map((name) => sql.raw(name))) {
    const own = sql`workspace_id = ${ids(workspaceId)} and key_id = ${ids(keyId)}`;
    const [moved] = await db.execute<{ row: object }>(sql`select to_jsonb(t) as row from ${table} t where ${own}`);
    await db.execute(sql`delete from ${table} where ${own}`);
    const row = JSON.stringify({ ...moved?.row, workspace_id: restored.slice(-32) });
    await db.execute(sql`insert into ${table} select (jsonb_populate_record(null::${table}, ${row}::jsonb)).*`);
  }
  expect(await authenticateApiKey(db, apiKey)).toMatchObject({ workspaceId: restored, keyId, plan: "pro" });
});

test("a key hashed under an older pepper is accepted while that pepper is configured", async () => {
  const { keyId, apiKey } = await createTestKey();
  const newer = `p2:${Buffer.alloc(32, 9).toString("base64")}`;
  try {
    publishSecrets({ ...TEST_SECRETS, keyPepper: `${newer},${TEST_SECRETS.keyPepper}` });
    expect(await authenticateApiKey(db, apiKey)).toMatchObject({ keyId });
    const fresh = await createTestKey();
    publishSecrets({ ...TEST_SECRETS, keyPepper: newer });
    await expect(authenticateApiKey(db, apiKey)).rejects.toMatchObject(failure);
    expect(await authenticateApiKey(db, fresh.apiKey)).toMatchObject({ keyId: fresh.keyId });
  } finally {
    publishSecrets(TEST_SECRETS);
  }
});

test("the use of a key is recorded at most once a minute", async () => {
  const { workspaceId, apiKey } = await createTestKey();
  const lastUse = async () => (await listKeys(operator, { workspaceId }))[0];
  await Promise.all(Array.from({ length: 20 }, () => authenticateApiKey(db, apiKey)));
  await vi.waitFor(async () => {
    expect((await lastUse())?.lastUsedAt).toBeInstanceOf(Date);
  });
  const noted = await lastUse();
  expect(noted?.lastUsedAt?.getTime()).toBeGreaterThanOrEqual(noted?.createdAt.getTime() ?? Number.POSITIVE_INFINITY);
  const { roundTrips } = await countRoundTrips(() => authenticateApiKey(db, apiKey));
  expect(roundTrips).toBe(1);
  expect((await lastUse())?.lastUsedAt).toEqual(noted?.lastUsedAt);
});

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { contextOf, createTestWorkspace, operatorContext } from "@/test/workspaces";
import { authenticateApiKey, createKey, listKeys, revokeKey, rotateKey } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

/** Every row of the tables that store data of a key, as text. */
async function dumpDatabase(): Promise<string> {
  const tables = await db.execute<{ name: string }>(
    sql`select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => db.execute<{ row: string }>(sql`select to_jsonb(t)::text as row from ${sql.raw(name)} t`)),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join("\n");
}

test("no column of the database holds a key's secret", async () => {
  const workspaceId = await createTestWorkspace(db);
  const created = await createKey(operator, { workspaceId, name: "server" });
  const rotated = await rotateKey(operator, { workspaceId, keyId: created.keyId });
  await revokeKey(operator, { workspaceId, keyId: rotated.keyId });
  const pasted = await createKey(operator, { workspaceId, name: "n" });
  const dump = await dumpDatabase();
  expect(dump).toContain(created.keyId.slice(4, 12));
  for (const { apiKey } of [created, rotated, pasted]) {
    const random = apiKey.slice("svc_live_".length, -6);
    expect(dump).not.toContain(random);
    expect(dump).not.toContain(Buffer.from(apiKey).toString("hex"));
    expect(dump).not.toContain(random.slice(4, 16));
  }
});

test("the list shows no secret and no hash", async () => {
  const workspaceId = await createTestWorkspace(db);
  const { keyId, apiKey } = await createKey(operator, { workspaceId, name: " My server " });
  const [listed] = await listKeys(operator, { workspaceId });
  expect(Object.keys(listed ?? {}).sort()).toEqual([
    "createdAt",
    "createdBy",
    "expiresAt",
    "isUnused",
    "keyId",
    "kind",
    "lastFour",
    "lastUsedAt",
    "name",
    "preview",
    "replacedBy",
    "revokedAt",
    "state",
  ]);
  expect(listed).toMatchObject({
    keyId,
    name: "My server",
    preview: apiKey.slice(0, 13),
    lastFour: apiKey.slice(-4),
    createdBy: "operator",
  });
});

test("a failure after the key was stored rolls it back", async () => {
  const workspaceId = await createTestWorkspace(db);
  const attempt = db.transaction(async (tx) => {
    await createKey({ ...operator, db: tx }, { workspaceId, name: "server" });
    throw new Error("later step failed");
  });
  await expect(attempt).rejects.toThrow("later step failed");
  expect(await listKeys(operator, { workspaceId })).toEqual([]);
});

test("only the service itself creates trial keys", async () => {
  const workspaceId = await createTestWorkspace(db, "trial");
  const input = { workspaceId, name: "trial", kind: "trial" as const };
  await expect(createKey(operator, input)).rejects.toMatchObject({ code: "forbidden" });
  const { apiKey } = await createKey(contextOf(db, { kind: "system" }), input);
  expect(await authenticateApiKey(db, apiKey)).toMatchObject({ kind: "trial", plan: "trial" });
});

test.each([
  ["", undefined],
  ["   ", undefined],
  ["x".repeat(81), undefined],
  ["a\u0000b", undefined],
  ["ok", 59],
  ["ok", Number.NaN],
  ["ok", 1e12],
])("name %j with a lifetime of %s seconds is refused", async (name, expiresAfterSeconds) => {
  const workspaceId = await createTestWorkspace(db);
  await expect(createKey(operator, { workspaceId, name, expiresAfterSeconds })).rejects.toMatchObject({
    code: "invalid_request",
  });
  expect(await listKeys(operator, { workspaceId })).toEqual([]);
});

test("revoking takes effect at once and is idempotent", async () => {
  const workspaceId = await createTestWorkspace(db);
  const { keyId, apiKey } = await createKey(operator, { workspaceId, name: "server" });
  await revokeKey(operator, { workspaceId, keyId });
  await expect(authenticateApiKey(db, apiKey)).rejects.toMatchObject({ code: "auth_failed" });
  await revokeKey(operator, { workspaceId, keyId });
  expect((await listKeys(operator, { workspaceId }))[0]).toMatchObject({ state: "revoked" });
});

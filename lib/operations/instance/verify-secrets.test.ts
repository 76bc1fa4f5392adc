import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createKey } from "@/lib/tenancy/api-keys";
import { publishSecrets } from "@/lib/platform/secrets";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { forgetSecret, verifySecrets } from "./index";

const { db } = await createTestDatabase();
const ring = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString("base64")}`;
const SECRETS = { authSecret: "a".repeat(40), keyPepper: ring("p1", 1), keks: ring("k1", 2) };

beforeEach(async () => {
  await db.execute(sql`delete from secret_checks`);
  publishSecrets(SECRETS);
  await verifySecrets(db);
});

test("replicas with the same secrets can start, even all at once", async () => {
  await db.execute(sql`delete from secret_checks`);
  await Promise.all(Array.from({ length: 8 }, () => verifySecrets(db)));
  await verifySecrets(db);
});

test.each([
  ["AUTH_SECRET", { authSecret: "x".repeat(40) }],
  ["KEY_PEPPER", { keyPepper: ring("p1", 7) }],
  ["KEY_PEPPER under another id", { keyPepper: ring("p2", 1) }],
  ["KEKS", { keks: ring("k1", 7) }],
])("a replica with a different %s refuses to start and names it", async (_name, change) => {
  publishSecrets({ ...SECRETS, ...change });
  const variable = "authSecret" in change ? "AUTH_SECRET" : "keyPepper" in change ? "KEY_PEPPER" : "KEKS";
  await expect(verifySecrets(db)).rejects.toThrow(variable);
  await expect(verifySecrets(db)).rejects.not.toThrow(Object.values(change)[0] ?? "");
  publishSecrets(SECRETS);
  await verifySecrets(db);
});

test("only one of several concurrent first starts with different secrets wins", async () => {
  await db.execute(sql`delete from secret_checks`);
  const start = (byte: number) => {
    publishSecrets({ ...SECRETS, keyPepper: ring(`p${byte}`, byte) });
    return verifySecrets(db);
  };
  const outcomes = await Promise.allSettled([5, 6, 7, 8].map(start));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const rows = await db.execute(sql`select 1 from secret_checks where secret_id like 'pepper:%'`);
  expect(rows).toHaveLength(1);
});

test("a new key before the old one is accepted, and the old one is required until it is forgotten", async () => {
  const operator = operatorContext(db);
  const workspaceId = await createTestWorkspace(db);
  await createKey(operator, { workspaceId, name: "under the old pepper" });
  publishSecrets({ ...SECRETS, keyPepper: `${ring("p2", 7)},${SECRETS.keyPepper}` });
  await verifySecrets(db);
  publishSecrets({ ...SECRETS, keyPepper: ring("p2", 7) });
  await expect(verifySecrets(db)).rejects.toThrow("KEY_PEPPER lacks the key p1");
  await expect(forgetSecret(operator, { secretId: "pepper:p1" })).rejects.toMatchObject({ code: "conflict" });
  await db.execute(sql`delete from api_key_lookup`);
  await forgetSecret(operator, { secretId: "pepper:p1" });
  await verifySecrets(db);
  await expect(forgetSecret(operator, { secretId: "pepper:p1" })).rejects.toMatchObject({ code: "not_found" });
});

test("the stored check values reveal nothing about the secrets", async () => {
  const rows = await db.execute<{ row: string }>(sql`select to_jsonb(s)::text as row from secret_checks s`);
  expect(rows).toHaveLength(3);
  for (const { row } of rows) {
    expect(row).not.toContain(SECRETS.authSecret);
    expect(row).not.toContain("01".repeat(16));
    expect(row).not.toContain("02".repeat(16));
  }
});

test("OAuth server keys from the environment are checked too, even if one replica lacks them", async () => {
  const given = { oauthCookieKeys: "c".repeat(32), oauthJwks: '{"keys":[]}' };
  publishSecrets({ ...SECRETS, ...given });
  await verifySecrets(db);
  await verifySecrets(db);
  publishSecrets({ ...SECRETS, ...given, oauthCookieKeys: "d".repeat(32) });
  await expect(verifySecrets(db)).rejects.toThrow("OAUTH_COOKIE_KEYS (oauth-cookies) is not the secret");
  publishSecrets(SECRETS);
  await expect(verifySecrets(db)).rejects.toThrow("OAUTH_JWKS is not set");
  await forgetSecret(operatorContext(db), { secretId: "oauth-jwks" });
  await forgetSecret(operatorContext(db), { secretId: "oauth-cookies" });
  await verifySecrets(db);
});

import { afterEach, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { identifyAccount } from "@/lib/visits/account-map";
import { publishSecrets } from "@/lib/platform/secrets";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";
import { TEST_SECRETS } from "@/test/secrets";
import { forgetSecret, rewrapSecrets, verifySecrets } from "./index";

const { db } = await createTestDatabase();
afterEach(() => {
  publishSecrets(TEST_SECRETS);
});

const FRESH = `k2:${Buffer.alloc(32, 7).toString("base64")}`;

test("a key-encryption key can be removed once every secret has been rewrapped under another, and no sooner", async () => {
  await verifySecrets(db);
  const workspaceId = await createTestWorkspace(db);
  const account = await identifyAccount(db, workspaceId, "user-1");
  const context = operatorContext(db);
  await expect(forgetSecret(context, { secretId: "kek:k1" })).rejects.toMatchObject({ code: "conflict" });
  publishSecrets({ ...TEST_SECRETS, keks: `${FRESH},${TEST_SECRETS.keks}` });
  await verifySecrets(db);
  await expect(forgetSecret(context, { secretId: "kek:k1" })).rejects.toMatchObject({ code: "conflict" });
  const { keyId, rewrapped } = await rewrapSecrets(context);
  expect(keyId).toBe("k2");
  expect(Object.values(rewrapped).reduce((sum, count) => sum + count, 0)).toBe(1);
  await forgetSecret(context, { secretId: "kek:k1" });
  publishSecrets({ ...TEST_SECRETS, keks: FRESH });
  await verifySecrets(db);
  expect(await identifyAccount(db, workspaceId, "user-1")).toEqual(account);
});

test("only operators rewrap", async () => {
  const owner = await memberContext(db, await createTestWorkspace(db), "owner");
  await expect(rewrapSecrets(owner)).rejects.toMatchObject({ code: "forbidden" });
});

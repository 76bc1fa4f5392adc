import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { loadSecrets, type Secrets } from "@/db/secrets";
import { createTestDatabase } from "@/test/database";
import { authenticateApiKey, createKey } from "@/lib/tenancy/api-keys";
import { publishSecrets } from "@/lib/platform/secrets";
import { createWorkspace } from "@/lib/tenancy/workspaces";
import { operatorContext } from "@/test/workspaces";
import { rotateSecret, verifySecrets } from "./index";

const { db } = await createTestDatabase();

function installation() {
  const folder = mkdtempSync(join(tmpdir(), "imprint-secrets-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const load = () => {
    const secrets: Secrets = loadSecrets(folder, {});
    publishSecrets({ authSecret: secrets.AUTH_SECRET, keyPepper: secrets.KEY_PEPPER, keks: secrets.KEKS });
    return secrets;
  };
  return { file: join(folder, "secrets.json"), load };
}

test("after a rotation, old keys still work, new ones are hashed with the new pepper, and the next startup accepts it", async () => {
  const { file, load } = installation();
  const before = load();
  await verifySecrets(db);
  const context = operatorContext(db);
  const { workspaceId } = await createWorkspace(context, { name: "Acme" });
  const old = await createKey(context, { workspaceId, name: "old" });
  expect(await rotateSecret(context, { name: "KEY_PEPPER", secretsFile: file })).toEqual({
    name: "KEY_PEPPER",
    keyId: "k2",
  });
  const after = load();
  expect(after.KEY_PEPPER).toMatch(new RegExp(`^k2:[A-Za-z0-9+/=]{44},${before.KEY_PEPPER.replaceAll("+", "\\+")}$`));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await verifySecrets(db);
  const fresh = await createKey(context, { workspaceId, name: "new" });
  expect(await authenticateApiKey(db, old.apiKey)).toMatchObject({ keyId: old.keyId });
  expect(await authenticateApiKey(db, fresh.apiKey)).toMatchObject({ keyId: fresh.keyId });
  expect(await rotateSecret(context, { name: "AUTH_SECRET", secretsFile: file })).toEqual({
    name: "AUTH_SECRET",
    keyId: undefined,
  });
  load();
  await verifySecrets(db);
  expect(readFileSync(file, "utf8")).not.toContain(before.AUTH_SECRET);
});

test("a secret set in the environment is not rotated in a file", async () => {
  await expect(rotateSecret(operatorContext(db), { name: "KEKS", secretsFile: undefined })).rejects.toMatchObject({
    code: "conflict",
  });
});

import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { idToUuid } from "@/lib/contract/ids";
import { rewrapSealed } from "@/lib/platform/sealed";
import { publishSecrets } from "@/lib/platform/secrets";
import { TEST_SECRETS } from "@/test/secrets";
import { operatorContext } from "@/test/workspaces";
import { startSandbox } from "@/scripts/sandbox/sandbox";
import { TRIAL_SEALED_STORES } from "./index";
import { buyTrial, sandboxPorts, startPurchase } from "@/test/trials";

const { db } = await createTestDatabase();
const sandbox = await startSandbox();
const ports = sandboxPorts(sandbox);
afterAll(() => sandbox.close());

test("an undelivered key and an unresolved payment survive a new key-encryption key", { timeout: 60_000 }, async () => {
  const trial = await buyTrial(db, sandbox, ports);
  const waiting = await startPurchase(db, sandbox, ports);
  const signature = await waiting.sign();
  sandbox.inject("unmined");
  expect((await waiting.activate(signature)).status).toBe(202);
  const key = (fill: number) => Buffer.alloc(32, fill).toString("base64");
  const secrets = { authSecret: "test-auth-secret-test-auth-secret", keyPepper: `k1:${key(7)}` };
  publishSecrets({ ...secrets, keks: `k2:${key(8)},k1:${key(7)}` });
  const { rewrapped } = await rewrapSealed(operatorContext(db), TRIAL_SEALED_STORES);
  expect(rewrapped).toEqual({ "trial_intents.sealed_key": 1, "payment_attempts.sealed_payload": 1 });
  publishSecrets({ ...secrets, keks: `k2:${key(8)}` });
  expect(await trial.poll()).toHaveProperty("api_key", trial.apiKey);
  await sandbox.heal();
  await expect.poll(() => waiting.poll(), { timeout: 30_000 }).toMatchObject({ status: "active" });
  const [row] = await db.execute(
    sql`select count(*)::int as kept from payment_attempts where sealed_payload is not null or intent_id <> all (array[${idToUuid(trial.intentId)}, ${idToUuid(waiting.intentId)}]::uuid[])`,
  );
  expect(row?.["kept"]).toBe(0);
  publishSecrets(TEST_SECRETS);
});

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { idToUuid } from "@/lib/contract/ids";
import { listAudit } from "@/lib/tenancy/workspaces";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { createKey, listKeys, revokeUnusedKeys } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

test("only those of the confirmed keys that are still unused are revoked, each with its own audit entry", async () => {
  const workspaceId = await createTestWorkspace(db);
  const made = async (name: string, lastUsedDays: number | null) => {
    const { keyId } = await createKey(operator, { workspaceId, name });
    await db.execute(sql`
      update api_keys set created_at = now() - interval '90 days',
        last_used_at = now() - make_interval(days => ${lastUsedDays}::int)
      where key_id = ${idToUuid(keyId)}::uuid`);
    return keyId;
  };
  const [never, long, meanwhile, unasked] = [
    await made("never", null),
    await made("long ago", 31),
    await made("used meanwhile", 0),
    await made("not confirmed", 40),
  ];
  const keyIds = [never, long, meanwhile, never];
  const results = await Promise.all([1, 2].map(() => revokeUnusedKeys(operator, { workspaceId, keyIds })));
  expect(results.flatMap(({ revoked }) => revoked).sort()).toEqual([never, long].sort());
  const states = new Map((await listKeys(operator, { workspaceId })).map(({ keyId, state }) => [keyId, state]));
  expect([never, long, meanwhile, unasked].map((keyId) => states.get(keyId))).toEqual([
    "revoked",
    "revoked",
    "active",
    "active",
  ]);
  const { entries } = await listAudit(operator, { workspaceId, filter: { action: "api_key.revoke" } });
  expect(entries.map(({ target }) => target).sort()).toEqual([never, long].sort());
});

test("with a key of another workspace the call is refused, and nothing is revoked", async () => {
  const [workspaceId, elsewhere] = [await createTestWorkspace(db), await createTestWorkspace(db)];
  const own = await createKey(operator, { workspaceId, name: "own" });
  const foreign = await createKey(operator, { workspaceId: elsewhere, name: "foreign" });
  await db.execute(sql`update api_keys set created_at = now() - interval '90 days'`);
  const keyIds = [own.keyId, foreign.keyId];
  await expect(revokeUnusedKeys(operator, { workspaceId, keyIds })).rejects.toMatchObject({ code: "not_found" });
  for (const owner of [workspaceId, elsewhere])
    expect((await listKeys(operator, { workspaceId: owner })).map(({ state }) => state)).toEqual(["active"]);
});

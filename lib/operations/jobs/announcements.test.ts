import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { idToUuid, newId } from "@/lib/contract/ids";
import { type WebhookEventType, webhookMessage } from "@/lib/contract/webhooks";
import { announceQuotas } from "@/lib/metering";
import { announceExpiringKeys, createKey, revokeKey, rotateKey } from "@/lib/tenancy/api-keys";
import { insertTestEndpoint } from "@/test/webhooks";
import { announceTrial } from "@/lib/trials/announce-trial";
import type { Intent } from "@/lib/trials/domain/intent";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { deleteOldWebhooks } from "./delete-old-webhooks";

const { db } = await createTestDatabase();
const context = operatorContext(db);
const never = new AbortController().signal;

async function createListener(types: WebhookEventType[]) {
  const workspaceId = await createTestWorkspace(db);
  await insertTestEndpoint(db, workspaceId, "https://a.example/", types);
  return workspaceId;
}

/** The queued messages, each validated against the schema of its type. */
async function waiting(workspaceId: string) {
  const rows = await db.execute<{ type: WebhookEventType; payload: string }>(sql`
    select type, payload from webhook_deliveries where workspace_id = ${idToUuid(workspaceId)}::uuid
    order by occurred_at`);
  return rows.map(({ type, payload }) => webhookMessage(type).parse(JSON.parse(payload)));
}

test("messages are sent when keys are created, rotated and revoked, without their secrets", async () => {
  const workspaceId = await createListener(["key.created", "key.rotated", "key.revoked"]);
  const { keyId, apiKey } = await createKey(context, { workspaceId, name: 'a "quoted" name\\' });
  const rotated = await rotateKey(context, { workspaceId, keyId });
  await revokeKey(context, { workspaceId, keyId: rotated.keyId });
  await revokeKey(context, { workspaceId, keyId: rotated.keyId });
  const messages = await waiting(workspaceId);
  expect(messages.map(({ type }) => type)).toEqual(["key.created", "key.rotated", "key.revoked"]);
  expect(messages[0]?.data).toMatchObject({ key_id: keyId, name: 'a "quoted" name\\', expires_at: null });
  expect(messages[1]?.data).toMatchObject({ key_id: keyId, replaced_by: rotated.keyId });
  expect(JSON.stringify(messages)).not.toContain(apiKey.slice(9));
});

test("one message is sent for a key that expires within a week", async () => {
  const workspaceId = await createListener(["key.expiring"]);
  const day = 86_400;
  const soon = await createKey(context, { workspaceId, name: "soon", expiresAfterSeconds: 6 * day });
  await createKey(context, { workspaceId, name: "later", expiresAfterSeconds: 8 * day });
  await announceExpiringKeys(db, never);
  await announceExpiringKeys(db, never);
  expect((await waiting(workspaceId)).map(({ data }) => data)).toMatchObject([{ key_id: soon.keyId }]);
});

test("messages are sent when a quota reaches 80 % and when it is used up, once each", async () => {
  const workspaceId = await createListener(["quota.threshold_reached", "quota.exhausted"]);
  const use = async (units: number) => {
    await db.execute(sql`
      insert into unit_slices (workspace_id, period, slice, units_used, units_limit, plan_units)
      values (${idToUuid(workspaceId)}::uuid, to_char(now() at time zone 'UTC', 'YYYY-MM'), 0, ${units}::int, null, null)
      on conflict (workspace_id, period, slice) do update set units_used = excluded.units_used`);
    await announceQuotas(db, never);
    return (await waiting(workspaceId)).map(({ type }) => type);
  };
  expect(await use(399_999)).toEqual([]);
  expect(await use(400_000)).toEqual(["quota.threshold_reached"]);
  expect(await use(499_999)).toEqual(["quota.threshold_reached"]);
  expect(await use(500_000)).toEqual(["quota.threshold_reached", "quota.exhausted"]);
});

test("instance-wide endpoints get messages about trials, but not about unpaid purchases", async () => {
  const workspaceId = await createListener(["trial.activated", "trial.expired"]);
  const before: Intent = {
    intentId: newId("intent"),
    status: "provisioning",
    payUntil: new Date(),
    isQuoteLocked: true,
    attempt: undefined,
    leaseUntil: undefined,
    lastReconciledAt: undefined,
    nextReconcileAt: undefined,
    reconcileAttempts: 0,
    trial: undefined,
    endedAt: undefined,
  };
  const trial = {
    trialId: newId("trial"),
    workspaceId: newId("workspace"),
    expiresAt: new Date(),
    deliverUntil: undefined,
    isKeySealed: true,
  };
  const origin = "https://agent.example";
  await announceTrial(db, origin, before, { ...before, status: "expired" });
  await announceTrial(db, origin, before, { ...before, status: "active", trial });
  await announceTrial(db, origin, { ...before, status: "active", trial }, { ...before, status: "active", trial });
  await announceTrial(db, origin, { ...before, status: "active", trial }, { ...before, status: "expired", trial });
  expect((await waiting(workspaceId)).map(({ type }) => type)).toEqual(["trial.activated", "trial.expired"]);
});

test("messages are kept for 30 days, but no longer than their workspace's visits", async () => {
  const [first, second] = [await createListener(["key.created"]), await createListener(["key.created"])];
  await db.execute(sql`update workspaces set retention_days = 7 where workspace_id = ${idToUuid(second)}::uuid`);
  for (const workspaceId of [first, second]) {
    for (const days of [31, 29, 8, 6]) {
      await createKey(context, { workspaceId, name: `${days}` });
      await db.execute(sql`
        update webhook_deliveries set occurred_at = now() - make_interval(days => ${days})
        where workspace_id = ${idToUuid(workspaceId)}::uuid and occurred_at > now() - interval '1 day'`);
    }
  }
  await deleteOldWebhooks({ db, now: new Date(), signal: never, progress: "", saveProgress: () => Promise.resolve() });
  const names = async (workspaceId: string) =>
    (await waiting(workspaceId)).map(({ data }) => "name" in data && data.name);
  expect(await names(first)).toEqual(["29", "8", "6"]);
  expect(await names(second)).toEqual(["6"]);
});

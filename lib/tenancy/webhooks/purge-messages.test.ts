import { expect, test } from "vitest";

import { idToUuid } from "@/lib/contract/ids";
import { createTestDatabase } from "@/test/database";
import { createSite } from "@/test/visits";
import { purgeMessages } from "./purge-messages";
import { deleteMessagesOf } from "./queries";

const { db, pool } = await createTestDatabase();
const ENDPOINT = `we_${"0".repeat(32)}`;

/** Messages that are kept no longer, of one instant, since several events may happen at once. */
const fill = (workspaceId: string, count: number) => pool`
  insert into webhook_deliveries (workspace_id, delivery_id, endpoint_id, event_id, type, stream, payload, occurred_at, due_at)
  select ${idToUuid(workspaceId)}::uuid, gen_random_uuid(), ${idToUuid(ENDPOINT)}::uuid, gen_random_uuid(), 'report.ready',
    gen_random_uuid(), '{}', now() - interval '40 days', now()
  from generate_series(1, ${count}::int)`;
const left = async () => (await pool`select 1 from webhook_deliveries`).length;

test("old messages are deleted within the deadline while the server's statistics know of few", async () => {
  const { workspaceId } = await createSite(db);
  await pool`alter table webhook_deliveries set (autovacuum_enabled = off)`;
  await fill((await createSite(db)).workspaceId, 3);
  await pool`vacuum analyze webhook_deliveries`;
  for (let filled = 0; filled < 20_000; filled += 5_000) await fill(workspaceId, 5_000);
  await purgeMessages(db, workspaceId, { now: new Date(), signal: new AbortController().signal, days: null });
  expect(await left()).toBe(3);
});

test("a batch is of the oldest messages of an endpoint, and may leave some", async () => {
  const { workspaceId } = await createSite(db);
  const before = await left();
  await fill(workspaceId, 5);
  await pool`update webhook_deliveries set occurred_at = now() - random() * interval '1 day'
    where workspace_id = ${idToUuid(workspaceId)}::uuid`;
  const ref = { workspaceId, endpointId: ENDPOINT };
  expect([await deleteMessagesOf(db, ref, 3), await deleteMessagesOf(db, ref, 3)]).toEqual([3, 2]);
  expect(await deleteMessagesOf(db, ref, 3)).toBe(0);
  expect(await left()).toBe(before);
});

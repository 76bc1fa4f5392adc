import { randomUUID } from "node:crypto";

import { and, eq, ne } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";

import { webhookDeliveries } from "@/db/schema";
import { newId } from "@/lib/contract/ids";
import { createTestDatabase } from "@/test/database";
import { countLockWaits } from "@/test/lock-waits";
import { claimDeliveries, endDelivery } from "./queries-send";
import { nameIn, setupOf } from "@/test/webhooks";

const { db } = await createTestDatabase({ poolSize: 20 });
const createSetup = setupOf(db);
const HOUR = 3600;

test("messages of one stream are never sent out of order, whichever attempts fail and however many senders there are", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 25 }),
      fc.infiniteStream(fc.boolean()),
      async (streams, refusals) => {
        const accepted: string[] = [];
        const setup = await createSetup((response, message) => {
          const { value: isRefused } = refusals.next() as IteratorYieldResult<boolean>; // the stream never ends
          if (!isRefused) accepted.push(nameIn(message));
          response.writeHead(isRefused ? 500 : 204).end();
        });
        const keyIds = Array.from({ length: 4 }, () => newId("apiKey"));
        for (const [index, stream] of streams.entries()) await setup.tell(keyIds[stream], `${stream} ${index}`);
        for (let round = 0; accepted.length < streams.length && round < 200; round += 1) {
          await Promise.all([setup.send(), setup.send()]);
          setup.pass(HOUR);
        }
        const inOrder = (stream: number) => streams.flatMap((of, index) => (of === stream ? [`${of} ${index}`] : []));
        for (const stream of [0, 1, 2, 3])
          expect(accepted.filter((name) => name.startsWith(`${stream} `))).toEqual(inOrder(stream));
      },
    ),
    { numRuns: 12, seed: 1 },
  );
});

test("a message that is deleted while the one before it ends does not come back", async () => {
  const setup = await createSetup((response) => response.writeHead(204).end());
  const keyId = newId("apiKey");
  for (const name of ["first", "second"]) await setup.tell(keyId, name);
  const { workspaceId, endpointId } = setup;
  const ofEndpoint = eq(webhookDeliveries.workspaceId, workspaceId);
  const lease = randomUUID();
  const { claimed } = await claimDeliveries(
    db,
    { workspaceId, endpointId },
    { limit: 1, lease, leaseSeconds: 60, shift: 0 },
  );
  const [first] = claimed;
  if (!first) throw new Error("nothing was claimed");
  const answer = { status: 204, durationMs: 1, answer: "", problem: "" };
  const ending = await db.transaction(async (tx) => {
    await tx.delete(webhookDeliveries).where(and(ofEndpoint, ne(webhookDeliveries.deliveryId, first.deliveryId)));
    const waiting = endDelivery(db, first, { state: "delivered", answer, shift: 0 });
    await expect.poll(() => countLockWaits(db)).toBeGreaterThan(0);
    return { waiting };
  });
  await ending.waiting;
  expect(await db.select({ state: webhookDeliveries.state }).from(webhookDeliveries).where(ofEndpoint)).toEqual([
    { state: "delivered" },
  ]);
});

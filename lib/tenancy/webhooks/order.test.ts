import fc from "fast-check";
import { expect, test } from "vitest";

import { newId } from "@/lib/contract/ids";
import { createTestDatabase } from "@/test/database";
import { nameIn, setupOf } from "./testing";

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

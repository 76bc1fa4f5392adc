import { expect, test, vi } from "vitest";

import { createTestDatabase } from "@/test/database";
import { startWebhookSender } from "./start-sender";
import { setupOf, testPorts } from "@/test/webhooks";

const { db } = await createTestDatabase({ poolSize: 20 });

test("many messages a second leave no listeners on the signal that stops the sender", { timeout: 60_000 }, async () => {
  const setup = await setupOf(db)();
  const MESSAGES = 60;
  for (let count = 0; count < MESSAGES; count += 1) await setup.tell();
  const warnings: string[] = [];
  const note = (warning: Error) => warnings.push(warning.name);
  process.on("warning", note);
  const sender = startWebhookSender(db, testPorts().ports);
  await vi.waitFor(
    () => {
      expect(setup.target.received).toHaveLength(MESSAGES);
    },
    { timeout: 30_000 },
  );
  await sender.stop();
  process.off("warning", note);
  expect(warnings).not.toContain("MaxListenersExceededWarning");
});

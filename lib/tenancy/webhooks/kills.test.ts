import { expect, test } from "vitest";

import { runWebhookKills } from "@/scripts/faults/webhooks";
import { createTestDatabase } from "@/test/database";

const { db, url } = await createTestDatabase({ poolSize: 8 });

test(
  "processes killed while sending lose no message and never send one out of order",
  { timeout: 120_000 },
  async () => {
    const { violations, ...counts } = await runWebhookKills(db, url, { kills: 6 });
    expect(violations).toEqual([]);
    expect(counts.arrived).toBeGreaterThanOrEqual(counts.told);
  },
);

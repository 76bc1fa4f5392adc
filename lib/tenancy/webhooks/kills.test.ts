import { expect, test } from "vitest";

import { runWebhookKills } from "@/scripts/faults/webhooks";
import { createTestDatabase } from "@/test/database";

const { db, url } = await createTestDatabase({ poolSize: 8 });

test(
  "processes that are killed while they send lose nothing and let nothing overtake",
  { timeout: 120_000 },
  async () => {
    const { violations, ...counts } = await runWebhookKills(db, url, { kills: 6 });
    expect(violations).toEqual([]);
    expect(counts.arrived).toBeGreaterThanOrEqual(counts.told);
  },
);

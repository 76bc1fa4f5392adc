import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { loadRegistry } from "@/lib/platform/metrics";
import { createTestDatabase } from "@/test/database";
import { createDatabaseFigures } from "./database-figures";

const { db } = await createTestDatabase();
const { createRegistry, renderFigures } = await loadRegistry();

async function readText(): Promise<string> {
  const registry = createRegistry([]);
  await createDatabaseFigures(registry.recorder, { db })();
  return await renderFigures([registry.read()]);
}

test("a figure that cannot be read leaves the others, and the database counts as up", async () => {
  await db.execute(sql`alter table trial_intents rename to hidden_intents`);
  try {
    const text = await readText();
    expect(text).toMatch(/^imprint_database_up 1$/m);
    expect(text).toMatch(/^imprint_webhook_backlog 0$/m);
    expect(text).not.toMatch(/^imprint_purchases_unresolved_oldest_seconds/m);
  } finally {
    await db.execute(sql`alter table hidden_intents rename to trial_intents`);
  }
  expect(await readText()).toMatch(/^imprint_purchases_unresolved_oldest_seconds 0$/m);
});

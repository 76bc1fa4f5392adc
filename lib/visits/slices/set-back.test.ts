import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { idToUuid } from "@/lib/contract/ids";
import { sumSlices } from "@/lib/visits/visit-store";
import { createTestDatabase } from "@/test/database";
import { createSite, visit } from "@/test/visits";
import { countAllSlices } from "./index";

const { db } = await createTestDatabase();
const HOUR_MS = 3_600_000;

test("visits that were counted while the clock was ahead are counted again, with those that came after it was set back", async () => {
  const site = await createSite(db);
  const { workspaceId } = site;
  const ofWorkspace = sql`workspace_id = ${idToUuid(workspaceId)}::uuid`;
  const count = () => countAllSlices(db, new AbortController().signal);
  for (const isSetBack of [false, true]) {
    if (isSetBack) {
      await db.execute(sql`update slice_marks set counted_until = now() + interval '1 day' where ${ofWorkspace}`);
      // More than one statement deletes.
      await db.execute(sql`
        insert into closed_slices (workspace_id, code, hours, starts_at, first, second, passed, suspicious, deceptive)
        select ${idToUuid(workspaceId)}::uuid, 0, 24, now(), 'ahead ' || n, '', 1, 0, 0 from generate_series(1, 1200) n`);
    }
    for (let visits = 0; visits < 2; visits += 1) await visit(site);
    await db.execute(sql`update visits set recorded_at = now() - interval '3 minutes' where ${ofWorkspace}`);
    await count();
  }
  const range = {
    workspaceId,
    dimensions: [] as const,
    // The hour in which the visits were recorded may have begun up to 63 minutes ago.
    from: new Date(Date.now() - 2 * HOUR_MS),
    to: new Date(Date.now() + HOUR_MS),
  };
  const { rows } = await sumSlices(db, { ...range, byHour: true }, { order: "visits", limit: 1 });
  expect(rows).toMatchObject([{ passed: 4, suspicious: 0, deceptive: 0 }]);
  expect(await db.execute(sql`select from closed_slices where ${ofWorkspace} and first like 'ahead%'`)).toHaveLength(0);
});

import { type SQL, sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { countReads } from "@/test/count-reads";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace } from "@/test/workspaces";
import { uuid } from "./queries-parts";
import { freeDisprovedTokens } from "./queries-population";

const { db } = await createTestDatabase();
const DEVICES = 2_000;

/** Devices with an older token and one that was linked to the device by evidence, which both lived on. */
async function addDisprovedLinks(workspace: SQL): Promise<void> {
  const made = sql`
    select md5('d' || n)::uuid as device, md5(kind || n)::uuid as token, n as network, kind
    from generate_series(1, ${DEVICES}) n cross join (values ('older'), ('linked')) kinds (kind)`;
  await db.execute(sql`
    insert into network_tokens (workspace_id, network, token_id, device_id, model, first_day, last_day, days, stratum)
    select ${workspace}, network, token, device, 1, current_date - case kind when 'older' then 20 else 10 end,
      current_date, 5, case kind when 'linked' then 'home' end
    from (${made}) made`);
  await db.execute(sql`
    insert into device_tokens (workspace_id, token_id, device_id) select ${workspace}, token, device from (${made}) made`);
}

test("tokens with a disproved link are freed by reading each once if the planner's statistics are older than they are", async () => {
  const [known, workspaceId] = await Promise.all([createTestWorkspace(db), createTestWorkspace(db)]);
  await addDisprovedLinks(uuid(known));
  await db.execute(sql`analyze network_tokens, device_tokens`);
  await addDisprovedLinks(uuid(workspaceId));
  const { result, reads } = await db.transaction((tx) =>
    countReads(tx, "^(network|device)_tokens$", () => freeDisprovedTokens(tx, workspaceId, 10_000)),
  );
  expect(result).toBe(DEVICES);
  expect(reads).toBeLessThan(20 * DEVICES);
  const left = await db.execute<{ token: string }>(sql`
    select token_id::text as token from device_tokens where workspace_id = ${uuid(workspaceId)}
      and token_id in (select md5('linked' || n)::uuid from generate_series(1, ${DEVICES}) n)`);
  expect(left).toHaveLength(0);
});

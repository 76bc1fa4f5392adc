import { type SQL, sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { countReads } from "@/test/count-reads";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace } from "@/test/workspaces";
import { linkById, visitById } from "./queries-by-id";
import { uuid } from "./queries-parts";

const { db } = await createTestDatabase();
const VISITS = 5_000;
const READ = 200;

async function addVisits(workspace: SQL): Promise<void> {
  await db.execute(sql`
    with made as (
      select (lpad(to_hex(floor(extract(epoch from now()) * 1000)::bigint), 12, '0') || lpad(to_hex(n), 20, '0'))::uuid as id
      from generate_series(1, ${VISITS}) n
    ), visited as (
      insert into visits (workspace_id, event_id, device_id, web_app_id, recorded_at, access_count, surface, origin, status,
        reasons, rules_version, report, evidence)
      select ${workspace}, id, id, id, now(), 1, 'default', 'https://a.example', 'PASS', '{}', '1', '{}', '{}' from made
    )
    insert into account_links (workspace_id, event_id, device_id, recorded_at, account_hash)
    select ${workspace}, id, id, now(), '\\xaa' from made`);
}

test("visits and links are read by id, one by one, if the planner's statistics are older than they are", async () => {
  const [known, workspaceId] = await Promise.all([createTestWorkspace(db), createTestWorkspace(db)]);
  await addVisits(uuid(known));
  await db.execute(sql`analyze visits, account_links`);
  await addVisits(uuid(workspaceId));
  const ids = await db.execute<{ id: string }>(sql`
    select event_id::text as id from visits where workspace_id = ${uuid(workspaceId)} limit ${READ}`);
  const { result, reads } = await db.transaction((tx) =>
    countReads(tx, "^(visits|account_links)_", () =>
      tx.execute(sql`
        select v.surface, l.account_hash from unnest(${`{${ids.map(({ id }) => id).join()}}`}::uuid[]) p(event_id)
          ${visitById(uuid(workspaceId), sql`p.event_id`)} ${linkById(uuid(workspaceId), sql`p.event_id`)}
        where l.account_hash is not null`),
    ),
  );
  expect(result).toHaveLength(READ);
  expect(reads).toBeLessThan(5 * READ);
});

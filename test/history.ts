import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { ensurePartitions } from "@/db/partitions";
import { idToUuid, newId, newImprint } from "@/lib/contract/ids";

type Owner = { workspaceId: string; webAppId: string };
export type StoredVisit = { imprint: string; recordedAt: Date; surface: string };

/**
 * Inserts visits of one new device at the given times, as submissions would: positions from 1, in chronological order.
 */
export async function insertVisits(
  db: Db,
  owner: Owner,
  times: readonly Date[],
): Promise<{ deviceId: string; visits: StoredVisit[] }> {
  const deviceId = newId("device");
  const ordered = [...times].sort((a, b) => a.getTime() - b.getTime());
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (!first || !last) return { deviceId, visits: [] };
  await ensurePartitions(db, first, new Date());
  const visits = ordered.map((recordedAt, index) => ({
    imprint: newImprint(recordedAt.getTime()),
    recordedAt,
    surface: `surface-${index % 7}`,
  }));
  const rows = visits.map(({ imprint, recordedAt, surface }, index) => ({
    event_id: idToUuid(imprint),
    recorded_at: recordedAt.toISOString(),
    access_count: index + 1,
    surface,
  }));
  await db.execute(sql`
    insert into visits (workspace_id, event_id, device_id, web_app_id, recorded_at, access_count, surface, origin, status,
      reasons, rules_version, evidence, report)
    select ${idToUuid(owner.workspaceId)}::uuid, r.event_id, ${idToUuid(deviceId)}::uuid, ${idToUuid(owner.webAppId)}::uuid,
      r.recorded_at, r.access_count, r.surface, 'https://shop.example', 'PASS', '{}', '1', '{}', '{}'
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(event_id uuid, recorded_at timestamptz, access_count int, surface text)`);
  return { deviceId, visits };
}

import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { statement } from "@/db/prepared";
import { type ApiKeyPrincipal, type KeyLookup, toUsableKey, USABLE_KEY, type UsableKeyRow } from "@/lib/api-keys";
import { idToUuid, uuidToId } from "@/lib/ids";

export type StoredReport = { report: string; webAppId: string; isDelivered: boolean };

type ReportRow = { report: string; web_app_id: string; is_delivered: boolean };

const toStoredReport = (row: ReportRow): StoredReport => ({
  report: row.report,
  webAppId: uuidToId("webApp", row.web_app_id),
  isDelivered: row.is_delivered,
});

const readByImprint = statement<ReportRow>(sql`
  select v.report, v.web_app_id, d.event_id is not null as is_delivered
  from visits v
  left join report_deliveries d on d.workspace_id = v.workspace_id and d.event_id = v.event_id
  where v.workspace_id = ${sql.placeholder("workspace")}::uuid and v.event_id = ${sql.placeholder("event")}::uuid`);

/** A Report of the workspace and whether it was ever delivered. Reads only. */
export async function findReport(db: Db, workspaceId: string, imprint: string): Promise<StoredReport | undefined> {
  const [row] = await readByImprint(db, { workspace: idToUuid(workspaceId), event: idToUuid(imprint) });
  return row && toStoredReport(row);
}

const readByKey = statement<UsableKeyRow & (ReportRow | Record<keyof ReportRow, null>)>(sql`
  select usable.*, v.report, v.web_app_id, d.event_id is not null as is_delivered
  from ${USABLE_KEY}
  left join visits v on v.workspace_id = usable.workspace_id and v.event_id = ${sql.placeholder("event")}::uuid
  left join report_deliveries d on d.workspace_id = v.workspace_id and d.event_id = v.event_id`);

/** A key with what it is presented for: nothing when its workspace has no such Report. */
export type KeyWithReport = ApiKeyPrincipal & { read: { found: StoredReport | undefined } };

/** Reads a usable key together with the Report of its workspace, in one statement. */
export const findKeyWithReport =
  ({ imprint }: { imprint: string }): KeyLookup<KeyWithReport> =>
  async (db, keyHash) => {
    const [row] = await readByKey(db, { keyHash, event: idToUuid(imprint) });
    return row && { ...toUsableKey(row), read: { found: row.report === null ? undefined : toStoredReport(row) } };
  };

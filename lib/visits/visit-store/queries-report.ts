import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { statement } from "@/db/prepared";
import {
  type ApiKeyPrincipal,
  type KeyLookup,
  toUsableKey,
  USABLE_KEY,
  type UsableKeyRow,
} from "@/lib/tenancy/api-keys";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import { isDelivered } from "@/lib/metering";
import type { DeliveryFacts } from "@/lib/visits/reports/domain/delivery-headers";
import { EVENT, WORKSPACE } from "./queries-parts";

export type StoredReport = { report: string; facts: DeliveryFacts; webAppId: string; isDelivered: boolean };

type ReportRow = DeliveryFacts & { report: string; web_app_id: string; is_delivered: boolean };

const toStoredReport = (row: ReportRow): StoredReport => ({
  report: row.report,
  facts: { recognition: row.recognition, confidence: row.confidence, agent: row.agent },
  webAppId: uuidToId("webApp", row.web_app_id),
  isDelivered: row.is_delivered,
});

/**
 * The Report of an event. The limit makes a plan for any month as cheap, to the planner, as one for the month of this
 * event: without it every read is planned anew, which costs several times the read.
 */
const readReport = (workspace: SQL): SQL => sql`
  select v.report, v.recognition, v.confidence, v.agent, v.web_app_id, ${isDelivered(workspace, EVENT)} as is_delivered
  from visits v where v.workspace_id = ${workspace} and v.event_id = ${EVENT} limit 1`;

const readByImprint = statement<ReportRow>(readReport(WORKSPACE), "read report");

/** A Report of the workspace and whether it was ever delivered. Reads only. */
export async function findReport(db: Db, workspaceId: string, imprint: string): Promise<StoredReport | undefined> {
  const [row] = await readByImprint(db, { workspace: idToUuid(workspaceId), event: idToUuid(imprint) });
  return row && toStoredReport(row);
}

const readByKey = statement<UsableKeyRow & (ReportRow | Record<keyof ReportRow, null>)>(
  sql`
  select usable.*, found.* from ${USABLE_KEY}
  left join lateral (${readReport(sql`usable.workspace_id`)}) found on true`,
  "read key and report",
);

/** A key with what it is presented for: nothing when its workspace has no such Report. */
export type KeyWithReport = ApiKeyPrincipal & { read: { found: StoredReport | undefined } };

/** Reads a usable key together with the Report of its workspace, in one statement. */
export const findKeyWithReport =
  ({ imprint }: { imprint: string }): KeyLookup<KeyWithReport> =>
  async (db, keyHash) => {
    const [row] = await readByKey(db, { keyHash, event: idToUuid(imprint) });
    return row && { ...toUsableKey(row), read: { found: row.report === null ? undefined : toStoredReport(row) } };
  };

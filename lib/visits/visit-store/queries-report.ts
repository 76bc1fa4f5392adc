import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { statement } from "@/db/prepared";
import {
  type ApiKeyPrincipal,
  type KeyLookup,
  toUsableKey,
  USABLE_KEY,
  type UsableKeyRow,
  usableKeyValues,
} from "@/lib/tenancy/api-keys";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import { isDeliveredUnder } from "@/lib/metering";
import type { DeliveryFacts } from "@/lib/visits/reports/domain/delivery-headers";
import { ACCEPTANCE, EVENT, WORKSPACE } from "./queries-parts";

export type StoredReport = {
  report: string;
  facts: DeliveryFacts;
  webAppId: string;
  /** Whether the first delivery was made under the given acceptance. Undefined if there was no delivery yet. */
  isAccepted: boolean | undefined;
};

type ReportRow = Omit<DeliveryFacts, "ageSeconds"> & {
  report: string;
  web_app_id: string;
  age_seconds: number;
  is_accepted: boolean | null;
};

const toStoredReport = (row: ReportRow): StoredReport => ({
  report: row.report,
  facts: {
    surface: row.surface,
    origin: row.origin,
    ageSeconds: row.age_seconds,
    recognition: row.recognition,
    confidence: row.confidence,
    agent: row.agent,
  },
  webAppId: uuidToId("webApp", row.web_app_id),
  isAccepted: row.is_accepted ?? undefined,
});

/**
 * The Report of an event. With the limit, the planner estimates a generic plan to be as cheap as one for the event's
 * own month. Without it, every read would be replanned, which costs several times as much as the read.
 */
const READ_REPORT: SQL = sql`
  select v.report, v.surface, v.origin, v.recognition, v.confidence, v.agent, v.web_app_id,
    greatest(0, floor(extract(epoch from clock_timestamp() - v.recorded_at)))::int as age_seconds,
    ${isDeliveredUnder(WORKSPACE, EVENT, ACCEPTANCE)} as is_accepted
  from visits v where v.workspace_id = ${WORKSPACE} and v.event_id = ${EVENT} limit 1`;

const readByImprint = statement<ReportRow>(READ_REPORT, "read report");

/** Reads a Report of the workspace, and whether it was delivered before. */
export async function findReport(
  db: Db,
  workspaceId: string,
  imprint: string,
  acceptanceHash: Buffer | undefined,
): Promise<StoredReport | undefined> {
  const [row] = await readByImprint(db, {
    workspace: idToUuid(workspaceId),
    event: idToUuid(imprint),
    acceptance: acceptanceHash ?? null,
  });
  return row && toStoredReport(row);
}

const readByKey = statement<UsableKeyRow & (ReportRow | Record<keyof ReportRow, null>)>(
  sql`
  select usable.*, found.* from ${USABLE_KEY}
  left join (${READ_REPORT}) found on true`,
  "read key and report",
);

/** An API key with the Report that it was presented for, which is undefined if the workspace has no such Report. */
export type KeyWithReport = ApiKeyPrincipal & { read: { found: StoredReport | undefined } };

/** Reads a usable key and the Report of its workspace in one statement. */
export const findKeyWithReport =
  (imprint: string, acceptanceHash: Buffer | undefined): KeyLookup<KeyWithReport> =>
  async (db, place) => {
    const asked = { event: idToUuid(imprint), acceptance: acceptanceHash ?? null };
    const [row] = await readByKey(db, usableKeyValues(place), asked);
    return row && { read: { found: row.report === null ? undefined : toStoredReport(row) }, ...toUsableKey(row) };
  };

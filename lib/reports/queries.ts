import { and, eq, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { preparedOnce } from "@/db/prepared";
import { reportDeliveries, visits } from "@/db/schema";
import { type ApiKeyPrincipal, type KeyLookup, selectUsableKey } from "@/lib/api-keys";
import { idToUuid } from "@/lib/ids";

const readByImprint = preparedOnce((db) =>
  db
    .select({
      report: visits.report,
      webAppId: visits.webAppId,
      isDelivered: sql<boolean>`${reportDeliveries.eventId} is not null`,
    })
    .from(visits)
    .leftJoin(
      reportDeliveries,
      and(eq(reportDeliveries.workspaceId, visits.workspaceId), eq(reportDeliveries.eventId, visits.eventId)),
    )
    .where(and(eq(visits.workspaceId, sql.placeholder("workspaceId")), eq(visits.eventId, sql.placeholder("imprint"))))
    .prepare("find_report"),
);

export type StoredReport = { report: string; webAppId: string; isDelivered: boolean };

/** A Report of the workspace and whether it was ever delivered. Reads only. */
export async function findReport(db: Db, workspaceId: string, imprint: string): Promise<StoredReport | undefined> {
  const [row] = await readByImprint(db).execute({ workspaceId: idToUuid(workspaceId), imprint: idToUuid(imprint) });
  return row;
}

const readByKey = preparedOnce((db) => {
  const key = selectUsableKey(db).as("usable_key");
  return db
    .select({
      workspaceId: key.workspaceId,
      keyId: key.keyId,
      kind: key.kind,
      plan: key.plan,
      isUseStale: key.isUseStale,
      report: visits.report,
      webAppId: visits.webAppId,
      isDelivered: sql<boolean>`${reportDeliveries.eventId} is not null`,
    })
    .from(key)
    .leftJoin(visits, and(eq(visits.workspaceId, key.workspaceId), eq(visits.eventId, sql.placeholder("imprint"))))
    .leftJoin(
      reportDeliveries,
      and(eq(reportDeliveries.workspaceId, visits.workspaceId), eq(reportDeliveries.eventId, visits.eventId)),
    )
    .prepare("find_key_with_report");
});

/** A key with what it is presented for: nothing when its workspace has no such Report. */
export type KeyWithReport = ApiKeyPrincipal & { read: { found: StoredReport | undefined } };

/** Reads a usable key together with the Report of its workspace, in one statement. */
export const findKeyWithReport =
  ({ imprint }: { imprint: string }): KeyLookup<KeyWithReport> =>
  async (db, keyHash) => {
    const [row] = await readByKey(db).execute({ keyHash, imprint: idToUuid(imprint) });
    if (!row) return undefined;
    const { report, webAppId, isDelivered, ...key } = row;
    const found = report === null || webAppId === null ? undefined : { report, webAppId, isDelivered };
    return { ...key, read: { found } };
  };

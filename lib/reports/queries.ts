import { and, eq, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { preparedOnce } from "@/db/prepared";
import { reportDeliveries, visits } from "@/db/schema";
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

/** A Report of the workspace and whether it was ever delivered. Reads only. */
export async function findReport(
  db: Db,
  workspaceId: string,
  imprint: string,
): Promise<{ report: string; webAppId: string; isDelivered: boolean } | undefined> {
  const [row] = await readByImprint(db).execute({ workspaceId: idToUuid(workspaceId), imprint: idToUuid(imprint) });
  return row;
}

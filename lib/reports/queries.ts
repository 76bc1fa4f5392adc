import { and, eq, sql } from "drizzle-orm";

import { type Db, violatedConstraint } from "@/db/client";
import { preparedOnce } from "@/db/prepared";
import { reportDeliveries, visits } from "@/db/schema";
import { idToUuid } from "@/lib/ids";

const readByImprint = preparedOnce((db) =>
  db
    .select({ report: visits.report, isDelivered: sql<boolean>`${reportDeliveries.eventId} is not null` })
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
): Promise<{ report: string; isDelivered: boolean } | undefined> {
  const [row] = await readByImprint(db).execute({ workspaceId: idToUuid(workspaceId), imprint: idToUuid(imprint) });
  return row?.report == null ? undefined : { report: row.report, isDelivered: row.isDelivered };
}

type Metered = { keyId: string | undefined; unitsLimit: number | null };

/**
 * Enters the first delivery of a Report into the ledger and uses one unit, in one statement: both happen or neither.
 * Somebody else's delivery at the same moment leaves nothing to do.
 *
 * @returns false when the units of the month are used up
 */
export async function meterDelivery(
  db: Db,
  workspaceId: string,
  imprint: string,
  { keyId, unitsLimit }: Metered,
): Promise<boolean> {
  const workspace = sql`${idToUuid(workspaceId)}::uuid`;
  const limit = sql`${unitsLimit}::int`;
  try {
    await db.execute(sql`
      with month as (select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM') as period),
      delivered as (
        insert into report_deliveries (workspace_id, event_id, key_id, period)
        select ${workspace}, ${idToUuid(imprint)}::uuid, ${keyId === undefined ? null : idToUuid(keyId)}::uuid, period from month
        on conflict do nothing returning period
      )
      insert into unit_periods as p (workspace_id, period, units_used, units_limit)
      select ${workspace}, period, 1, ${limit} from delivered
      on conflict (workspace_id, period) do update set units_used = p.units_used + 1, units_limit = excluded.units_limit`);
    return true;
  } catch (error) {
    if (violatedConstraint(error) === "unit_periods_within_limit") return false;
    throw error;
  }
}

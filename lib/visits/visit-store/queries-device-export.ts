import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { idToUuid } from "@/lib/contract/ids";

type AddressRow = { address: string; country_code: string; first_seen: string; last_seen: string };

const idsOf = (workspaceId: string, deviceId: string) =>
  [sql`${idToUuid(workspaceId)}::uuid`, sql`${idToUuid(deviceId)}::uuid`] as const;

const instant = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);

/** Every address of a device, with when it was seen there. */
export async function listAddresses(db: Db, workspaceId: string, deviceId: string): Promise<AddressRow[]> {
  const [workspace, device] = idsOf(workspaceId, deviceId);
  const rows = await db.execute<AddressRow>(sql`
    select host(address) as address, country_code, ${instant("first_seen_at")} as first_seen,
      ${instant("last_seen_at")} as last_seen
    from device_addresses where workspace_id = ${workspace} and device_id = ${device}
    order by first_seen_at, address`);
  return [...rows];
}

type VisitRow = {
  event_id: string;
  recorded: string;
  surface: string;
  origin: string;
  account: string | null;
  report: string;
  evidence: unknown;
  signals: unknown;
};

/** The last visit of a page before. */
export type VisitPosition = Pick<VisitRow, "event_id" | "recorded">;

/** Visits of a device after a position, oldest first, with all that is stored of them. */
export async function listStoredVisits(
  db: Db,
  workspaceId: string,
  deviceId: string,
  { after, limit }: { after: VisitPosition | undefined; limit: number },
): Promise<VisitRow[]> {
  const [workspace, device] = idsOf(workspaceId, deviceId);
  const later = after
    ? sql`and (v.recorded_at, v.event_id) > (${after.recorded}::timestamptz, ${after.event_id}::uuid)`
    : sql``;
  const rows = await db.execute<VisitRow>(sql`
    select v.event_id, ${instant("v.recorded_at")} as recorded, v.surface, v.origin, v.report, v.evidence, v.signals,
      (select encode(l.account_hash, 'hex') from account_links l
        where l.workspace_id = v.workspace_id and l.event_id = v.event_id) as account
    from visits v
    where v.workspace_id = ${workspace} and v.device_id = ${device} ${later}
    order by v.recorded_at, v.event_id limit ${limit}`);
  return [...rows];
}

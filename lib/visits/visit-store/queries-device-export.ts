import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { isoInstant, uuid } from "./queries-parts";

type AddressRow = { address: string; country_code: string; first_seen: string; last_seen: string };

/** Every address of a device, with when it was seen there. */
export async function listAddresses(db: Db, workspaceId: string, deviceId: string): Promise<AddressRow[]> {
  const rows = await db.execute<AddressRow>(sql`
    select host(address) as address, country_code, ${isoInstant("first_seen_at")} as first_seen,
      ${isoInstant("last_seen_at")} as last_seen
    from device_addresses where workspace_id = ${uuid(workspaceId)} and device_id = ${uuid(deviceId)}
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
  const later = after
    ? sql`and (v.recorded_at, v.event_id) > (${after.recorded}::timestamptz, ${after.event_id}::uuid)`
    : sql``;
  const rows = await db.execute<VisitRow>(sql`
    select v.event_id, ${isoInstant("v.recorded_at")} as recorded, v.surface, v.origin, v.report, v.evidence, v.signals,
      (select encode(l.account_hash, 'hex') from account_links l
        where l.workspace_id = v.workspace_id and l.event_id = v.event_id) as account
    from visits v
    where v.workspace_id = ${uuid(workspaceId)} and v.device_id = ${uuid(deviceId)} ${later}
    order by v.recorded_at, v.event_id limit ${limit}`);
  return [...rows];
}

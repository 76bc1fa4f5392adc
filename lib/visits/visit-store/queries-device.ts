import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import type { IdentityRecord } from "@/lib/visits/devices/domain/recognition";
import { milliseconds, TODAY, uuid } from "./queries-parts";

export type ShadowCounts = { agreed: number; missed: number; wrong: number };

/** What the evidence alone would have said on visits with a valid token, over the last `days`. */
export async function sumShadows(db: Db, workspaceId: string, days: number): Promise<ShadowCounts> {
  const [row] = await db.execute<ShadowCounts>(sql`
    select coalesce(sum(agreed), 0)::int as agreed, coalesce(sum(missed), 0)::int as missed, coalesce(sum(wrong), 0)::int as wrong
    from device_shadows where workspace_id = ${uuid(workspaceId)}
      and day > ${TODAY} - ${days}::int`);
  return row ?? { agreed: 0, missed: 0, wrong: 0 };
}

type DeviceRow = {
  first_ms: string;
  last_ms: string;
  access_count: number;
  browser_family: string;
  os_family: string;
  addresses: number;
  tokens: number;
};

export async function findDevice(db: Db, workspaceId: string, deviceId: string): Promise<DeviceRow | undefined> {
  const [workspace, device] = [uuid(workspaceId), uuid(deviceId)];
  const [row] = await db.execute<DeviceRow>(sql`
    select ${milliseconds(sql`first_seen_at`)} as first_ms,
      ${milliseconds(sql`last_recorded_at`)} as last_ms, access_count, browser_family, os_family,
      (select count(distinct address)::int from device_addresses where workspace_id = ${workspace} and device_id = ${device}) as addresses,
      (select count(*)::int from device_tokens where workspace_id = ${workspace} and device_id = ${device}) as tokens
    from devices where workspace_id = ${workspace} and device_id = ${device}`);
  return row;
}

type LinkRow = { event_id: string; recorded_ms: string; identity: IdentityRecord | null };

/** How the newest visits of a device were given to it, newest first. */
export async function listLinks(db: Db, workspaceId: string, deviceId: string, limit: number): Promise<LinkRow[]> {
  const rows = await db.execute<LinkRow>(sql`
    select event_id, ${milliseconds(sql`recorded_at`)} as recorded_ms, evidence -> 'identity' as identity
    from visits where workspace_id = ${uuid(workspaceId)} and device_id = ${uuid(deviceId)}
    order by recorded_at desc, event_id desc limit ${limit}`);
  return [...rows];
}

import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { uuid } from "./queries-parts";

/** Deletes one batch of a device's visits with their links to accounts; the number of visits deleted. */
export async function deleteVisitsOfDevice(db: Db, workspaceId: string, deviceId: string, limit: number) {
  const [workspace, device] = [uuid(workspaceId), uuid(deviceId)];
  const [row] = await db.execute<{ deleted: number }>(sql`
    with batch as (
      select event_id from visits where workspace_id = ${workspace} and device_id = ${device}
      order by recorded_at limit ${limit}
    ), linked as (
      delete from account_links where workspace_id = ${workspace} and event_id in (select event_id from batch)
    ), visited as (
      delete from visits where workspace_id = ${workspace} and event_id in (select event_id from batch) returning 1
    )
    select count(*)::int as deleted from visited`);
  return row?.deleted ?? 0;
}

/** Locks a device until the transaction ends: visits that its token brings meanwhile wait. */
export async function lockDevice(tx: Db, workspaceId: string, deviceId: string): Promise<boolean> {
  const [workspace, device] = [uuid(workspaceId), uuid(deviceId)];
  const tokens = await tx.execute(sql`
    select 1 from device_tokens where workspace_id = ${workspace} and device_id = ${device} order by token_id for update`);
  const rows = await tx.execute(sql`
    select 1 from devices where workspace_id = ${workspace} and device_id = ${device} for update`);
  return rows.length + tokens.length > 0;
}

/** Deletes everything by which a device is known: from then on its browser is a new device. */
export async function deleteDeviceRows(tx: Db, workspaceId: string, deviceId: string): Promise<void> {
  const [workspace, device] = [uuid(workspaceId), uuid(deviceId)];
  const ofDevice = sql`where workspace_id = ${workspace} and device_id = ${device}`;
  await tx.execute(sql`
    with tokens as (delete from device_tokens ${ofDevice}),
      seen as (delete from network_tokens ${ofDevice}),
      profiles as (delete from device_profiles ${ofDevice}),
      addresses as (delete from device_addresses ${ofDevice}),
      positions as (delete from device_accounts ${ofDevice}),
      links as (delete from account_links ${ofDevice})
    delete from devices ${ofDevice}`);
}

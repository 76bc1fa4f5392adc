import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { idToUuidText } from "@/lib/contract/ids";
import type { IdentityRecord } from "@/lib/visits/devices/domain/recognition";
import { evidenceOf, type StoredEvidence, unpackJson } from "./pack-json";
import { deleteLabelsOf } from "./queries-labels";
import { signalsById } from "./queries-by-id";
import { isoInstant, milliseconds, TODAY, uuid } from "./queries-parts";
import { deleteSlicesOf, lockSlices, takenFromSlices } from "./queries-slices-delete";

export type ShadowCounts = { agreed: number; missed: number; wrong: number };

/** Sums what the evidence alone would have decided for visits with a valid token, over the last `days`. */
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

/** How a visit was recognised, as stored. Early versions did not store it. */
const identityOf = (stored: StoredEvidence): IdentityRecord | null =>
  (evidenceOf(stored) as { identity?: IdentityRecord }).identity ?? null;

/** Lists how the newest visits of a device were assigned to it, newest first. */
export async function listLinks(db: Db, workspaceId: string, deviceId: string, limit: number): Promise<LinkRow[]> {
  const rows = await db.execute<Omit<LinkRow, "identity"> & StoredEvidence>(sql`
    select event_id, ${milliseconds(sql`recorded_at`)} as recorded_ms, evidence, evidence_packed
    from visits where workspace_id = ${uuid(workspaceId)} and device_id = ${uuid(deviceId)}
    order by recorded_at desc, event_id desc limit ${limit}`);
  return rows.map(({ event_id, recorded_ms, ...stored }) => ({ event_id, recorded_ms, identity: identityOf(stored) }));
}

type AddressRow = { address: string; country_code: string; first_seen: string; last_seen: string };

/** Lists all addresses of a device, with the times when it was seen there. */
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

/** The last visit of the previous page. */
export type VisitPosition = Pick<VisitRow, "event_id" | "recorded">;

/** Lists visits of a device after a position, oldest first, with all data stored about them. */
export async function listStoredVisits(
  db: Db,
  workspaceId: string,
  deviceId: string,
  { after, limit }: { after: VisitPosition | undefined; limit: number },
): Promise<VisitRow[]> {
  const later = after
    ? sql`and (v.recorded_at, v.event_id) > (${after.recorded}::timestamptz, ${after.event_id}::uuid)`
    : sql``;
  type Row = VisitRow & StoredEvidence & { signals_packed: Uint8Array | null };
  const rows = await db.execute<Row>(sql`
    select v.event_id, ${isoInstant("v.recorded_at")} as recorded, v.surface, v.origin, v.report, v.evidence,
      v.evidence_packed, v.signals, s.packed as signals_packed,
      (select encode(l.account_hash, 'hex') from account_links l
        where l.workspace_id = v.workspace_id and l.event_id = v.event_id) as account
    from visits v ${signalsById(uuid(workspaceId), sql`v.event_id`)}
    where v.workspace_id = ${uuid(workspaceId)} and v.device_id = ${uuid(deviceId)} ${later}
    order by v.recorded_at, v.event_id limit ${limit}`);
  return rows.map(({ evidence, evidence_packed, signals, signals_packed, ...visit }) => ({
    ...visit,
    evidence: evidenceOf({ evidence, evidence_packed }),
    signals: signals_packed === null ? signals : unpackJson(signals_packed),
  }));
}

/**
 * Deletes a batch of a device's visits with their account links, and subtracts them from the slices. Requires a
 * transaction.
 *
 * @returns number of visits deleted
 */
export async function deleteVisitsOfDevice(tx: Db, workspaceId: string, deviceId: string, limit: number) {
  const [workspace, device] = [uuid(workspaceId), uuid(deviceId)];
  await lockSlices(tx, workspaceId);
  const [row] = await tx.execute<{ deleted: number }>(sql`
    with batch as (
      select event_id from visits where workspace_id = ${workspace} and device_id = ${device}
      order by recorded_at limit ${limit}
    ), linked as (
      delete from account_links where workspace_id = ${workspace} and event_id = any (array(select event_id from batch)) returning *
    ), signalled as (
      delete from visit_signals where workspace_id = ${workspace} and event_id = any (array(select event_id from batch))
    ), ruled as (
      delete from visit_rules where workspace_id = ${workspace} and event_id = any (array(select event_id from batch))
    ), labelled as (${deleteLabelsOf("visit", workspace, sql`select event_id from batch`)}
    ), visited as (
      delete from visits where workspace_id = ${workspace} and event_id = any (array(select event_id from batch)) returning *
    ), ${takenFromSlices(workspace, sql`visited`, sql`linked`)}
    select count(*)::int as deleted from visited`);
  return row?.deleted ?? 0;
}

/** Locks a device until the transaction ends. Concurrent visits with its token wait. */
export async function lockDevice(tx: Db, workspaceId: string, deviceId: string): Promise<boolean> {
  const [workspace, device] = [uuid(workspaceId), uuid(deviceId)];
  const tokens = await tx.execute(sql`
    select 1 from device_tokens where workspace_id = ${workspace} and device_id = ${device} order by token_id for update`);
  const rows = await tx.execute(sql`
    select 1 from devices where workspace_id = ${workspace} and device_id = ${device} for update`);
  return rows.length + tokens.length > 0;
}

/** Deletes everything that identifies a device, so that its browser becomes a new device. */
export async function deleteDeviceRows(tx: Db, workspaceId: string, deviceId: string): Promise<void> {
  const [workspace, device] = [uuid(workspaceId), uuid(deviceId)];
  const ofDevice = sql`where workspace_id = ${workspace} and device_id = ${device}`;
  await tx.execute(sql`
    with tokens as (delete from device_tokens ${ofDevice}),
      seen as (delete from network_tokens ${ofDevice}),
      profiles as (delete from device_profiles ${ofDevice}),
      addresses as (delete from device_addresses ${ofDevice}),
      positions as (delete from device_accounts ${ofDevice}),
      links as (delete from account_links ${ofDevice}),
      labelled as (${deleteLabelsOf("device", workspace, sql`select ${device}`)})
    delete from devices ${ofDevice}`);
  await deleteSlicesOf(tx, workspaceId, "device", idToUuidText(deviceId));
}

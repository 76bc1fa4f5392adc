import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import type { ReportStatus } from "@/lib/contract/report";
import { uuidToId } from "@/lib/contract/ids";
import type { AddressRange } from "@/lib/platform/addresses";
import { instantOf, milliseconds, uuid, uuids } from "./queries-parts";

/** Maximum number of addresses read for a range; the newest devices among them are listed. */
const MAX_ADDRESSES = 50_000;

const within = (workspaceId: string, { first, last }: AddressRange) =>
  sql`workspace_id = ${uuid(workspaceId)} and address between ${first}::inet and ${last}::inet`;

/** Lists the devices seen in a range. Undefined if it has more than `most` rows. */
export async function listDevicesAt(
  db: Db,
  workspaceId: string,
  range: AddressRange,
  most: number,
): Promise<string[] | undefined> {
  const rows = await db.execute<{ device_id: string }>(sql`
    select device_id from device_addresses where ${within(workspaceId, range)} limit ${most + 1}`);
  if (rows.length > most) return undefined;
  return [...new Set(rows.map((row) => uuidToId("device", row.device_id)))];
}

export type DeviceSummary = {
  deviceId: string;
  browserFamily: string;
  systemFamily: string;
  firstSeenAt: Date;
  lastSeenAt: Date;
  visits: number;
  /** Verdict of the newest visit. */
  lastStatus: ReportStatus | null;
};

type SummaryRow = {
  device_id: string;
  browser_family: string;
  os_family: string;
  first_ms: string;
  last_ms: string;
  last_at: string;
  access_count: number;
  last_status: ReportStatus | null;
};

/** Columns of a summary. The newest visit takes a single index lookup. */
const summaryOf = (
  workspace: SQL,
) => sql`d.device_id, d.browser_family, d.os_family, d.access_count, d.last_recorded_at::text as last_at,
  ${milliseconds(sql`d.first_seen_at`)} as first_ms, ${milliseconds(sql`d.last_recorded_at`)} as last_ms,
  (select v.status from visits v where v.workspace_id = ${workspace} and v.device_id = d.device_id
    order by v.recorded_at desc, v.event_id desc limit 1) as last_status`;

const toSummary = (row: SummaryRow): DeviceSummary => ({
  deviceId: uuidToId("device", row.device_id),
  browserFamily: row.browser_family,
  systemFamily: row.os_family,
  firstSeenAt: instantOf(row.first_ms),
  lastSeenAt: instantOf(row.last_ms),
  visits: row.access_count,
  lastStatus: row.last_status,
});

/** Position of a device in the list of recently seen ones. */
export type DevicePosition = { at: string; deviceId: string };

/** Lists devices after `before`, most recently seen first. */
export async function listSeenDevices(
  db: Db,
  workspaceId: string,
  page: { before: DevicePosition | undefined; limit: number },
): Promise<{ device: DeviceSummary; position: DevicePosition }[]> {
  const behind = page.before
    ? sql` and (d.last_recorded_at, d.device_id) < (${page.before.at}::timestamptz, ${uuid(page.before.deviceId)})`
    : sql``;
  const rows = await db.execute<SummaryRow>(sql`
    select ${summaryOf(uuid(workspaceId))} from devices d where d.workspace_id = ${uuid(workspaceId)}${behind}
    order by d.last_recorded_at desc, d.device_id desc limit ${page.limit}`);
  return rows.map((row) => {
    const device = toSummary(row);
    return { device, position: { at: row.last_at, deviceId: device.deviceId } };
  });
}

/** Summaries of the given devices, most recently seen first. */
export async function summariseDevices(
  db: Db,
  workspaceId: string,
  deviceIds: readonly string[],
): Promise<DeviceSummary[]> {
  const rows = await db.execute<SummaryRow>(sql`
    select ${summaryOf(uuid(workspaceId))} from devices d where d.workspace_id = ${uuid(workspaceId)} and d.device_id = any(${uuids(deviceIds)})
    order by d.last_recorded_at desc, d.device_id desc`);
  return rows.map(toSummary);
}

type AtRow = {
  devices: number;
  addresses: number;
  is_bounded: boolean;
  /** Device ids with the time when they were last seen in the range. */
  newest: [string, string][];
  countries: [string, number][];
};

type RangePage = { before: DevicePosition | undefined; limit: number };

/**
 * Counts the devices and addresses seen in a range, also by country, and lists the devices seen there last after
 * `before`.
 */
export async function sumRange(db: Db, workspaceId: string, range: AddressRange, page: RangePage): Promise<AtRow> {
  const behind = page.before
    ? sql`where (at, device_id) < (${page.before.at}::timestamptz, ${uuid(page.before.deviceId)})`
    : sql``;
  const [row] = await db.execute<AtRow>(sql`
    with seen as materialized (
      select device_id, address, country_code, last_seen_at from device_addresses where ${within(workspaceId, range)}
      limit ${MAX_ADDRESSES}
    )
    select (select count(distinct device_id)::int from seen) as devices,
      (select count(distinct address)::int from seen) as addresses,
      (select count(*) >= ${MAX_ADDRESSES} from seen) as is_bounded,
      (select coalesce(json_agg(json_build_array(device_id, at::text) order by at desc, device_id desc), '[]') from (
        select device_id, at from (select device_id, max(last_seen_at) as at from seen group by 1) latest
        ${behind} order by at desc, device_id desc limit ${page.limit}) newest) as newest,
      (select coalesce(json_agg(json_build_array(country_code, devices) order by devices desc), '[]') from (
        select country_code, count(distinct device_id)::int as devices from seen where country_code <> '' group by 1) c) as countries`);
  if (!row) throw new Error("an aggregate query returned no row");
  return row;
}

/** Position of an address in the list of a device's addresses. */
export type AddressPosition = { at: string; address: string; countryCode: string };

/** Maximum number of rows of an address read to count the devices that share it. */
const MAX_SHARING = 1_000;

/** Lists a device's addresses, most recently seen first, with the number of devices seen at each. */
export async function listAddressesOf(
  db: Db,
  workspaceId: string,
  deviceId: string,
  { before, limit }: { before: AddressPosition | undefined; limit: number },
) {
  type Row = {
    address: string;
    country_code: string;
    last_at: string;
    first_ms: string;
    last_ms: string;
    devices: number;
  };
  const behind = before
    ? sql` and (a.last_seen_at, a.address, a.country_code)
        < (${before.at}::timestamptz, ${before.address}::inet, ${before.countryCode})`
    : sql``;
  const rows = await db.execute<Row>(sql`
    select host(a.address) as address, a.country_code, a.last_seen_at::text as last_at,
      ${milliseconds(sql`a.first_seen_at`)} as first_ms, ${milliseconds(sql`a.last_seen_at`)} as last_ms,
      (select count(distinct device_id)::int from (
        select o.device_id from device_addresses o
        where o.workspace_id = ${uuid(workspaceId)} and o.address = a.address limit ${MAX_SHARING}) there) as devices
    from device_addresses a where a.workspace_id = ${uuid(workspaceId)} and a.device_id = ${uuid(deviceId)}${behind}
    order by a.last_seen_at desc, a.address desc, a.country_code desc limit ${limit}`);
  return rows.map((row) => ({
    position: { at: row.last_at, address: row.address, countryCode: row.country_code },
    /** Limited to `MAX_SHARING`. */
    devices: row.devices,
    address: row.address,
    countryCode: row.country_code === "" ? null : row.country_code,
    firstSeenAt: instantOf(row.first_ms),
    lastSeenAt: instantOf(row.last_ms),
  }));
}

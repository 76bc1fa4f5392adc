import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import type { ConnectionType } from "@/lib/visits/reports/domain/report-filter";
import { uuid, uuids } from "./queries-parts";

/** A device, and an account or address that it was seen with. */
export type DeviceLink = { deviceId: string; value: string };

const list = (values: readonly string[], type: string): SQL => sql`${`{${values.join()}}`}::${sql.raw(type)}[]`;
const hexOf = (accountId: string) => `\\\\x${idToUuid(accountId)}`;

/** Accounts of the given devices, up to `each` per device, latest first. */
export async function listAccountLinks(db: Db, workspaceId: string, deviceIds: readonly string[], each: number) {
  const rows = await db.execute<{ device_id: string; account: string }>(sql`
    select d.device_id, encode(a.account_hash, 'hex') as account
    from unnest(${uuids(deviceIds)}) d (device_id), lateral (
      select account_hash from device_accounts
      where workspace_id = ${uuid(workspaceId)} and device_id = d.device_id
      order by first_recorded_at desc, first_event_id desc limit ${each}) a`);
  return rows.map((row): DeviceLink => ({
    deviceId: uuidToId("device", row.device_id),
    value: uuidToId("account", row.account),
  }));
}

/** Addresses of the given devices, up to `each` per device, most recently seen first. */
export async function listAddressLinks(db: Db, workspaceId: string, deviceIds: readonly string[], each: number) {
  const rows = await db.execute<{ device_id: string; address: string }>(sql`
    select distinct d.device_id, host(a.address) as address
    from unnest(${uuids(deviceIds)}) d (device_id), lateral (
      select address from device_addresses
      where workspace_id = ${uuid(workspaceId)} and device_id = d.device_id
      order by last_seen_at desc limit ${each}) a`);
  return rows.map((row): DeviceLink => ({ deviceId: uuidToId("device", row.device_id), value: row.address }));
}

/** Devices of the given accounts, up to `each` per account, latest first. */
export async function listDevicesOfAccounts(db: Db, workspaceId: string, accountIds: readonly string[], each: number) {
  const rows = await db.execute<{ device_id: string; account: string }>(sql`
    select d.device_id, encode(a.account_hash, 'hex') as account
    from unnest(${list(
      accountIds.map((id) => `"${hexOf(id)}"`),
      "bytea",
    )}) a (account_hash), lateral (
      select device_id from device_accounts
      where workspace_id = ${uuid(workspaceId)} and account_hash = a.account_hash
      order by first_recorded_at desc, first_event_id desc limit ${each}) d`);
  return rows.map((row): DeviceLink => ({
    deviceId: uuidToId("device", row.device_id),
    value: uuidToId("account", row.account),
  }));
}

/** Devices at the given addresses, up to `each` per address. */
export async function listDevicesOfAddresses(db: Db, workspaceId: string, addresses: readonly string[], each: number) {
  const rows = await db.execute<{ device_id: string; address: string }>(sql`
    select distinct d.device_id, host(a.address) as address
    from unnest(${list(addresses, "inet")}) a (address), lateral (
      select device_id from device_addresses
      where workspace_id = ${uuid(workspaceId)} and address = a.address limit ${each}) d`);
  return rows.map((row): DeviceLink => ({ deviceId: uuidToId("device", row.device_id), value: row.address }));
}

export type AddressFacts = {
  address: string;
  /** Number of devices seen there, up to a limit. */
  devices: number;
  /** According to the newest visit from there. */
  asn: number | undefined;
  connectionType: ConnectionType | undefined;
};

/** Maximum number of rows of an address from which its devices are counted. */
const MAX_COUNTED_ROWS = 1_000;

/** Counts the devices that share each address, and reads the network from its newest visit. */
export async function readAddressFacts(
  db: Db,
  workspaceId: string,
  addresses: readonly string[],
): Promise<AddressFacts[]> {
  type Row = { address: string; devices: number; asn: string | null; connection_type: ConnectionType | null };
  const workspace = uuid(workspaceId);
  const rows = await db.execute<Row>(sql`
    select host(a.address) as address, c.devices, v.asn::text as asn, v.connection_type
    from unnest(${list(addresses, "inet")}) a (address), lateral (
      select count(distinct device_id)::int as devices,
        (array_agg(device_id order by last_seen_at desc))[1] as device_id, max(last_seen_at) as last_seen_at
      from (
        select device_id, last_seen_at from device_addresses
        where workspace_id = ${workspace} and address = a.address limit ${MAX_COUNTED_ROWS}) there
    ) c left join lateral (
      select asn, connection_type from visits
      where workspace_id = ${workspace} and device_id = c.device_id and recorded_at <= c.last_seen_at
        and address = a.address
      order by recorded_at desc, event_id desc limit 1
    ) v on true`);
  return rows.map((row) => ({
    address: row.address,
    devices: row.devices,
    asn: row.asn === null ? undefined : Number(row.asn),
    connectionType: row.connection_type ?? undefined,
  }));
}

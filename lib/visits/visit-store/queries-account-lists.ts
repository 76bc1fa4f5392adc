import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import type { Position } from "@/lib/platform/cursor";
import type { Account } from "./queries-accounts";
import type { VisitPosition } from "./queries-device";
import { instantOf, isoInstant, milliseconds, uuid } from "./queries-parts";

/** The account hash as stored in the tables. */
export const hashOf = (accountId: string) => sql`decode(${idToUuid(accountId)}, 'hex')`;

/** Maximum number of an account's visits that are counted. */
export const MAX_COUNTED = 10_000;

/** Events linked to an account, for use with `in` in another statement. */
export const eventsOfAccount = (workspaceId: string, accountId: string): SQL => sql`
  select event_id from account_links where workspace_id = ${uuid(workspaceId)} and account_hash = ${hashOf(accountId)}`;

export async function hasAccount(db: Db, workspaceId: string, accountId: string): Promise<boolean> {
  const rows = await db.execute(sql`
    select 1 from device_accounts
    where workspace_id = ${uuid(workspaceId)} and account_hash = ${hashOf(accountId)} limit 1`);
  return rows.length > 0;
}

type AccountRow = { devices: number; visits: number; first_ms: string | null; last_ms: string | null };

/** Counts an account's devices and visits, the latter up to `MAX_COUNTED`. */
export async function sumAccount(db: Db, workspaceId: string, accountId: string) {
  const ofAccount = sql`workspace_id = ${uuid(workspaceId)} and account_hash = ${hashOf(accountId)}`;
  const [row] = await db.execute<AccountRow>(sql`
    select (select count(*)::int from device_accounts where ${ofAccount}) as devices,
      (select count(*)::int from (select 1 from account_links where ${ofAccount} limit ${MAX_COUNTED}) counted) as visits,
      ${milliseconds(sql`(select min(first_recorded_at) from device_accounts where ${ofAccount})`)} as first_ms,
      ${milliseconds(sql`(select recorded_at from account_links where ${ofAccount} order by recorded_at desc limit 1)`)} as last_ms`);
  if (!row || row.first_ms === null) return undefined;
  return { devices: row.devices, visits: row.visits, firstSeenAt: instantOf(row.first_ms), lastMs: row.last_ms };
}

/** A page of accounts and devices by when they first appeared together, latest first. */
type Together = { before: Position | undefined; limit: number };

const behind = (before: Position | undefined): SQL =>
  before === undefined
    ? sql``
    : sql` and (a.first_recorded_at, a.first_event_id) < (${before.at}::timestamptz, ${uuid(before.id)})`;

/** Lists an account's devices by when they first appeared with it, latest first. */
export async function listDevicesOfAccount(db: Db, workspaceId: string, accountId: string, page: Together) {
  const rows = await db.execute<{ device_id: string; event_id: string; first_at: string; first_ms: string }>(sql`
    select a.device_id, a.first_event_id as event_id, a.first_recorded_at::text as first_at,
      ${milliseconds(sql`a.first_recorded_at`)} as first_ms
    from device_accounts a
    where a.workspace_id = ${uuid(workspaceId)} and a.account_hash = ${hashOf(accountId)}${behind(page.before)}
    order by a.first_recorded_at desc, a.first_event_id desc limit ${page.limit}`);
  return [...rows].map((row) => ({
    firstAt: row.first_at,
    deviceId: uuidToId("device", row.device_id),
    firstImprint: uuidToId("imprint", row.event_id),
    firstSeenAt: instantOf(row.first_ms),
  }));
}

/** Lists a device's accounts by when they first appeared on it, latest first, with each account's number of devices. */
export async function listAccountsOnDevice(db: Db, workspaceId: string, deviceId: string, page: Together) {
  type Row = { account: string; event_id: string; first_at: string; first_ms: string; devices: number };
  const rows = await db.execute<Row>(sql`
    select encode(a.account_hash, 'hex') as account, a.first_event_id as event_id, a.first_recorded_at::text as first_at,
      ${milliseconds(sql`a.first_recorded_at`)} as first_ms,
      (select count(*)::int from device_accounts o where o.workspace_id = ${uuid(workspaceId)} and o.account_hash = a.account_hash) as devices
    from device_accounts a
    where a.workspace_id = ${uuid(workspaceId)} and a.device_id = ${uuid(deviceId)}${behind(page.before)}
    order by a.first_recorded_at desc, a.first_event_id desc limit ${page.limit}`);
  return [...rows].map((row) => ({
    firstAt: row.first_at,
    accountId: uuidToId("account", row.account),
    firstImprint: uuidToId("imprint", row.event_id),
    firstSeenAt: instantOf(row.first_ms),
    devices: row.devices,
  }));
}

/** Finds the account that a visit is linked to. */
export async function findLink(db: Db, workspaceId: string, imprint: string) {
  const [row] = await db.execute<{ account: string }>(sql`
    select encode(account_hash, 'hex') as account from account_links
    where workspace_id = ${uuid(workspaceId)} and event_id = ${uuid(imprint)}`);
  if (!row) return undefined;
  return {
    accountId: uuidToId("account", row.account),
    account: { workspaceId, hash: Buffer.from(row.account, "hex") },
  };
}

const ofAccount = ({ workspaceId, hash }: Account) =>
  sql`workspace_id = ${uuid(workspaceId)} and account_hash = ${Buffer.from(hash)}::bytea`;

/** Lists an account's devices in the order in which it appeared on them. */
export async function listAccountDevices(db: Db, account: Account) {
  const rows = await db.execute<{ device_id: string; first_recorded: string }>(sql`
    select device_id, ${isoInstant("first_recorded_at")} as first_recorded
    from device_accounts where ${ofAccount(account)} order by first_recorded_at, first_event_id`);
  return [...rows];
}

export type LinkedVisit = { event_id: string; device_id: string; recorded: string };

/** Lists visits linked to an account after a position, oldest first. */
export async function listAccountVisits(
  db: Db,
  account: Account,
  { after, limit }: { after: VisitPosition | undefined; limit: number },
): Promise<LinkedVisit[]> {
  const later = after
    ? sql`and (recorded_at, event_id) > (${after.recorded}::timestamptz, ${after.event_id}::uuid)`
    : sql``;
  const rows = await db.execute<LinkedVisit>(sql`
    select event_id, device_id, ${isoInstant("recorded_at")} as recorded
    from account_links where ${ofAccount(account)} ${later} order by recorded_at, event_id limit ${limit}`);
  return [...rows];
}

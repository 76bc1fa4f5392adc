import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { AccountMap } from "@/lib/contract/report";
import { idToUuid } from "@/lib/ids";

const uuid = (id: string) => sql`${idToUuid(id)}::uuid`;

/** An account of a workspace: 16 bytes of the HMAC of its reference. */
export type Account = { workspaceId: string; hash: Uint8Array };

/** Where a linked event stands among all events of the workspace. */
export type Position = {
  imprint: string;
  deviceUuid: string;
  /** Text of the database's timestamp, to the microsecond. */
  recordedAt: string;
};

type LinkRow = { device_id: string; recorded_at: string; is_linked: boolean; is_same: boolean | null };

/**
 * Binds the account to an event, unless the event has one, and notes the event as the first of account and device when
 * it is earlier than the one noted: in one statement, so that both are there or neither.
 *
 * @returns `conflict` when the event has another account; nothing when there is no such event
 */
export async function insertLink(
  db: Db,
  account: Account,
  imprint: string,
): Promise<Position | "conflict" | undefined> {
  const [workspace, event] = [uuid(account.workspaceId), uuid(imprint)];
  const hash = sql`${Buffer.from(account.hash)}::bytea`;
  // A link that another transaction commits or removes meanwhile is not in the snapshot: look again.
  for (;;) {
    const [row] = await db.execute<LinkRow>(sql`
      with visit as materialized (
        select device_id, recorded_at from visits where workspace_id = ${workspace} and event_id = ${event}
      ), linked as (
        insert into account_links (workspace_id, event_id, device_id, account_hash, recorded_at)
        select ${workspace}, ${event}, device_id, ${hash}, recorded_at from visit
        on conflict (workspace_id, event_id) do nothing
        returning device_id, recorded_at
      ), noted as (
        insert into device_accounts as a (workspace_id, device_id, account_hash, first_recorded_at, first_event_id)
        select ${workspace}, device_id, ${hash}, recorded_at, ${event} from linked
        on conflict (workspace_id, device_id, account_hash) do update
        set first_recorded_at = excluded.first_recorded_at, first_event_id = excluded.first_event_id
        where (excluded.first_recorded_at, excluded.first_event_id) < (a.first_recorded_at, a.first_event_id)
      )
      select device_id, recorded_at::text, exists (select 1 from linked) as is_linked,
        (select account_hash = ${hash} from account_links where workspace_id = ${workspace} and event_id = ${event}) as is_same
      from visit`);
    if (!row) return undefined;
    if (row.is_linked || row.is_same === true)
      return { imprint, deviceUuid: row.device_id, recordedAt: row.recorded_at };
    if (row.is_same === false) return "conflict";
  }
}

/** The position and account that statistics are asked for, as SQL: parameters for one, columns for many at once. */
type Subject = Record<"workspace" | "device" | "hash" | "recordedAt" | "event", SQL>;

/**
 * The five statistics of one event, from the first positions of accounts on devices. One snapshot: the numbers agree
 * with each other.
 *
 * `relationship_seen_before` reads the row by its whole key: as an `exists` over the account's positions the planner
 * takes the account's index, which is long for an account with many devices.
 */
export const selectStatistics = ({ workspace, device, hash, recordedAt, event }: Subject): SQL => sql`
  select
    exists (
      select 1 from device_accounts a where a.workspace_id = ${workspace} and a.account_hash = ${hash}
        and (a.first_recorded_at, a.first_event_id) < (${recordedAt}, ${event})
    ) as account_seen_before,
    coalesce((
      select (a.first_recorded_at, a.first_event_id) < (${recordedAt}, ${event}) from device_accounts a
      where a.workspace_id = ${workspace} and a.device_id = ${device} and a.account_hash = ${hash}
    ), false) as relationship_seen_before,
    on_device.accounts as accounts_on_device, on_account.devices as devices_on_account,
    on_device.accounts_1h as accounts_first_seen_on_device_1h
  from (
    select count(*)::int as accounts,
      (count(*) filter (where a.first_recorded_at > ${recordedAt} - interval '1 hour'))::int as accounts_1h
    from device_accounts a where a.workspace_id = ${workspace} and a.device_id = ${device}
      and (a.first_recorded_at, a.first_event_id) <= (${recordedAt}, ${event})
  ) on_device, (
    select count(*)::int as devices from device_accounts a
    where a.workspace_id = ${workspace} and a.account_hash = ${hash}
      and (a.first_recorded_at, a.first_event_id) <= (${recordedAt}, ${event})
  ) on_account`;

/** The statistics of one linked event as they stand now. */
export async function readStatistics(db: Db, account: Account, position: Position): Promise<AccountMap> {
  const [row] = await db.execute(
    selectStatistics({
      workspace: uuid(account.workspaceId),
      device: sql`${position.deviceUuid}::uuid`,
      hash: sql`${Buffer.from(account.hash)}::bytea`,
      recordedAt: sql`${position.recordedAt}::timestamptz`,
      event: uuid(position.imprint),
    }),
  );
  return AccountMap.parse(row);
}

/** Removes every trace of an account; how many links and devices it had. */
export async function deleteAccountRows(tx: Db, { workspaceId, hash }: Account) {
  const ofAccount = sql`workspace_id = ${uuid(workspaceId)} and account_hash = ${Buffer.from(hash)}::bytea`;
  const [row] = await tx.execute<{ links: number; devices: number }>(sql`
    with links as (delete from account_links where ${ofAccount} returning 1),
      devices as (delete from device_accounts where ${ofAccount} returning 1)
    select (select count(*)::int from links) as links, (select count(*)::int from devices) as devices`);
  return row ?? { links: 0, devices: 0 };
}

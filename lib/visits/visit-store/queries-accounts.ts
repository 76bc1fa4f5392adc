import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { statement } from "@/db/prepared";
import { AccountMap } from "@/lib/contract/report";
import { idToUuid } from "@/lib/contract/ids";
import { deleteLabelsOf } from "./queries-labels";
import { EVENT, uuid, WORKSPACE } from "./queries-parts";
import { deleteSlicesOf } from "./queries-slices-delete";

const bytea = (bytes: Uint8Array) => sql`${Buffer.from(bytes)}::bytea`;

/** An account of a workspace: 16 bytes of the HMAC of its reference. */
export type Account = { workspaceId: string; hash: Uint8Array };

const HASH = sql`${sql.placeholder("hash")}::bytea`;

/** Placeholder values of statements about an account and an event. */
const valuesOf = ({ workspaceId, hash }: Account, imprint: string) => ({
  workspace: idToUuid(workspaceId),
  event: idToUuid(imprint),
  hash: Buffer.from(hash),
});

/**
 * Links the account to an event if `isWanted` and the event has no account yet, and records the event as the first of
 * this account and device if it is earlier than the recorded one. CTEs of one statement, so that both are stored or
 * neither.
 */
const linkParts = (isWanted: SQL): SQL => sql`
  visit as materialized (
    select device_id, recorded_at from visits
    where workspace_id = ${WORKSPACE} and event_id = ${EVENT} limit 1
  ), linked as (
    insert into account_links (workspace_id, event_id, device_id, account_hash, recorded_at)
    select ${WORKSPACE}, ${EVENT}, device_id, ${HASH}, recorded_at from visit where ${isWanted}
    on conflict (workspace_id, event_id) do nothing
    returning device_id, recorded_at
  ), noted as (
    insert into device_accounts as a (workspace_id, device_id, account_hash, first_recorded_at, first_event_id)
    select ${WORKSPACE}, device_id, ${HASH}, recorded_at, ${EVENT} from linked
    on conflict (workspace_id, device_id, account_hash) do update
    set first_recorded_at = excluded.first_recorded_at, first_event_id = excluded.first_event_id
    where (excluded.first_recorded_at, excluded.first_event_id) < (a.first_recorded_at, a.first_event_id)
  )`;

/** Whether the event is linked to this account. Null if the snapshot has no link. */
const IS_SAME_ACCOUNT = sql`(
  select account_hash = ${HASH} from account_links
  where workspace_id = ${WORKSPACE} and event_id = ${EVENT} limit 1)`;

const LINK = {
  parts: linkParts,
  isDone: sql`(exists (select 1 from linked) or coalesce(${IS_SAME_ACCOUNT}, false))`,
};

/** The link of an account as CTEs for a larger statement, which does its own work only if `isDone`. */
export const linkTogether = (account: Account, imprint: string) => ({ sql: LINK, values: valuesOf(account, imprint) });

const linkAlone = statement<{ is_linked: boolean; is_same: boolean | null }>(
  sql`
  with ${linkParts(sql`true`)}
  select exists (select 1 from linked) as is_linked, ${IS_SAME_ACCOUNT} as is_same from visit`,
  "link account",
);

/** Links the account to an event. Undefined if the event does not exist. */
export async function insertLink(
  db: Db,
  account: Account,
  imprint: string,
): Promise<"linked" | "conflict" | undefined> {
  // The snapshot does not contain links that other transactions commit or remove concurrently, so retry.
  const values = valuesOf(account, imprint);
  for (;;) {
    const [row] = await linkAlone(db, values);
    if (!row) return undefined;
    if (row.is_linked || row.is_same === true) return "linked";
    if (row.is_same === false) return "conflict";
  }
}

/** The position and account that statistics are computed for, as SQL: parameters for one, columns for many. */
type Subject = Record<"workspace" | "device" | "hash" | "recordedAt" | "event", SQL>;

/**
 * The five statistics of one event, from the first positions of accounts on devices, in one snapshot and therefore
 * consistent.
 *
 * `relationship_seen_before` reads the row by its full key. As an `exists` over the account's positions, the planner
 * would use the account's index, which is slow for an account with many devices.
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

const readStatistics = statement<AccountMap & { is_same: boolean }>(
  sql`
  select l.account_hash = ${HASH} as is_same, s.*
  from (
    select device_id, account_hash, recorded_at from account_links
    where workspace_id = ${WORKSPACE} and event_id = ${EVENT} limit 1
  ) l cross join lateral (${selectStatistics({
    workspace: WORKSPACE,
    device: sql`l.device_id`,
    hash: HASH,
    recordedAt: sql`l.recorded_at`,
    event: EVENT,
  })}) s`,
  "read account map",
);

/**
 * The statistics that the event would have if the account were linked to it. A link would only add the event's own
 * relation. It counts unless the account had already appeared on the device, and precedes nothing, including itself.
 */
const previewStatistics = statement<AccountMap & { is_same: boolean }>(
  sql`
  select coalesce(l.account_hash = ${HASH}, true) as is_same, s.account_seen_before, s.relationship_seen_before,
    s.accounts_on_device + own.added as accounts_on_device, s.devices_on_account + own.added as devices_on_account,
    s.accounts_first_seen_on_device_1h + own.added as accounts_first_seen_on_device_1h
  from (
    select device_id, recorded_at from visits
    where workspace_id = ${WORKSPACE} and event_id = ${EVENT} limit 1
  ) v left join lateral (
    select account_hash from account_links where workspace_id = ${WORKSPACE} and event_id = ${EVENT} limit 1
  ) l on true cross join lateral (${selectStatistics({
    workspace: WORKSPACE,
    device: sql`v.device_id`,
    hash: HASH,
    recordedAt: sql`v.recorded_at`,
    event: EVENT,
  })}) s cross join lateral (
    select case when exists (
      select 1 from device_accounts a
      where a.workspace_id = ${WORKSPACE} and a.device_id = v.device_id and a.account_hash = ${HASH}
        and (a.first_recorded_at, a.first_event_id) <= (v.recorded_at, ${EVENT})
    ) then 0 else 1 end as added
  ) own`,
  "preview account map",
);

type Statistics = AccountMap | "conflict" | undefined;

function toStatistics(row: (AccountMap & { is_same: boolean }) | undefined): Statistics {
  if (!row) return undefined;
  const { is_same: isSame, ...statistics } = row;
  return isSame ? AccountMap.parse(statistics) : "conflict";
}

/**
 * Reads the current statistics of an event.
 *
 * @returns `conflict` if another account is linked to the event; undefined if none is
 */
export async function findStatistics(db: Db, account: Account, imprint: string): Promise<Statistics> {
  const [row] = await readStatistics(db, valuesOf(account, imprint));
  return toStatistics(row);
}

/**
 * Computes the statistics that an event would have if the account were linked to it. Read-only.
 *
 * @returns `conflict` if another account is linked to the event; undefined if the event does not exist
 */
export async function findPreview(db: Db, account: Account, imprint: string): Promise<Statistics> {
  const [row] = await previewStatistics(db, valuesOf(account, imprint));
  return toStatistics(row);
}

/**
 * Deletes everything about an account.
 *
 * @returns numbers of its links and devices
 */
export async function deleteAccountRows(tx: Db, { workspaceId, hash }: Account) {
  const ofAccount = sql`workspace_id = ${uuid(workspaceId)} and account_hash = ${bytea(hash)}`;
  const [row] = await tx.execute<{ links: number; devices: number }>(sql`
    with links as (delete from account_links where ${ofAccount} returning 1),
      positions as (delete from device_accounts where ${ofAccount} returning 1),
      labelled as (${deleteLabelsOf("account", uuid(workspaceId), sql`select encode(${bytea(hash)}, 'hex')::uuid`)})
    select (select count(*)::int from links) as links, (select count(*)::int from positions) as devices`);
  await deleteSlicesOf(tx, workspaceId, "account", Buffer.from(hash).toString("hex"));
  return row ?? { links: 0, devices: 0 };
}

import { type SQL, sql } from "drizzle-orm";

import { type Db, emptyColumn } from "@/db/client";
import { idToUuid, uuidToId } from "@/lib/ids";
import { eventParts, type Place } from "./queries-activity";
import type { Recognition } from "./recognition";

/** As long as parallel first visits may take to see each other's rows. */
const CLAIM_SECONDS = 120;
const SHADOW_SHARDS = 16;
/** A device that returns loses the keys of screens and networks that it has not shown for so long. */
const KEYS_KEPT_DAYS = 90;

type NewVisit = {
  workspaceId: string;
  challenge: { nonce: string; bodyHash: Uint8Array; eventId: string };
  recognition: Recognition;
  browserFamily: string;
  osFamily: string;
};

/** Which device the visit goes to unless its token is bound meanwhile: the known one, or a new one that may be claimed. */
function chooseDevice(workspace: SQL, { linkedDeviceId, newDeviceId, claimKey }: Recognition): SQL {
  const linked =
    linkedDeviceId === undefined
      ? sql`null`
      : sql`(select device_id from devices where workspace_id = ${workspace} and device_id = ${idToUuid(linkedDeviceId)}::uuid)`;
  const chosen = sql`select coalesce(${linked}, ${idToUuid(newDeviceId)}::uuid) as device_id from used`;
  if (claimKey === undefined) return sql`chosen as (${chosen})`;
  const isFresh = sql`c.claimed_at > clock_timestamp() - make_interval(secs => ${CLAIM_SECONDS})`;
  return sql`chosen as (
    insert into device_claims as c (workspace_id, claim_key, device_id, claimed_at)
    select ${workspace}, ${Buffer.from(claimKey)}, fresh.device_id, clock_timestamp() from (${chosen}) fresh
    on conflict (workspace_id, claim_key) do update
    set device_id = case when ${isFresh} then c.device_id else excluded.device_id end,
        claimed_at = case when ${isFresh} then c.claimed_at else excluded.claimed_at end
    returning device_id)`;
}

const bindToken = (workspace: SQL, tokenId: string | undefined): SQL =>
  tokenId === undefined
    ? sql`bound as (select device_id from chosen)`
    : sql`bound as (
        insert into device_tokens (workspace_id, token_id, device_id)
        select ${workspace}, ${tokenId}::uuid, device_id from chosen
        on conflict (workspace_id, token_id) do update set token_id = excluded.token_id
        returning device_id)`;

/** The profile, the keys with their day, and what the tokenless path said. */
function fileEvidence(workspace: SQL, { profile, keys, shadow }: Recognition): SQL {
  const parts: SQL[] = [];
  if (profile !== undefined)
    parts.push(
      sql`filed as (
        insert into device_profiles (workspace_id, device_id, profile)
        select ${workspace}, device_id, ${JSON.stringify(profile)}::jsonb from device
        on conflict (workspace_id, device_id) do update set profile = excluded.profile)`,
      sql`keyed as (
        insert into device_keys as k (workspace_id, device_id, key, seen)
        select ${workspace}, device_id, new_key, (clock_timestamp() at time zone 'UTC')::date
        from device, unnest(${`{${keys.join()}}`}::bigint[]) as new_key
        on conflict (workspace_id, device_id, key) do update set seen = excluded.seen where k.seen < excluded.seen)`,
      sql`trimmed as (
        delete from device_keys k using device where k.workspace_id = ${workspace} and k.device_id = device.device_id
          and k.seen < (clock_timestamp() at time zone 'UTC')::date - ${KEYS_KEPT_DAYS}::int and k.key <> all (${`{${keys.join()}}`}::bigint[]))`,
    );
  if (shadow !== undefined)
    parts.push(sql`shadowed as (
      insert into device_shadows as s (workspace_id, day, shard, agreed, missed, wrong)
      select ${workspace}, (clock_timestamp() at time zone 'UTC')::date, floor(random() * ${SHADOW_SHARDS})::smallint,
        ${Number(shadow === "agreed")}, ${Number(shadow === "missed")}, ${Number(shadow === "wrong")} from device
      on conflict (workspace_id, day, shard) do update
      set agreed = s.agreed + excluded.agreed, missed = s.missed + excluded.missed, wrong = s.wrong + excluded.wrong)`);
  return parts.length === 0 ? sql`` : sql`, ${sql.join(parts, sql`, `)}`;
}

/**
 * Uses the challenge up, finds or makes the device of the token and appends one event to it: nothing of it happens for
 * a challenge that was used before. Parallel visits with one token queue on the token's row: one device, distinct
 * counts, strictly increasing times.
 */
function deviceParts(visit: NewVisit): SQL {
  const workspace = sql`${idToUuid(visit.workspaceId)}::uuid`;
  const { challenge, recognition } = visit;
  return sql`used as (
      insert into challenge_uses (workspace_id, nonce, body_hash, event_id, expires_at)
      values (${workspace}, ${challenge.nonce}::uuid, ${Buffer.from(challenge.bodyHash)}, ${idToUuid(challenge.eventId)}::uuid,
        clock_timestamp() + interval '10 minutes')
      on conflict do nothing returning 1
    ), ${chooseDevice(workspace, recognition)}, ${bindToken(workspace, recognition.tokenId)}, device as (
      insert into devices as d (workspace_id, device_id, first_seen_at, last_recorded_at, access_count, browser_family, os_family)
      select ${workspace}, bound.device_id, at.now, at.now, 1, ${visit.browserFamily}, ${visit.osFamily}
      from bound, (select clock_timestamp() as now) at
      on conflict (workspace_id, device_id) do update
      set previous_recorded_at = d.last_recorded_at,
          last_recorded_at = greatest(clock_timestamp(), d.last_recorded_at + interval '1 microsecond'),
          access_count = d.access_count + 1
      returning device_id, first_seen_at, last_recorded_at, previous_recorded_at, access_count
    )${fileEvidence(workspace, recognition)}`;
}

/**
 * Appends a visit to its device without storing it: `storeEvent` does, in the same transaction.
 *
 * @returns the device; nothing when the challenge was used before
 */
export async function recordDeviceVisit(db: Db, visit: NewVisit): Promise<string | undefined> {
  const [row] = await db.execute<{ device_id: string }>(sql`
    with ${deviceParts(visit)} select device_id from device`);
  return row && uuidToId("device", row.device_id);
}

/** Stores the newest event of a device that this transaction has appended: see `recordEvent` for `store`. */
export async function storeEvent(
  db: Db,
  { workspaceId, deviceId, place, store }: { workspaceId: string; deviceId: string; place: Place; store: SQL },
): Promise<void> {
  await db.execute(sql`
    with event as (
      select device_id, first_seen_at, last_recorded_at, previous_recorded_at, access_count from devices
      where workspace_id = ${idToUuid(workspaceId)}::uuid and device_id = ${idToUuid(deviceId)}::uuid
    ), ${eventParts(workspaceId, place)}, stored as (${store}) select 1`);
}

/**
 * Appends a visit to its device and stores it, in one statement. `store` inserts it from `event` and `activity`.
 *
 * The statement reads the device's past as it was when the statement began. When another visit of the device came in
 * between, that past is not whole: the event then has no position, which its table refuses.
 *
 * @returns whether the challenge was unused; nothing is changed otherwise, nor when the past was not whole
 */
export async function recordEvent(
  db: Db,
  visit: NewVisit,
  place: Place,
  store: SQL,
): Promise<"recorded" | "used" | "overtaken"> {
  const workspace = sql`${idToUuid(visit.workspaceId)}::uuid`;
  try {
    const rows = await db.execute(sql`
      with ${deviceParts(visit)}, event as (
        select device_id, first_seen_at, last_recorded_at, previous_recorded_at,
          case when access_count = 1 + coalesce((select d.access_count from devices d
              where d.workspace_id = ${workspace} and d.device_id = device.device_id), 0) then access_count end as access_count
        from device
      ), ${eventParts(visit.workspaceId, place)}, stored as (${store}) select 1 from event`);
    return rows.length > 0 ? "recorded" : "used";
  } catch (error) {
    if (emptyColumn(error) === "access_count") return "overtaken";
    throw error;
  }
}

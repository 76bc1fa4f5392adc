import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { eventIdFloor } from "@/db/partitions";
import type { Activity } from "@/lib/contract/report";
import { idToUuid, uuidToId } from "@/lib/ids";
import type { Recognition } from "./recognition";

/** As long as parallel first visits may take to see each other's rows. */
const CLAIM_SECONDS = 120;
const SHADOW_SHARDS = 16;
/** A device that returns loses the keys of screens and networks that it has not shown for so long. */
const KEYS_KEPT_DAYS = 90;

/** Position of one event among the events of its device. */
export type DeviceVisit = {
  deviceId: string;
  /** Text of the database's timestamp, to the microsecond. */
  recordedAt: string;
  firstSeenAt: Date;
  previousSeenAt: Date | undefined;
  accessCount: number;
};

type NewVisit = {
  workspaceId: string;
  challenge: { nonce: string; bodyHash: Uint8Array; eventId: string };
  recognition: Recognition;
  browserFamily: string;
  osFamily: string;
};

type Row = {
  device_id: string;
  recorded_at: string;
  first_ms: string;
  previous_ms: string | null;
  access_count: number;
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
 * Uses the challenge up, finds or makes the device of the token and appends one event to it, in one statement.
 * Parallel visits with one token queue on the token's row: one device, distinct counts, strictly increasing times.
 *
 * @returns `undefined` when the challenge was used before; nothing is changed then
 */
export async function recordDeviceVisit(db: Db, visit: NewVisit): Promise<DeviceVisit | undefined> {
  const workspace = sql`${idToUuid(visit.workspaceId)}::uuid`;
  const { recognition } = visit;
  const [row] = await db.execute<Row>(sql`
    with used as (
      insert into challenge_uses (workspace_id, nonce, body_hash, event_id, expires_at)
      values (${workspace}, ${visit.challenge.nonce}::uuid, ${Buffer.from(visit.challenge.bodyHash)}, ${idToUuid(visit.challenge.eventId)}::uuid,
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
    )${fileEvidence(workspace, recognition)}
    select device_id, last_recorded_at::text as recorded_at, access_count,
      floor(extract(epoch from first_seen_at) * 1000)::text as first_ms,
      floor(extract(epoch from previous_recorded_at) * 1000)::text as previous_ms
    from device`);
  if (!row) return undefined;
  return {
    deviceId: uuidToId("device", row.device_id),
    recordedAt: row.recorded_at,
    firstSeenAt: new Date(Number(row.first_ms)),
    previousSeenAt: row.previous_ms === null ? undefined : new Date(Number(row.previous_ms)),
    accessCount: row.access_count,
  };
}

const MINUTE_MS = 60_000;
const WINDOWS = { "5m": 5, "1h": 60, "24h": 24 * 60 } as const;
/** How far process and database clocks may differ: event ids carry the process clock. */
const CLOCK_SKEW_MINUTES = 5;

type Place = { address: string | undefined; countryCode: string | undefined };
type ActivityRow = Record<`${"events" | "ips" | "countries"}_${"5m" | "1h" | "24h"}`, number | null>;

/**
 * Notes where the device's newest event came from and counts its windows, that event included. The event itself is
 * not inserted yet. Events are counted by the difference of two positions, so a busy device costs what a quiet one costs.
 */
export async function countActivity(db: Db, workspaceId: string, visit: DeviceVisit, place: Place): Promise<Activity> {
  const workspace = sql`${idToUuid(workspaceId)}::uuid`;
  const device = sql`${idToUuid(visit.deviceId)}::uuid`;
  const at = sql`${visit.recordedAt}::timestamptz`;
  const country = place.countryCode ?? "";
  const recordedMs = Date.parse(visit.recordedAt);
  const noted =
    place.address === undefined
      ? sql`noted as (select 1)`
      : sql`noted as (
          insert into device_addresses as a (workspace_id, device_id, address, country_code, first_seen_at, last_seen_at)
          values (${workspace}, ${device}, ${place.address}::inet, ${country}, ${at}, ${at})
          on conflict (workspace_id, device_id, address, country_code) do update set last_seen_at = excluded.last_seen_at
          returning 1)`;
  const window = (minutes: number) => sql`${at} - make_interval(mins => ${minutes})`;
  const firstPosition = (minutes: number) => sql`(
    select v.access_count from visits v
    where v.workspace_id = ${workspace} and v.device_id = ${device} and v.recorded_at > ${window(minutes)}
      and v.event_id >= ${eventIdFloor(new Date(recordedMs - (minutes + CLOCK_SKEW_MINUTES) * MINUTE_MS))}::uuid
      and v.event_id < ${eventIdFloor(new Date(recordedMs + CLOCK_SKEW_MINUTES * MINUTE_MS))}::uuid
    order by v.recorded_at limit 1)`;
  const others = (column: "address" | "country_code", minutes: number) => {
    const current = column === "address" ? sql`${place.address ?? null}::inet` : sql`${country}`;
    const name = sql.raw(column);
    const isKnown = column === "address" ? sql`true` : sql`country_code <> ''`;
    return sql`count(distinct ${name}) filter (where last_seen_at > ${window(minutes)} and ${name} is distinct from ${current} and ${isKnown})::int`;
  };
  const [row] = await db.execute<ActivityRow>(sql`
    with ${noted}
    select ${firstPosition(WINDOWS["5m"])} as events_5m, ${firstPosition(WINDOWS["1h"])} as events_1h, ${firstPosition(WINDOWS["24h"])} as events_24h,
      ${others("address", WINDOWS["5m"])} as ips_5m, ${others("address", WINDOWS["1h"])} as ips_1h, ${others("address", WINDOWS["24h"])} as ips_24h,
      ${others("country_code", WINDOWS["5m"])} as countries_5m, ${others("country_code", WINDOWS["1h"])} as countries_1h, ${others("country_code", WINDOWS["24h"])} as countries_24h
    from device_addresses
    where workspace_id = ${workspace} and device_id = ${device} and last_seen_at > ${window(WINDOWS["24h"])}`);
  const own = { ips: place.address === undefined ? 0 : 1, countries: country === "" ? 0 : 1 };
  const count = (name: "5m" | "1h" | "24h") => ({
    events: visit.accessCount - (row?.[`events_${name}`] ?? visit.accessCount) + 1,
    distinct_ips: (row?.[`ips_${name}`] ?? 0) + own.ips,
    distinct_countries: (row?.[`countries_${name}`] ?? 0) + own.countries,
  });
  return { "5m": count("5m"), "1h": count("1h"), "24h": count("24h") };
}

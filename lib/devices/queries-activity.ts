import { type SQL, sql } from "drizzle-orm";

import { eventIdFloor } from "@/db/partitions";
import { idToUuid } from "@/lib/ids";

const MINUTE_MS = 60_000;
const WINDOWS = { "5m": 5, "1h": 60, "24h": 24 * 60 } as const;
/** How far two processes' clocks and the database's may differ together: event ids carry the process clock. */
const CLOCK_SKEW_MINUTES = 10;

/** Where and when an event came from, by the process clock. */
export type Place = { address: string | undefined; countryCode: string | undefined; now: Date };

type Window = keyof typeof WINDOWS;

const since = (window: Window) => sql`event.last_recorded_at - make_interval(mins => ${WINDOWS[window]}::int)`;

/** Events are counted by the difference of two positions, so a busy device costs what a quiet one costs. */
function countEvents(workspace: SQL, window: Window, now: Date): SQL {
  const [from, to] = [-WINDOWS[window] - CLOCK_SKEW_MINUTES, CLOCK_SKEW_MINUTES].map((minutes) =>
    eventIdFloor(new Date(now.getTime() + minutes * MINUTE_MS)),
  );
  return sql`event.access_count + 1 - coalesce((
    select v.access_count from visits v
    where v.workspace_id = ${workspace} and v.device_id = event.device_id and v.recorded_at > ${since(window)}
      and v.event_id >= ${from}::uuid and v.event_id < ${to}::uuid
    order by v.recorded_at limit 1), event.access_count)`;
}

const countAddresses = (window: Window, { address }: Place): SQL => sql`${Number(address !== undefined)}::int
  + count(distinct a.address) filter (
    where a.last_seen_at > ${since(window)} and a.address is distinct from ${address ?? null}::inet)::int`;

const countCountries = (window: Window, { countryCode = "" }: Place): SQL => sql`${Number(countryCode !== "")}::int
  + count(distinct a.country_code) filter (
    where a.last_seen_at > ${since(window)} and a.country_code <> ${countryCode}::text and a.country_code <> '')::int`;

/**
 * Parts of a statement that has an `event`, the newest of its device: note where it came from, and count its windows
 * as `activity`, that event included. The event itself is not stored yet.
 */
export function eventParts(workspaceId: string, place: Place): SQL {
  const workspace = sql`${idToUuid(workspaceId)}::uuid`;
  const { address, countryCode = "", now } = place;
  const noted = sql`noted as (
    insert into device_addresses as a (workspace_id, device_id, address, country_code, first_seen_at, last_seen_at)
    select ${workspace}, device_id, ${address ?? null}::inet, ${countryCode}::text, last_recorded_at, last_recorded_at from event
    where ${address ?? null}::inet is not null
    on conflict (workspace_id, device_id, address, country_code) do update set last_seen_at = excluded.last_seen_at)`;
  const windows = (Object.keys(WINDOWS) as Window[]).map(
    (window) => sql`${countEvents(workspace, window, now)} as ${sql.raw(`events_${window}`)},
      seen.${sql.raw(`ips_${window}`)}, seen.${sql.raw(`countries_${window}`)}`,
  );
  const places = (Object.keys(WINDOWS) as Window[]).map(
    (window) => sql`${countAddresses(window, place)} as ${sql.raw(`ips_${window}`)},
      ${countCountries(window, place)} as ${sql.raw(`countries_${window}`)}`,
  );
  return sql`${noted}, activity as (
    select ${sql.join(windows, sql`, `)} from event, lateral (
      select ${sql.join(places, sql`, `)} from device_addresses a
      where a.workspace_id = ${workspace} and a.device_id = event.device_id and a.last_seen_at > ${since("24h")}) seen)`;
}

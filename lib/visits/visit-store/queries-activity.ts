import { type SQL, sql } from "drizzle-orm";

import { eventIdFloor } from "@/db/partitions";
import type { Values } from "@/db/prepared";

const MINUTE_MS = 60_000;
const WINDOWS = { "5m": 5, "1h": 60, "24h": 24 * 60 } as const;
/** How far two processes' clocks and the database's may differ together: event ids carry the process clock. */
const CLOCK_SKEW_MINUTES = 10;

/** Where and when an event came from, by the process clock. */
export type Place = { address: string | undefined; countryCode: string | undefined; now: Date };

type Window = keyof typeof WINDOWS;

const { placeholder } = sql;

/** The workspace of a statement that records an event. */
export const WORKSPACE = sql`${placeholder("workspace")}::uuid`;
const ADDRESS = sql`${placeholder("address")}::inet`;
const COUNTRY = sql`${placeholder("country")}::text`;

const since = (window: Window) => sql`event.last_recorded_at - make_interval(mins => ${WINDOWS[window]}::int)`;

const floorName = (window: Window) => `floor_${window}`;

/**
 * Events are counted by the difference of two positions, so a busy device costs what a quiet one costs. Its visits are
 * looked up only where the one before falls into the window.
 */
const countEvents = (window: Window): SQL => sql`case when event.previous_recorded_at > ${since(window)}
  then event.access_count + 1 - coalesce((
    select v.access_count from visits v
    where v.workspace_id = ${WORKSPACE} and v.device_id = event.device_id and v.recorded_at > ${since(window)}
      and v.event_id >= ${placeholder(floorName(window))}::uuid and v.event_id < ${placeholder("ceiling")}::uuid
    order by v.recorded_at limit 1), event.access_count)
  else 1 end`;

const countAddresses = (window: Window): SQL => sql`(${ADDRESS} is not null)::int
  + count(distinct a.address) filter (
    where a.last_seen_at > ${since(window)} and a.address is distinct from ${ADDRESS})::int`;

const countCountries = (window: Window): SQL => sql`(${COUNTRY} <> '')::int
  + count(distinct a.country_code) filter (
    where a.last_seen_at > ${since(window)} and a.country_code <> ${COUNTRY} and a.country_code <> '')::int`;

const windows = Object.keys(WINDOWS) as Window[];

const NOTED = sql`noted as (
    insert into device_addresses as a (workspace_id, device_id, address, country_code, first_seen_at, last_seen_at)
    select ${WORKSPACE}, device_id, ${ADDRESS}, ${COUNTRY}, last_recorded_at, last_recorded_at from event
    where ${ADDRESS} is not null
    on conflict (workspace_id, device_id, address, country_code) do update set last_seen_at = excluded.last_seen_at
  )`;

/**
 * Parts of a statement that has an `event`, the newest of its device: note where it came from, and count its windows
 * as `activity`, that event included. The event itself is not stored yet. Its values: `placeValues`, and the workspace.
 */
export const EVENT_PARTS = sql`${NOTED}, activity as (
    select ${sql.join(
      windows.map(
        (window) => sql`${countEvents(window)} as ${sql.raw(`events_${window}`)},
          seen.${sql.raw(`ips_${window}`)}, seen.${sql.raw(`countries_${window}`)}`,
      ),
      sql`, `,
    )} from event, lateral (
      select ${sql.join(
        windows.map(
          (window) => sql`${countAddresses(window)} as ${sql.raw(`ips_${window}`)},
            ${countCountries(window)} as ${sql.raw(`countries_${window}`)}`,
        ),
        sql`, `,
      )} from device_addresses a
      where a.workspace_id = ${WORKSPACE} and a.device_id = event.device_id and a.last_seen_at > ${since("24h")}) seen)`;

/** `EVENT_PARTS` of the first event of a device. */
export const FIRST_EVENT_PARTS = sql`${NOTED}, activity as (
    select ${sql.join(
      windows.map(
        (
          window,
        ) => sql`1 as ${sql.raw(`events_${window}`)}, (${ADDRESS} is not null)::int as ${sql.raw(`ips_${window}`)},
          (${COUNTRY} <> '')::int as ${sql.raw(`countries_${window}`)}`,
      ),
      sql`, `,
    )})`;

/** Between which event ids the windows before an instant lie. */
function windowBounds(at: number): Values {
  const eventFloor = (minutes: number) => eventIdFloor(new Date(at + minutes * MINUTE_MS));
  const floors = windows.map((window): [string, string] => [
    floorName(window),
    eventFloor(-WINDOWS[window] - CLOCK_SKEW_MINUTES),
  ]);
  return { ...Object.fromEntries(floors), ceiling: eventFloor(CLOCK_SKEW_MINUTES) };
}

/** Made once a second: a second is little beside the room that is left for clocks. */
let bounds: { second: number; values: Values } = { second: -1, values: {} };

/** The values of `EVENT_PARTS` and `FIRST_EVENT_PARTS`. */
export function placeValues({ address, countryCode = "", now }: Place): readonly Values[] {
  const second = Math.floor(now.getTime() / 1000);
  if (bounds.second !== second) bounds = { second, values: windowBounds(second * 1000) };
  return [{ address: address ?? null, country: countryCode }, bounds.values];
}

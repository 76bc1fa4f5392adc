import { type SQL, sql } from "drizzle-orm";

import { WORKSPACE } from "./queries-parts";
import { floorName, type Window, WINDOWS } from "./visit-values";

/** The activity of a device as of an event, as part of the statement that stores the event. */

const { placeholder } = sql;

/** Country of the event's address, by which addresses are told apart; empty if unknown. */
export const COUNTRY = sql`coalesce(event.country, '')`;

const windows = Object.keys(WINDOWS) as Window[];
const since = (window: Window) => sql`event.last_recorded_at - make_interval(mins => ${WINDOWS[window]}::int)`;
const column = (kind: "events" | "ips" | "countries", window: Window) => sql.raw(`${kind}_${window}`);
const forEachWindow = (columns: (window: Window) => SQL): SQL => sql.join(windows.map(columns), sql`, `);

/**
 * Counts events as the difference of two positions, so that a busy device costs no more than a quiet one. Visits are
 * looked up only if the previous one is within the window. They are compared and ordered by device and time, so that
 * they are read from the device index whatever the planner's statistics say. With an equality condition on the device
 * it might prefer the index of times and read all visits of the window.
 */
const countEvents = (window: Window): SQL => sql`case when event.previous_recorded_at > ${since(window)}
  then event.position + 1 - coalesce((
    select v.access_count from visits v
    where v.workspace_id = ${WORKSPACE} and v.device_id <= event.device_id
      and (v.device_id, v.recorded_at) > (event.device_id, ${since(window)})
      and v.event_id >= ${placeholder(floorName(window))}::uuid and v.event_id < ${placeholder("ceiling")}::uuid
    order by v.device_id, v.recorded_at limit 1), event.position)
  else 1 end`;

const countAddresses = (window: Window): SQL => sql`(event.address is not null)::int
  + count(distinct a.address) filter (
    where a.last_seen_at > ${since(window)} and a.address is distinct from event.address)::int`;

const countCountries = (window: Window): SQL => sql`(${COUNTRY} <> '')::int
  + count(distinct a.country_code) filter (
    where a.last_seen_at > ${since(window)} and a.country_code <> ${COUNTRY} and a.country_code <> '')::int`;

/** Activity windows of an event's device, including the event, which is not stored yet. */
export const ACTIVITY = sql`
    select ${forEachWindow(
      (window) => sql`${countEvents(window)} as ${column("events", window)},
        seen.${column("ips", window)}, seen.${column("countries", window)}`,
    )} from (
      select ${forEachWindow(
        (window) => sql`${countAddresses(window)} as ${column("ips", window)},
          ${countCountries(window)} as ${column("countries", window)}`,
      )} from device_addresses a
      where a.workspace_id = ${WORKSPACE} and a.device_id = event.device_id and a.last_seen_at > ${since("24h")}) seen`;

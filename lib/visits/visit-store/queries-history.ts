import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { uuidToId } from "@/lib/contract/ids";
import { CLOCK_SKEW_MS, milliseconds, uuid } from "./queries-parts";

const CLOCK_SKEW_SECONDS = CLOCK_SKEW_MS / 1_000;
const DAY_SECONDS = 86_400;

/** Finds the device and Web App of an imprint, and the current UTC day by the database clock. */
export async function findDeviceOfVisit(
  db: Db,
  workspaceId: string,
  imprint: string,
): Promise<{ deviceUuid: string; webAppId: string; today: string } | undefined> {
  const [row] = await db.execute<{ device_id: string; web_app_id: string; today: string }>(sql`
    select device_id, web_app_id, to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD') as today
    from visits where workspace_id = ${uuid(workspaceId)} and event_id = ${uuid(imprint)}`);
  return row && { deviceUuid: row.device_id, webAppId: uuidToId("webApp", row.web_app_id), today: row.today };
}

type Span = { fromSecond: number; days: number; recent: number };

type Counted = {
  /** Index of each day with visits, and their number. */
  days: [number, number][];
  first_ms: string | null;
  last_ms: string | null;
  recent: { ms: number; surface: string }[];
};

/** The smallest UUIDv7 at a time in seconds. Lets the database prune partitions. */
const eventFloor = (seconds: ReturnType<typeof sql>) =>
  sql`(lpad(to_hex(greatest(0, ${seconds}) * 1000), 12, '0') || repeat('0', 20))::uuid`;

/**
 * Counts visits of a device by day, with the first and last of the range and the newest ones, in one snapshot.
 *
 * Each visit stores its position among the visits of its device, so a day's count is the difference between its last
 * and first position: two index lookups per day, however many visits there are. Device and time are compared as one
 * row, which only the device index supports. Otherwise the planner would choose another index if one device made most
 * of the visits.
 */
export function historyStatement(
  workspaceId: string,
  deviceUuid: string,
  { fromSecond, days, recent }: Span,
): SQL<Counted> {
  const device = sql`${deviceUuid}::uuid`;
  const from = sql`${fromSecond}::bigint`;
  const to = sql`(${fromSecond}::bigint + ${days}::bigint * ${DAY_SECONDS})`;
  const within = (
    start: ReturnType<typeof sql>,
    end: ReturnType<typeof sql>,
  ) => sql`v.workspace_id = ${uuid(workspaceId)}
    and (v.device_id, v.recorded_at) >= (${device}, to_timestamp(${start}))
    and (v.device_id, v.recorded_at) < (${device}, to_timestamp(${end}))
    and v.event_id >= ${eventFloor(sql`${start} - ${CLOCK_SKEW_SECONDS}`)}
    and v.event_id < ${eventFloor(sql`${end} + ${CLOCK_SKEW_SECONDS}`)}`;
  const ofDay = within(sql`d.starts`, sql`(d.starts + ${DAY_SECONDS})`);
  return sql`
    with days as (
      select i, ${from} + i * ${DAY_SECONDS}::bigint as starts from generate_series(0, ${days}::int - 1) i
    ), counted as (
      select d.i, last.access_count - first.access_count + 1 as events,
        first.recorded_at as first_at, last.recorded_at as last_at
      from days d
      join lateral (
        select v.recorded_at, v.access_count from visits v where ${ofDay} order by v.device_id, v.recorded_at limit 1) first on true
      join lateral (
        select v.recorded_at, v.access_count from visits v where ${ofDay} order by v.device_id desc, v.recorded_at desc limit 1) last on true
    )
    select coalesce(json_agg(json_build_array(i, events) order by i), '[]') as days,
      ${milliseconds(sql`min(first_at)`)} as first_ms,
      ${milliseconds(sql`max(last_at)`)} as last_ms,
      (select coalesce(json_agg(json_build_object('ms', floor(extract(epoch from r.recorded_at) * 1000)::bigint, 'surface', r.surface)
          order by r.recorded_at desc, r.event_id desc), '[]')
        from (select v.recorded_at, v.event_id, v.surface from visits v where ${within(from, to)}
          order by v.device_id desc, v.recorded_at desc, v.event_id desc limit ${recent}) r) as recent
    from counted`;
}

/** Runs `historyStatement`. */
export async function countHistory(db: Db, workspaceId: string, deviceUuid: string, span: Span): Promise<Counted> {
  const [row] = await db.execute<Counted>(historyStatement(workspaceId, deviceUuid, span));
  if (!row) throw new Error("an aggregate query returned no row");
  return row;
}

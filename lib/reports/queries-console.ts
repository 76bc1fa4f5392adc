import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { eventIdFloor } from "@/db/partitions";
import type { Reason, ReportStatus } from "@/lib/contract/report";
import { idToUuid, uuidToId } from "@/lib/ids";
import type { IdentityRecord } from "@/lib/devices";
import type { Evidence } from "@/lib/risk";
import { parseSearch, type Position, type ReportFilter } from "./domain/report-filter";

/** How far process and database clocks may differ: event ids carry the process clock. */
const CLOCK_SKEW_MS = 5 * 60_000;

const workspaceOf = (workspaceId: string) => sql`${idToUuid(workspaceId)}::uuid`;

function conditions(filter: ReportFilter): SQL {
  const { workspaceId, from, to, status, search, webAppId } = filter;
  const range = search === undefined ? undefined : parseSearch(search);
  const parts = [
    sql`v.workspace_id = ${workspaceOf(workspaceId)}`,
    sql`v.recorded_at >= ${from.toISOString()}::timestamptz and v.recorded_at < ${to.toISOString()}::timestamptz`,
    sql`v.event_id >= ${eventIdFloor(new Date(from.getTime() - CLOCK_SKEW_MS))}::uuid`,
    sql`v.event_id < ${eventIdFloor(new Date(to.getTime() + CLOCK_SKEW_MS))}::uuid`,
  ];
  if (status !== undefined) parts.push(sql`v.status = ${status}`);
  if (webAppId !== undefined) parts.push(sql`v.web_app_id = ${idToUuid(webAppId)}::uuid`);
  if (range) parts.push(sql`v.${sql.raw(range.column)} between ${range.least}::uuid and ${range.greatest}::uuid`);
  return sql.join(parts, sql` and `);
}

type ListRow = {
  event_id: string;
  device_id: string;
  recorded_at: string;
  recorded_ms: string;
  web_app_id: string;
  web_app_name: string;
  surface: string;
  origin: string;
  status: ReportStatus;
  reasons: Reason[];
  report: string;
  address: string | null;
  country_code: string | null;
};

/** Visits of a page, newest first. With `after` the page lies before that position in the list, else behind `before`. */
export async function listVisits(
  db: Db,
  filter: ReportFilter,
  page: { before: Position | undefined; after: Position | undefined; limit: number },
): Promise<ListRow[]> {
  const at = (position: Position) => sql`(${position.recordedAt}::timestamptz, ${position.eventId}::uuid)`;
  const bound = page.after
    ? sql` and (v.recorded_at, v.event_id) > ${at(page.after)}`
    : page.before
      ? sql` and (v.recorded_at, v.event_id) < ${at(page.before)}`
      : sql``;
  const order = page.after ? sql`v.recorded_at, v.event_id` : sql`v.recorded_at desc, v.event_id desc`;
  const rows = await db.execute<ListRow>(sql`
    select v.event_id, v.device_id, v.recorded_at::text, floor(extract(epoch from v.recorded_at) * 1000)::text as recorded_ms,
      v.web_app_id, a.name as web_app_name, v.surface, v.origin, v.status, to_json(v.reasons) as reasons, v.report,
      host(v.address) as address, v.country_code
    from visits v join web_apps a on a.workspace_id = v.workspace_id and a.web_app_id = v.web_app_id
    where ${conditions(filter)}${bound} order by ${order} limit ${page.limit}`);
  return page.after ? [...rows].reverse() : [...rows];
}

/** Visits by step of `stepSeconds` from the filter's start, and status. Steps without visits are left out. */
export async function countVisits(db: Db, filter: ReportFilter, stepSeconds: number) {
  const rows = await db.execute<{ step: number; status: ReportStatus; count: number }>(sql`
    select floor(extract(epoch from v.recorded_at - ${filter.from.toISOString()}::timestamptz) / ${stepSeconds})::int as step, v.status, count(*)::int as count
    from visits v where ${conditions(filter)} group by 1, 2`);
  return [...rows];
}

type VisitRow = Omit<ListRow, "address" | "country_code" | "reasons" | "status"> & {
  rules_version: string;
  access_count: number;
  evidence: { risk: Evidence[]; identity?: IdentityRecord };
};

/** One visit with its evidence. */
export async function findVisit(db: Db, workspaceId: string, imprint: string): Promise<VisitRow | undefined> {
  const [row] = await db.execute<VisitRow>(sql`
    select v.event_id, v.device_id, v.recorded_at::text, floor(extract(epoch from v.recorded_at) * 1000)::text as recorded_ms,
      v.web_app_id, a.name as web_app_name, v.surface, v.origin, v.report, v.rules_version, v.access_count, v.evidence
    from visits v join web_apps a on a.workspace_id = v.workspace_id and a.web_app_id = v.web_app_id
    where v.workspace_id = ${workspaceOf(workspaceId)} and v.event_id = ${idToUuid(imprint)}::uuid`);
  return row;
}

/** The newest visits of a device since `since`, at most `limit`, oldest first. */
export async function listDeviceVisits(db: Db, workspaceId: string, deviceUuid: string, since: Date, limit: number) {
  const rows = await db.execute<{ event_id: string; recorded_ms: string; status: ReportStatus }>(sql`
    select v.event_id, floor(extract(epoch from v.recorded_at) * 1000)::text as recorded_ms, v.status from visits v
    where v.workspace_id = ${workspaceOf(workspaceId)} and v.device_id = ${deviceUuid}::uuid
      and v.recorded_at >= ${since.toISOString()}::timestamptz
      and v.event_id >= ${eventIdFloor(new Date(since.getTime() - CLOCK_SKEW_MS))}::uuid
    order by v.recorded_at desc limit ${limit}`);
  return [...rows].reverse().map((row) => ({
    imprint: uuidToId("imprint", row.event_id),
    recordedAt: new Date(Number(row.recorded_ms)),
    status: row.status,
  }));
}

/** The first visit recorded after `since`, whether there is any at all, and the first delivery. */
export async function findFirstVisit(db: Db, workspaceId: string, since: Date | undefined) {
  const workspace = workspaceOf(workspaceId);
  const [row] = await db.execute<{
    at_ms: string;
    has_visits: boolean;
    delivered_ms: string | null;
    event_id: string | null;
    recorded_ms: string | null;
    status: ReportStatus | null;
  }>(sql`
    select floor(extract(epoch from clock_timestamp()) * 1000)::text as at_ms,
      exists (select 1 from visits where workspace_id = ${workspace}) as has_visits,
      (select floor(extract(epoch from min(delivered_at)) * 1000)::text from (
        select delivered_at from report_deliveries where workspace_id = ${workspace} order by event_id limit 1) d) as delivered_ms,
      f.event_id, floor(extract(epoch from f.recorded_at) * 1000)::text as recorded_ms, f.status
    from (select 1) one left join lateral (
      select v.event_id, v.recorded_at, v.status from visits v
      where v.workspace_id = ${workspace} and v.recorded_at > ${(since ?? new Date(0)).toISOString()}::timestamptz
      order by v.recorded_at limit 1) f on true`);
  return row;
}

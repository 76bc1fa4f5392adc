import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { eventIdFloor } from "@/db/partitions";
import type { Reason, ReportStatus } from "@/lib/contract/report";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import { firstDeliveryMs } from "@/lib/metering";
import type { AddressRange } from "@/lib/platform/addresses";
import { joinWebApp } from "@/lib/tenancy/web-apps";
import type { IdentityRecord } from "@/lib/visits/devices/domain/recognition";
import {
  choiceOf,
  type OneOrChoice,
  parseSearch,
  type Position,
  type ReportFilter,
} from "@/lib/visits/reports/domain/report-filter";
import type { Evidence } from "@/lib/visits/risk";
import { eventsOfAccount } from "./queries-account-lists";
import { evidenceOf, type StoredEvidence } from "./pack-json";
import { visitById } from "./queries-by-id";
import {
  CLOCK_SKEW_MS,
  eventsBetween,
  listedTimes,
  milliseconds,
  rangesOf,
  textList,
  uuid,
  uuids,
} from "./queries-parts";

/** A filter with its addresses and rules resolved. */
export type PreparedFilter = ReportFilter & {
  range?: AddressRange | undefined;
  /** Devices seen in `range`. Undefined if there are too many to list. */
  devicesInRange?: readonly string[] | undefined;
  /** Visits with a finding of one of the rules. Undefined if there are too many to list. */
  eventsOfRules?: readonly string[] | undefined;
};

function addressConditions({ range, devicesInRange }: PreparedFilter): SQL[] {
  if (range === undefined) return [];
  const within = sql`v.address between ${range.first}::inet and ${range.last}::inet`;
  if (devicesInRange === undefined) return [within];
  return [within, sql`v.device_id = any(${uuids(devicesInRange)})`];
}

/** Conditions of the filters that accept several values. Visits without a value match every exclusion. */
function chosen(filter: PreparedFilter): SQL[] {
  const oneOf = (column: SQL, type: SQL, filtered: OneOrChoice<string | number>): SQL[] => {
    const choice = choiceOf(filtered);
    if (!choice) return [];
    const found = sql`${column} = any(${textList(choice.values)}::${type}[])`;
    return [choice.isExcluded ? sql`not coalesce(${found}, false)` : found];
  };
  const listed = (column: SQL, filtered: OneOrChoice<string>): SQL[] => {
    const choice = choiceOf(filtered);
    if (!choice) return [];
    const found = sql`${column} && ${textList(choice.values)}::text[]`;
    return [choice.isExcluded ? sql`not ${found}` : found];
  };
  const [text, rules] = [sql`text`, choiceOf(filter.rule)];
  const webApps = choiceOf(filter.webAppId);
  return [
    ...oneOf(sql`v.status`, text, filter.status),
    ...listed(sql`v.reasons`, filter.reason),
    // A visit in which a rule fired has a reason, and reasons are indexed.
    ...(rules && !rules.isExcluded ? [sql`v.reasons <> '{}'`] : []),
    ...listed(sql`coalesce(v.rules, '{}')`, filter.rule),
    ...oneOf(sql`v.surface`, text, filter.surface),
    ...oneOf(sql`v.country_code`, text, filter.country),
    ...oneOf(sql`v.connection_type`, text, filter.connection),
    ...oneOf(sql`v.asn`, sql`bigint`, filter.asn),
    ...oneOf(sql`v.browser_name`, text, filter.browser),
    ...oneOf(sql`v.os_name`, text, filter.system),
    ...oneOf(sql`v.web_app_id`, sql`uuid`, webApps && { ...webApps, values: webApps.values.map(idToUuid) }),
  ];
}

/** All conditions of a filter except for its time range. */
function narrowing(filter: PreparedFilter): SQL[] {
  const { workspaceId, search, eventsOfRules } = filter;
  const prefix = search === undefined ? undefined : parseSearch(search);
  const parts = [sql`v.workspace_id = ${uuid(workspaceId)}`, ...addressConditions(filter)];
  parts.push(...chosen(filter));
  if (filter.deviceId !== undefined) parts.push(sql`v.device_id = ${uuid(filter.deviceId)}`);
  if (eventsOfRules) parts.push(sql`v.event_id = any(${`{${eventsOfRules.join()}}`}::uuid[])`);
  if (filter.accountId !== undefined)
    parts.push(sql`v.event_id in (${eventsOfAccount(workspaceId, filter.accountId)})`);
  if (prefix) parts.push(sql`v.${sql.raw(prefix.column)} between ${prefix.least}::uuid and ${prefix.greatest}::uuid`);
  return parts;
}

const all = (parts: readonly SQL[]): SQL => sql.join([...parts], sql` and `);

/** All conditions of a filter. The bounds of the event id let the planner prune partitions. */
function conditions(filter: PreparedFilter): SQL {
  const { from, to } = filter;
  return all([
    ...narrowing(filter),
    sql`v.recorded_at >= ${from.toISOString()}::timestamptz and v.recorded_at < ${to.toISOString()}::timestamptz`,
    eventsBetween(from, to),
  ]);
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
  account: string | null;
};

/**
 * A page of visits, newest first: those directly before `after` in the list, or those following `before`. The page is
 * determined from an index alone, and only its own rows are read.
 */
export async function listVisits(
  db: Db,
  filter: PreparedFilter,
  page: {
    before: Position | undefined;
    after: Position | undefined;
    limit: number;
    /** Ranges that contain all matching visits. */
    within?: readonly { from: Date; to: Date }[] | undefined;
  },
): Promise<ListRow[]> {
  const at = (position: Position) => sql`(${position.recordedAt}::timestamptz, ${position.eventId}::uuid)`;
  const bound = page.after
    ? sql` and (v.recorded_at, v.event_id) > ${at(page.after)}`
    : page.before
      ? sql` and (v.recorded_at, v.event_id) < ${at(page.before)}`
      : sql``;
  const order = page.after ? sql`v.recorded_at, v.event_id` : sql`v.recorded_at desc, v.event_id desc`;
  const workspace = uuid(filter.workspaceId);
  const found = sql`visits v where ${conditions(filter)}${bound}`;
  const source = page.within
    ? sql`${rangesOf(page.within)}, lateral (
        select v.event_id, v.recorded_at from ${found} and v.recorded_at >= s.starts and v.recorded_at < s.ends
        order by ${order} limit ${page.limit}) v`
    : found;
  const rows = await db.execute<ListRow>(sql`
    with page as materialized (select v.event_id from ${source} order by ${order} limit ${page.limit})
    select v.event_id, v.device_id, v.recorded_at::text, ${milliseconds(sql`v.recorded_at`)} as recorded_ms,
      v.web_app_id, a.name as web_app_name, v.surface, v.origin, v.status, to_json(v.reasons) as reasons, v.report,
      host(v.address) as address, v.country_code,
      (select encode(l.account_hash, 'hex') from account_links l
        where l.workspace_id = ${workspace} and l.event_id = v.event_id) as account
    from page p
    ${visitById(workspace, sql`p.event_id`)}
    ${joinWebApp("v")}
    order by ${order}`);
  return page.after ? [...rows].reverse() : [...rows];
}

/**
 * Counts visits by step and status, for filters that slices cannot answer. For narrow filters, the step is computed per
 * visit. For others, each step is an index range, since grouping a million rows by a computed value would sort them
 * all.
 */
export async function countVisits(
  db: Db,
  filter: PreparedFilter,
  starts: readonly Date[],
): Promise<{ step: number; status: ReportStatus; count: number }[]> {
  const { deviceId, accountId, search, devicesInRange, eventsOfRules } = filter;
  const isNarrow = [deviceId, accountId, search, devicesInRange, eventsOfRules].some(
    (narrowing) => narrowing !== undefined,
  );
  const counted = sql`v.status, count(*)::int as count`;
  const rows = await db.execute<{ step: number; status: ReportStatus; count: number }>(
    isNarrow
      ? sql`select width_bucket(v.recorded_at, ${listedTimes(starts)}) - 1 as step, ${counted}
          from visits v where ${conditions(filter)} group by 1, 2`
      : sql`select (s.ordinality - 1)::int as step, c.*
          from unnest(${listedTimes(starts)}, ${listedTimes([...starts.slice(1), filter.to])}) with ordinality s (starts, ends),
            lateral (
              select ${counted} from visits v
              where ${all(narrowing(filter))} and v.recorded_at >= s.starts and v.recorded_at < s.ends group by 1
            ) c`,
  );
  return [...rows];
}

/** Counts visits by reason, most frequent first, from the list index alone. */
export async function countByReason(db: Db, filter: PreparedFilter): Promise<Partial<Record<Reason, number>>> {
  const rows = await db.execute<{ reason: Reason; visits: number }>(sql`
    select reason, count(*)::int as visits from visits v, unnest(v.reasons) reason where ${conditions(filter)}
    group by 1 order by 2 desc, 1`);
  return Object.fromEntries(rows.map(({ reason, visits }) => [reason, visits]));
}

export type CountedField = "country" | "connection" | "browser" | "system";

/** Counts visits by each filterable value, from the list index alone. */
export async function countByField(db: Db, filter: PreparedFilter) {
  const rows = await db.execute<{ field: CountedField; value: string; visits: number }>(sql`
    select case grouping(v.country_code, v.connection_type, v.browser_name, v.os_name)
        when 7 then 'country' when 11 then 'connection' when 13 then 'browser' else 'system' end as field,
      coalesce(v.country_code, v.connection_type, v.browser_name, v.os_name) as value, count(*)::int as visits
    from visits v where ${conditions(filter)}
    group by grouping sets ((v.country_code), (v.connection_type), (v.browser_name), (v.os_name))
    having coalesce(v.country_code, v.connection_type, v.browser_name, v.os_name) is not null
    order by visits desc, value`);
  return [...rows];
}

/** Counts the devices of the visits, and lists those with most visits. Reads every visit, so only for few of them. */
export async function countByDevice(db: Db, filter: PreparedFilter, limit: number) {
  const rows = await db.execute<{ device_id: string; visits: number; devices: number }>(sql`
    select v.device_id, count(*)::int as visits, (count(*) over ())::int as devices
    from visits v where ${conditions(filter)} group by 1 order by 2 desc, max(v.recorded_at) desc limit ${limit}`);
  return {
    devices: rows[0]?.devices ?? 0,
    busiest: rows.map(({ device_id, visits }) => ({ deviceId: uuidToId("device", device_id), visits })),
  };
}

type VisitRow = Omit<ListRow, "account" | "address" | "country_code" | "reasons" | "status"> & {
  rules_version: string;
  agent: string | null;
  access_count: number;
  evidence: { risk: Evidence[]; observed?: Evidence[]; identity?: IdentityRecord };
};

/** The evidence of visits by event id. */
export async function findEvidence(
  db: Db,
  { workspaceId }: Pick<PreparedFilter, "workspaceId">,
  visits: readonly { event_id: string }[],
): Promise<Map<string, Evidence[]>> {
  if (visits.length === 0) return new Map();
  const rows = await db.execute<{ event_id: string } & StoredEvidence>(sql`
    select v.event_id, v.evidence, v.evidence_packed from visits v
    where v.workspace_id = ${uuid(workspaceId)} and v.reasons <> '{}'
      and v.event_id = any(${`{${visits.map(({ event_id: eventId }) => eventId).join()}}`}::uuid[])`);
  return new Map(
    [...rows].map((row) => {
      const { risk } = evidenceOf(row) as { risk?: Evidence[] }; // as the service wrote it
      return [row.event_id, risk ?? []];
    }),
  );
}

/** A visit with its evidence. */
export async function findVisit(db: Db, workspaceId: string, imprint: string): Promise<VisitRow | undefined> {
  const [row] = await db.execute<VisitRow & StoredEvidence>(sql`
    select v.event_id, v.device_id, v.recorded_at::text, ${milliseconds(sql`v.recorded_at`)} as recorded_ms,
      v.web_app_id, a.name as web_app_name, v.surface, v.origin, v.report, v.rules_version, v.agent,
      v.access_count, v.evidence, v.evidence_packed
    from visits v ${joinWebApp("v")}
    where v.workspace_id = ${uuid(workspaceId)} and v.event_id = ${uuid(imprint)}`);
  return row && { ...row, evidence: evidenceOf(row) as VisitRow["evidence"] }; // as the service wrote it
}

/** The newest `limit` visits of a device since `since`, oldest first. */
export async function listDeviceVisits(db: Db, workspaceId: string, deviceUuid: string, since: Date, limit: number) {
  const rows = await db.execute<{ event_id: string; recorded_ms: string; status: ReportStatus }>(sql`
    select v.event_id, ${milliseconds(sql`v.recorded_at`)} as recorded_ms, v.status from visits v
    where v.workspace_id = ${uuid(workspaceId)} and v.device_id = ${deviceUuid}::uuid
      and v.recorded_at >= ${since.toISOString()}::timestamptz
      and v.event_id >= ${eventIdFloor(new Date(since.getTime() - CLOCK_SKEW_MS))}::uuid
    order by v.recorded_at desc limit ${limit}`);
  return [...rows].reverse().map((row) => ({
    imprint: uuidToId("imprint", row.event_id),
    recordedAt: new Date(Number(row.recorded_ms)),
    status: row.status,
  }));
}

/** The first visit recorded after `since`, whether there are any visits, and the first delivery. */
export async function findFirstVisit(db: Db, workspaceId: string, since: Date | undefined) {
  const workspace = uuid(workspaceId);
  const [row] = await db.execute<{
    at_ms: string;
    has_visits: boolean;
    delivered_ms: string | null;
    event_id: string | null;
    recorded_ms: string | null;
    status: ReportStatus | null;
  }>(sql`
    select ${milliseconds(sql`clock_timestamp()`)} as at_ms,
      exists (select 1 from visits where workspace_id = ${workspace}) as has_visits,
      ${firstDeliveryMs(workspace)} as delivered_ms,
      f.event_id, ${milliseconds(sql`f.recorded_at`)} as recorded_ms, f.status
    from (select 1) one left join lateral (
      select v.event_id, v.recorded_at, v.status from visits v
      where v.workspace_id = ${workspace} and v.recorded_at > ${(since ?? new Date(0)).toISOString()}::timestamptz
      order by v.recorded_at limit 1) f on true`);
  return row;
}

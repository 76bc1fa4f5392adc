import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { uuidToId } from "@/lib/contract/ids";
import type { ReportStatus } from "@/lib/contract/report";
import type { AddressRange } from "@/lib/platform/addresses";
import type { EvidenceVisit } from "@/lib/visits/investigation/domain/evidence";
import { joinWebApp } from "@/lib/tenancy/web-apps";
import { evidenceOf, type StoredEvidence } from "./pack-json";
import { hashOf } from "./queries-account-lists";
import { linkById, visitById } from "./queries-by-id";
import { instantOf, milliseconds, rangesOf, uuid, uuids } from "./queries-parts";
import { VERDICTS } from "./queries-slices-parts";

/** The devices of visits, by imprint. Visits that do not exist are omitted. */
export async function findDevicesOfVisits(
  db: Db,
  workspaceId: string,
  imprints: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.execute<{ event_id: string; device_id: string }>(sql`
    select event_id, device_id from visits
    where workspace_id = ${uuid(workspaceId)} and event_id = any(${uuids(imprints)})`);
  return new Map(rows.map((row) => [uuidToId("imprint", row.event_id), uuidToId("device", row.device_id)]));
}

/** Those of the given devices that exist in the workspace. */
export async function findKnownDevices(db: Db, workspaceId: string, deviceIds: readonly string[]) {
  const rows = await db.execute<{ device_id: string }>(sql`
    select device_id from devices where workspace_id = ${uuid(workspaceId)} and device_id = any(${uuids(deviceIds)})`);
  return new Set(rows.map((row) => uuidToId("device", row.device_id)));
}

export type VisitOfWhat =
  | { kind: "visit"; imprint: string }
  | { kind: "device"; deviceId: string }
  | { kind: "account"; accountId: string }
  | { kind: "address"; range: AddressRange }
  /** All visits of a network since a time. `within` has the ranges that contain them, if known. */
  | { kind: "network"; asn: number; since: Date; within?: readonly { from: Date; to: Date }[] | undefined };

/** Maximum number of devices in a range whose visits are searched. */
const MAX_DEVICES = 1_000;

/** The newest visits of a subject as `event_id` and `recorded_at`, read from the subject's own index. */
function selectVisits(workspaceId: string, of: VisitOfWhat, limit: number): SQL {
  const workspace = uuid(workspaceId);
  switch (of.kind) {
    case "visit":
      return sql`select event_id, recorded_at from visits
        where workspace_id = ${workspace} and event_id = ${uuid(of.imprint)}`;
    case "device":
      return sql`select event_id, recorded_at from visits
        where workspace_id = ${workspace} and device_id = ${uuid(of.deviceId)}
        order by recorded_at desc, event_id desc limit ${limit}`;
    case "account":
      return sql`select event_id, recorded_at from account_links
        where workspace_id = ${workspace} and account_hash = ${hashOf(of.accountId)}
        order by recorded_at desc, event_id desc limit ${limit}`;
    case "network":
      return sql`select event_id, recorded_at from ${of.within ? sql`${rangesOf(of.within)} cross join ` : sql``}visits
        where workspace_id = ${workspace} and asn = ${of.asn} and recorded_at >= ${of.since.toISOString()}::timestamptz
          ${of.within ? sql`and recorded_at >= s.starts and recorded_at < s.ends` : sql``}
        order by recorded_at desc, event_id desc limit ${limit}`;
    case "address": {
      const { first, last } = of.range;
      return sql`
        select v.event_id, v.recorded_at
        from (
          select device_id from device_addresses
          where workspace_id = ${workspace} and address between ${first}::inet and ${last}::inet
          group by device_id order by max(last_seen_at) desc limit ${MAX_DEVICES}
        ) d cross join lateral (
          select event_id, recorded_at from visits
          where workspace_id = ${workspace} and device_id = d.device_id
            and address between ${first}::inet and ${last}::inet
          order by recorded_at desc, event_id desc limit ${limit}
        ) v order by v.recorded_at desc, v.event_id desc limit ${limit}`;
    }
  }
}

/** Lists the newest visits of a subject with their times. */
export async function listVisitsOf(
  db: Db,
  workspaceId: string,
  of: VisitOfWhat,
  limit: number,
): Promise<{ imprint: string; recordedAt: Date }[]> {
  const rows = await db.execute<{ event_id: string; recorded_ms: string }>(sql`
    select event_id, ${milliseconds(sql`recorded_at`)} as recorded_ms
    from (${selectVisits(workspaceId, of, limit)}) found`);
  return rows.map((row) => ({
    imprint: uuidToId("imprint", row.event_id),
    recordedAt: instantOf(row.recorded_ms),
  }));
}

export type VisitSums = {
  visits: number;
  passed: number;
  suspicious: number;
  deceptive: number;
  devices: number;
  accounts: number;
  addresses: number;
  first_ms: string | null;
  last_ms: string | null;
};

/** Aggregates the newest `limit` visits of a subject. */
export async function sumVisitsOf(db: Db, workspaceId: string, of: VisitOfWhat, limit: number): Promise<VisitSums> {
  const [row] = await db.execute<VisitSums>(sql`
    with found as materialized (${selectVisits(workspaceId, of, limit)})
    select count(*)::int as visits, (count(*) filter (where v.status = 'PASS'))::int as passed,
      (count(*) filter (where v.status = 'SUSPICIOUS'))::int as suspicious,
      (count(*) filter (where v.status = 'DECEPTIVE'))::int as deceptive,
      count(distinct v.device_id)::int as devices, count(distinct l.account_hash)::int as accounts,
      count(distinct v.address)::int as addresses, ${milliseconds(sql`min(v.recorded_at)`)} as first_ms,
      ${milliseconds(sql`max(v.recorded_at)`)} as last_ms
    from found f
    ${visitById(uuid(workspaceId), sql`f.event_id`)} ${linkById(uuid(workspaceId), sql`f.event_id`)}`);
  if (!row) throw new Error("an aggregate query returned no row");
  return row;
}

export type SharerRow = {
  kind: "device" | "account" | "address";
  value: string;
  passed: number;
  suspicious: number;
  deceptive: number;
};

/**
 * Lists the devices, accounts and addresses of a subject's newest `limit` visits: the `shown` most frequent of each.
 */
export async function listSharersOf(
  db: Db,
  workspaceId: string,
  of: VisitOfWhat,
  { limit, shown }: { limit: number; shown: number },
): Promise<SharerRow[]> {
  const workspace = uuid(workspaceId);
  const most = (kind: SharerRow["kind"], value: SQL) => sql`(
    select ${kind}::text as kind, ${value} as value, ${VERDICTS}
    from seen v where ${value} is not null group by 2 order by count(*) desc, max(v.recorded_at) desc limit ${shown})`;
  const rows = await db.execute<SharerRow>(sql`
    with found as materialized (${selectVisits(workspaceId, of, limit)}), seen as materialized (
      select v.status, v.recorded_at, v.device_id::text as device, host(v.address) as address, encode(l.account_hash, 'hex') as account
      from found f
      ${visitById(workspace, sql`f.event_id`)} ${linkById(workspace, sql`f.event_id`)}
    )
    ${most("device", sql`v.device`)} union all ${most("account", sql`v.account`)} union all ${most("address", sql`v.address`)}`);
  return [...rows];
}

type EvidenceRow = {
  event_id: string;
  device_id: string;
  account: string | null;
  recorded_ms: string;
  web_app_name: string;
  surface: string;
  origin: string;
  status: ReportStatus;
  reasons: string[];
  rules_version: string;
  browser_name: string | null;
  os_name: string | null;
  address: string | null;
  country_code: string | null;
  asn: string | null;
  connection_type: string | null;
  report_sha256: string;
} & StoredEvidence;

const rulesOf = (stored: StoredEvidence): string[] =>
  (evidenceOf(stored) as { risk: { ruleId: string }[] }).risk.map(({ ruleId }) => ruleId); // as the service wrote it

function toEvidence({ evidence, evidence_packed, ...row }: EvidenceRow): EvidenceVisit {
  return {
    imprint: uuidToId("imprint", row.event_id),
    deviceId: uuidToId("device", row.device_id),
    accountId: row.account === null ? undefined : uuidToId("account", row.account),
    recordedAt: instantOf(row.recorded_ms),
    webApp: row.web_app_name,
    surface: row.surface,
    origin: row.origin,
    status: row.status,
    reasons: row.reasons,
    ruleIds: rulesOf({ evidence, evidence_packed }),
    rulesVersion: row.rules_version,
    browser: row.browser_name ?? undefined,
    system: row.os_name ?? undefined,
    address: row.address ?? undefined,
    countryCode: row.country_code ?? undefined,
    asn: row.asn === null ? undefined : Number(row.asn),
    connection: row.connection_type ?? undefined,
    reportSha256: row.report_sha256,
  };
}

/** Reads the evidence of visits, oldest first. The database hashes the Reports, so they are not transferred. */
export async function readEvidence(db: Db, workspaceId: string, imprints: readonly string[]): Promise<EvidenceVisit[]> {
  const rows = await db.execute<EvidenceRow>(sql`
    select v.event_id, v.device_id, encode(l.account_hash, 'hex') as account,
      ${milliseconds(sql`v.recorded_at`)} as recorded_ms, a.name as web_app_name, v.surface, v.origin, v.status,
      to_json(v.reasons) as reasons, v.rules_version, v.browser_name, v.os_name, host(v.address) as address,
      v.country_code, v.asn::text as asn, v.connection_type, v.evidence, v.evidence_packed,
      encode(sha256(convert_to(v.report, 'UTF8')), 'hex') as report_sha256
    from visits v
    ${linkById(uuid(workspaceId), sql`v.event_id`)}
    ${joinWebApp("v")}
    where v.workspace_id = ${uuid(workspaceId)} and v.event_id = any(${uuids(imprints)})
    order by v.recorded_at, v.event_id`);
  return rows.map(toEvidence);
}

/** Lists the accounts of the given devices, each with those of the devices that it was used on. */
export async function listAccountsOfDevices(
  db: Db,
  workspaceId: string,
  deviceIds: readonly string[],
  limit: number,
): Promise<{ accountId: string; deviceIds: string[]; firstSeenAt: Date }[]> {
  const rows = await db.execute<{ account: string; devices: string[]; first_ms: string }>(sql`
    select encode(account_hash, 'hex') as account, json_agg(device_id order by first_recorded_at) as devices,
      ${milliseconds(sql`min(first_recorded_at)`)} as first_ms
    from device_accounts where workspace_id = ${uuid(workspaceId)} and device_id = any(${uuids(deviceIds)})
    group by account_hash order by min(first_recorded_at), account_hash limit ${limit}`);
  return rows.map((row) => ({
    accountId: uuidToId("account", row.account),
    deviceIds: row.devices.map((id) => uuidToId("device", id)),
    firstSeenAt: instantOf(row.first_ms),
  }));
}

import { type SQL, sql } from "drizzle-orm";

import { type Db, emptyColumn } from "@/db/client";
import { statementByShape, type Values } from "@/db/prepared";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import { queueVisit } from "@/lib/tenancy/webhooks";
import { ComposedReport } from "@/lib/visits/reports/domain/whole-report";
import type { Payload } from "@/lib/visits/repeats/domain/payload";
import { ACTIVITY, COUNTRY } from "./queries-activity";
import { EVIDENCE_BESIDE_PACKED, TODAY, WORKSPACE } from "./queries-parts";
import { isUsual } from "./queries-repetition";
import { REPORT_TEXT } from "./queries-report-text";
import {
  boundsAt,
  composedColumn,
  type DeviceVisit,
  deviceRecord,
  idsOf,
  latestFloors,
  type NewVisit,
  payloadRecord,
  RECORD_COLUMNS,
  reportRecord,
  type VisitRecord,
  visitRecord,
} from "./visit-values";

/**
 * The statement that stores visits of a workspace, as CTEs in the order in which they appear in it. The columns of a
 * visit's record are documented in `visit-values.ts`. A statement with several visits costs little more than one with
 * one: most of its cost is its start. No two of them may have the same device or token, which PostgreSQL rejects
 * (21000).
 */

const { placeholder } = sql;

/** A visit's columns. In parts, since merging objects of so many members costs more than their text. */
type Parts = readonly VisitRecord[];
type Visits = readonly [Parts, ...Parts[]];

const jsonOf = (visits: Visits): string =>
  `[${visits.map((parts) => `{${parts.map((part) => JSON.stringify(part).slice(1, -1)).join()}}`).join()}]`;

/** Optional parts of a visit. A statement with one visit contains only the CTEs that it needs. */
type Shape = {
  hasNewToken: boolean;
  hasKnownToken: boolean;
  hasTurnedToken: boolean;
  hasProfile: boolean;
  hasPlace: boolean;
  hasShadow: boolean;
  hasRules: boolean;
  hasMessage: boolean;
};

/** Several visits share one text, since each text is planned by every connection. */
const WHOLE: Shape = {
  hasNewToken: true,
  hasKnownToken: true,
  hasTurnedToken: true,
  hasProfile: true,
  hasPlace: true,
  hasShadow: true,
  hasRules: true,
  hasMessage: true,
};

function shapeOf([parts, another]: Visits): Shape {
  if (another) return WHOLE;
  const valueOf = (name: keyof VisitRecord) => parts.find((part) => part[name] !== undefined)?.[name];
  const [hasToken, isKnown] = [valueOf("token") !== undefined, valueOf("is_token_known") === true];
  const rules = valueOf("rule_ids");
  return {
    hasNewToken: hasToken && !isKnown,
    hasKnownToken: hasToken && isKnown,
    hasTurnedToken: valueOf("is_token_turned") === true,
    hasProfile: valueOf("profile") !== undefined,
    hasPlace: hasToken && valueOf("network") !== undefined,
    hasShadow: [valueOf("agreed"), valueOf("missed"), valueOf("wrong")].includes(1),
    hasRules: Array.isArray(rules) && rules.length > 0,
    hasMessage: valueOf("message_end") !== undefined,
  };
}

const COLUMNS = [
  ...Object.entries(RECORD_COLUMNS),
  ...ComposedReport.keyof().options.map((field) => [composedColumn(field), "text"] as const),
].map(([name, type]) => `${name} ${type}`);

/** Maximum number of visits in a statement, which also tells the planner how few they are. */
export const MAX_VISITS_TOGETHER = 8;

const INPUT = sql`input as (
    select * from json_to_recordset(${placeholder("visits")}::json) as visit(${sql.raw(COLUMNS.join(", "))})
    limit ${MAX_VISITS_TOGETHER}
  )`;

/** Uses up the challenges. All later CTEs have only the visits whose challenge was not used before. */
const USED = sql`used as (
    insert into challenge_uses (workspace_id, nonce, body_hash, event_id, expires_at)
    select ${WORKSPACE}, nonce, body_hash, event, clock_timestamp() + interval '10 minutes' from input
    on conflict do nothing returning event_id
  )`;

/** Device of a visit unless its token is bound concurrently: the linked one if it still exists, else a new one. */
const CHOSEN = sql`chosen as (
    select input.*, coalesce((select d.device_id from devices d
      where d.workspace_id = ${WORKSPACE} and d.device_id = input.linked_device), input.new_device) as chosen_device
    from used join input on input.event = used.event_id
  )`;

/** Updates bound tokens: their generation, and reuse of earlier ones. */
const TURNED = sql`turned as (
    update device_tokens t set
      generation = greatest(t.generation, chosen.generation),
      presented_at = case when chosen.generation > t.generation then clock_timestamp() else t.presented_at end,
      offered_on = case when chosen.is_offered then ${TODAY} else t.offered_on end,
      reused_at = case when chosen.is_reused then clock_timestamp() else t.reused_at end
    from chosen where t.workspace_id = ${WORKSPACE} and t.token_id = chosen.token and chosen.is_token_turned
    returning t.token_id, t.device_id
  )`;

/** Binds new tokens. Concurrent first visits with a token wait for its row. */
const TOKENS = sql`tokens as (
    insert into device_tokens (workspace_id, token_id, device_id)
    select ${WORKSPACE}, token, chosen_device from chosen where token is not null and not is_token_known
    on conflict (workspace_id, token_id) do update set token_id = excluded.token_id
    returning token_id, device_id)`;

const OF_KNOWN_TOKEN = sql`(select t.device_id from device_tokens t where t.workspace_id = ${WORKSPACE}
      and t.token_id = chosen.token and chosen.is_token_known and not chosen.is_token_turned)`;

/** Device of the token. A token stays with its device forever. */
function boundOf({ hasNewToken, hasKnownToken, hasTurnedToken }: Shape): SQL {
  const devices = [
    ...(hasNewToken ? [sql`tokens.device_id`] : []),
    ...(hasTurnedToken ? [sql`turned.device_id`] : []),
    ...(hasKnownToken ? [OF_KNOWN_TOKEN] : []),
    sql`chosen.chosen_device`,
  ];
  return sql`bound as (
    select chosen.*, coalesce(${sql.join(devices, sql`, `)}) as bound_device from chosen
      ${hasNewToken ? sql`left join tokens on tokens.token_id = chosen.token` : sql``}
      ${hasTurnedToken ? sql`left join turned on turned.token_id = chosen.token` : sql``}
  )`;
}

/**
 * Creates the devices or counts another event. Concurrent visits of a device wait for its row, so positions are unique
 * and times increase. In the order of the devices, so that two statements do not wait for each other.
 */
const DEVICE = sql`device as (
    insert into devices as d (workspace_id, device_id, first_seen_at, last_recorded_at, access_count, browser_family, os_family)
    select ${WORKSPACE}, bound_device, at.now, at.now, 1, browser_family, os_family
    from bound cross join (select clock_timestamp() as now) at order by bound_device
    on conflict (workspace_id, device_id) do update
    set previous_recorded_at = d.last_recorded_at,
        last_recorded_at = greatest(clock_timestamp(), d.last_recorded_at + interval '1 microsecond'),
        access_count = d.access_count + 1
    returning device_id, first_seen_at, last_recorded_at, previous_recorded_at, access_count
  )`;

/** The visits with their device and their position there. */
const APPENDED = sql`appended as (
    select bound.*, device.* from bound join device on device.device_id = bound.bound_device
  )`;

/** Stores the profiles by which the devices are recognised without their tokens. */
const PROFILED = sql`profiled as (
    insert into device_profiles (workspace_id, device_id, profile)
    select ${WORKSPACE}, device_id, profile::json from appended where profile is not null
    on conflict (workspace_id, device_id) do update set profile = excluded.profile
  )`;

/** Records tokens in their network once a day. Not even locked if already recorded that day. */
const PLACED = sql`placed as (
    insert into network_tokens as n (workspace_id, network, token_id, device_id, model, first_day, last_day, days, stratum)
    select ${WORKSPACE}, network, token, device_id, model, ${TODAY}, ${TODAY}, 1, stratum from appended
    where network is not null and token is not null and coalesce((select known.last_day < ${TODAY} from network_tokens known
      where known.workspace_id = ${WORKSPACE} and known.network = appended.network and known.token_id = appended.token), true)
    on conflict (workspace_id, network, token_id) do update
    set last_day = excluded.last_day, days = n.days + 1, model = excluded.model, device_id = excluded.device_id
    where n.last_day < excluded.last_day)`;

/** Rows per day over which counts are distributed, so that concurrent visits rarely wait for each other. */
const SHADOW_SHARDS = 16;

/** Counts what the evidence alone would have decided for visits with a valid token. */
const SHADOWED = sql`shadowed as (
    insert into device_shadows as s (workspace_id, day, shard, agreed, missed, wrong)
    select ${WORKSPACE}, ${TODAY}, floor(random() * ${SHADOW_SHARDS})::smallint,
      counted.agreed, counted.missed, counted.wrong
    from (select sum(agreed)::int as agreed, sum(missed)::int as missed, sum(wrong)::int as wrong from appended) counted
    where counted.agreed + counted.missed + counted.wrong > 0
    on conflict (workspace_id, day, shard) do update
    set agreed = s.agreed + excluded.agreed, missed = s.missed + excluded.missed, wrong = s.wrong + excluded.wrong)`;

/** Records the payloads to detect replays. Without those whose durations were seen before. */
const OBSERVED = sql`observed as (
    insert into payload_sightings (workspace_id, event_id, kind, durations, all_durations, token, network, picture)
    select ${WORKSPACE}, event, payload_kind, payload_durations, payload_all_durations, payload_token, payload_network,
      payload_picture
    from appended on conflict (workspace_id, durations) do nothing returning event_id
  )`;

const IS_USUAL = isUsual({
  event: sql`appended.event`,
  kind: sql`appended.payload_kind`,
  picture: sql`appended.payload_picture`,
  run: sql`appended.payload_all_durations`,
});

/**
 * The visits as events of their devices. The statement sees a device as of its start. If another visit of the device
 * came in between, or the visit is a repetition, `access_count` is null, which the table of visits rejects.
 */
const EVENT = sql`event as (
    select appended.*, case
      when observed.event_id is not null and appended.access_count = 1 + coalesce((select d.access_count from devices d
        where d.workspace_id = ${WORKSPACE} and d.device_id = appended.device_id), 0) and ${IS_USUAL}
      then appended.access_count end as position
    from appended left join observed on observed.event_id = appended.event
  )`;

/** The newest event of a device, appended earlier in this transaction. */
const APPENDED_EVENT = sql`event as (
    select input.*, d.device_id, d.first_seen_at, d.last_recorded_at, d.previous_recorded_at, d.access_count,
      d.access_count as position
    from input join devices d on d.workspace_id = ${WORKSPACE} and d.device_id = input.appended_device
  )`;

/** Records the addresses of the events, from which later windows are counted. */
const NOTED = sql`noted as (
    insert into device_addresses as a (workspace_id, device_id, address, country_code, first_seen_at, last_seen_at)
    select ${WORKSPACE}, device_id, address, ${COUNTRY}, last_recorded_at, last_recorded_at from event
    where address is not null
    on conflict (workspace_id, device_id, address, country_code) do update set last_seen_at = excluded.last_seen_at
  )`;

/**
 * Stores the visits with their Reports. How a device was found is corrected to the state at the time of writing: if the
 * device was deleted, it is new. If a new device already has other visits, it was created by a concurrent visit, so
 * neither token nor evidence is recorded.
 */
const STORED = sql`stored as (
    insert into visits (workspace_id, event_id, device_id, web_app_id, recorded_at, access_count, surface, origin, address,
      country_code, asn, connection_type, status, reasons, rules, browser_name, os_name, rules_version, recognition, confidence, agent,
      evidence, evidence_packed, report)
    select ${WORKSPACE}, event.event, event.device_id, event.web_app, event.last_recorded_at, event.position,
      event.surface, event.origin, event.address, event.country, event.asn, event.connection_type, event.status,
      event.reasons, event.rules, event.browser_name, event.os_name, event.rules_version,
      case when event.position = 1 then 'new' else nullif(event.recognition, 'new') end,
      case when event.position > 1 then event.confidence end, event.agent,
      ${EVIDENCE_BESIDE_PACKED}::json, decode(event.evidence_base64, 'base64'), ${REPORT_TEXT}
    from event cross join lateral (${ACTIVITY}) activity)`;

/** In a separate table, partitioned by day so that whole days can be dropped. */
const SIGNALS = sql`signalled as (
    insert into visit_signals (workspace_id, event_id, packed) select ${WORKSPACE}, event, decode(signals_base64, 'base64') from event)`;

/** Fired rules of the visits that have any. */
const RULED = sql`ruled as (
    insert into visit_rules (workspace_id, event_id, rule_id, is_observed)
    select ${WORKSPACE}, event.event, fired.* from event cross join lateral unnest(rule_ids, rules_observed) fired)`;

/** Messages to webhook endpoints subscribed to visits. */
const QUEUED = sql`queued as (${queueVisit(
  {
    workspace: WORKSPACE,
    event: sql`event.event`,
    webApp: sql`event.web_app`,
    status: sql`event.status`,
    device: sql`event.device_id`,
    recordedAt: sql`event.last_recorded_at`,
    messageEnd: sql`event.message_end`,
  },
  sql`(select * from event where message_end is not null) event`,
)})`;

const withParts = (parts: readonly SQL[]): SQL => sql`with ${sql.join([...parts], sql`, `)}`;

/** CTEs that append visits to their devices. */
const deviceParts = (shape: Shape): SQL[] => [
  INPUT,
  USED,
  CHOSEN,
  ...(shape.hasTurnedToken ? [TURNED] : []),
  ...(shape.hasNewToken ? [TOKENS] : []),
  boundOf(shape),
  DEVICE,
  APPENDED,
  ...(shape.hasProfile ? [PROFILED] : []),
  ...(shape.hasPlace ? [PLACED] : []),
  ...(shape.hasShadow ? [SHADOWED] : []),
];

/** CTEs that store the events. */
const eventParts = ({ hasRules, hasMessage }: Shape): SQL[] => [
  NOTED,
  STORED,
  SIGNALS,
  ...(hasRules ? [RULED] : []),
  ...(hasMessage ? [QUEUED] : []),
];

function visitStatement<Row extends Record<string, unknown>>(build: (shape: Shape) => SQL, name: string) {
  const statementOf = statementByShape<Shape, Row>(build, name);
  return (db: Db, workspaceId: string, visits: Visits, ...values: Values[]): PromiseLike<Row[]> =>
    statementOf(shapeOf(visits))(db, { workspace: idToUuid(workspaceId), visits: jsonOf(visits) }, ...values);
}

const storeStatement = visitStatement<{ event: string }>(
  (shape) => sql`${withParts([...deviceParts(shape), OBSERVED, EVENT, ...eventParts(shape)])} select event from event`,
  "store visit",
);

/** A visit to be stored, and the data for appending it to its device. */
export type VisitToStore = { device: DeviceVisit & { payload: Payload }; visit: NewVisit };

const partsOf = ({ device, visit }: VisitToStore): Parts => [
  deviceRecord(device),
  payloadRecord(device.payload),
  visitRecord(visit),
  reportRecord(visit),
];

/**
 * Uses up the challenges of a workspace's visits, appends the visits to their devices and stores them with their
 * Reports, in one statement.
 *
 * @returns for each visit whether it was stored or its challenge was already used; `staleSnapshot` if one of them must be
 *   evaluated again because another visit of its device came in between or it repeats an earlier visit. Nothing is
 *   changed in that case
 */
export async function storeVisits(
  db: Db,
  visits: readonly [VisitToStore, ...VisitToStore[]],
  now: Date,
): Promise<("stored" | "used")[] | "staleSnapshot"> {
  const [first, ...others] = visits;
  const sent: Visits = [partsOf(first), ...others.map(partsOf)];
  try {
    const rows = await storeStatement(db, first.device.workspaceId, sent, boundsAt(now), latestFloors(now));
    const stored = new Set(rows.map(({ event }) => uuidToId("imprint", event)));
    return visits.map(({ visit }) => (stored.has(visit.eventId) ? "stored" : "used"));
  } catch (error) {
    if (emptyColumn(error) === "access_count") return "staleSnapshot";
    throw error;
  }
}

type DeviceRow = { device_id: string };

const deviceOf = ([row]: readonly DeviceRow[]) => row && uuidToId("device", row.device_id);

const appendDevice = visitStatement<DeviceRow>(
  (shape) => sql`${withParts(deviceParts(shape))} select device_id from appended`,
  "append device",
);

/**
 * Appends a visit to its device without storing the visit.
 *
 * @returns id of the device; undefined if the challenge was already used
 */
export const appendDeviceVisit = async (db: Db, visit: DeviceVisit): Promise<string | undefined> =>
  deviceOf(await appendDevice(db, visit.workspaceId, [[deviceRecord(visit)]]));

const appendVisitStatement = visitStatement<DeviceRow>(
  (shape) => sql`${withParts([...deviceParts(shape), OBSERVED])} select device_id from appended`,
  "append visit",
);

/**
 * Uses up the challenge and appends a visit to its device. Must be followed by `storeAppended` in the same transaction.
 */
export const appendVisit = async (tx: Db, visit: DeviceVisit & { payload: Payload }): Promise<string | undefined> => {
  const parts = [deviceRecord(visit), payloadRecord(visit.payload)];
  return deviceOf(await appendVisitStatement(tx, visit.workspaceId, [parts]));
};

const storeAppendedStatement = visitStatement<{ event: string }>(
  (shape) => sql`${withParts([INPUT, APPENDED_EVENT, ...eventParts(shape)])} select event from event`,
  "store appended visit",
);

/** Stores the newest event of a device, which was appended in this transaction. */
export async function storeAppended(tx: Db, deviceId: string, stored: NewVisit, now: Date): Promise<void> {
  const parts = [idsOf(deviceId, stored.eventId), visitRecord(stored), reportRecord(stored)];
  await storeAppendedStatement(tx, stored.workspaceId, [parts], boundsAt(now));
}

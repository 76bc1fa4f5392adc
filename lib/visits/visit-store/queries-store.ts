import { type SQL, sql } from "drizzle-orm";

import { type Db, emptyColumn } from "@/db/client";
import { statementByShape } from "@/db/prepared";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import { queueVisit } from "@/lib/tenancy/webhooks";
import type { Payload } from "@/lib/visits/repeats/domain/payload";
import { ADDRESS, EVENT, EVIDENCE_BESIDE_PACKED, PAYLOAD, TODAY, TOKEN, WORKSPACE } from "./queries-parts";
import { LATEST_OF_KIND, UNUSUAL_PICTURES } from "./queries-repetition";
import { REPORT_TEXT } from "./queries-report-text";
import {
  type DeviceVisit,
  deviceValues,
  floorName,
  type NewVisit,
  payloadValues,
  type Place,
  placeValues,
  visitValues,
  type Window,
  WINDOWS,
} from "./visit-values";

/**
 * The statement that stores a visit, as CTEs in the order in which they appear in it. The placeholders are documented
 * in `visit-values.ts`.
 */

const { placeholder } = sql;

/** Optional parts of a visit. The statement contains only the CTEs that are needed. */
type Shape = {
  isLinked: boolean;
  hasToken: boolean;
  isTokenKnown: boolean;
  isTokenTurned: boolean;
  hasProfile: boolean;
  hasPlace: boolean;
  hasShadow: boolean;
};

const shapeOf = ({ recognition, tokenTurn }: DeviceVisit): Shape => ({
  isLinked: recognition.linkedDeviceId !== undefined,
  hasToken: recognition.tokenId !== undefined,
  isTokenKnown: recognition.isTokenKnown,
  isTokenTurned: recognition.isTokenKnown && tokenTurn !== undefined,
  hasProfile: recognition.profile !== undefined,
  hasPlace: recognition.place !== undefined && recognition.tokenId !== undefined,
  hasShadow: recognition.shadow !== undefined,
});

/** Uses up the challenge. All later CTEs are empty if it was already used. */
const USED = sql`used as (
    insert into challenge_uses (workspace_id, nonce, body_hash, event_id, expires_at)
    values (${WORKSPACE}, ${placeholder("nonce")}::uuid, ${placeholder("bodyHash")}, ${EVENT},
      clock_timestamp() + interval '10 minutes')
    on conflict do nothing returning 1
  )`;

/** Device of the visit unless its token is bound concurrently: the linked one if it still exists, else a new one. */
const chosenOf = (linked: SQL): SQL =>
  sql`chosen as (select coalesce(${linked}, ${placeholder("newDevice")}::uuid) as device_id from used)`;
const CHOSEN_NEW = chosenOf(sql`null`);
const CHOSEN_LINKED = chosenOf(sql`(
    select device_id from devices where workspace_id = ${WORKSPACE} and device_id = ${placeholder("linkedDevice")}::uuid)`);

/** Updates a bound token: its generation, and reuse of earlier ones. */
const TURNED = sql`turned as (
    update device_tokens t set
      generation = greatest(t.generation, ${placeholder("generation")}::int),
      presented_at = case when ${placeholder("generation")}::int > t.generation then clock_timestamp() else t.presented_at end,
      offered_on = case when ${placeholder("isOffered")}::boolean then ${TODAY} else t.offered_on end,
      reused_at = case when ${placeholder("isReused")}::boolean then clock_timestamp() else t.reused_at end
    from chosen where t.workspace_id = ${WORKSPACE} and t.token_id = ${TOKEN}
    returning t.device_id
  )`;

/** Device of the token. A token stays with its device forever. Concurrent first visits wait for its row. */
const BOUND_WITHOUT_TOKEN = sql`bound as (select device_id from chosen)`;
const BOUND_TURNED = sql`bound as (
    select coalesce((select device_id from turned), chosen.device_id) as device_id from chosen)`;
const BOUND_KNOWN = sql`bound as (
    select coalesce(t.device_id, chosen.device_id) as device_id from chosen left join device_tokens t
      on t.workspace_id = ${WORKSPACE} and t.token_id = ${TOKEN})`;
const BOUND_NEW = sql`bound as (
    insert into device_tokens (workspace_id, token_id, device_id)
    select ${WORKSPACE}, ${TOKEN}, device_id from chosen
    on conflict (workspace_id, token_id) do update set token_id = excluded.token_id
    returning device_id)`;

function boundParts({ hasToken, isTokenKnown, isTokenTurned }: Shape): SQL[] {
  if (!hasToken) return [BOUND_WITHOUT_TOKEN];
  if (isTokenTurned) return [TURNED, BOUND_TURNED];
  return [isTokenKnown ? BOUND_KNOWN : BOUND_NEW];
}

/**
 * Creates the device or counts another event. Concurrent visits of a device wait for its row, so positions are unique
 * and times increase.
 */
const DEVICE = sql`device as (
    insert into devices as d (workspace_id, device_id, first_seen_at, last_recorded_at, access_count, browser_family, os_family)
    select ${WORKSPACE}, bound.device_id, at.now, at.now, 1, ${placeholder("browserFamily")}, ${placeholder("osFamily")}
    from bound, (select clock_timestamp() as now) at
    on conflict (workspace_id, device_id) do update
    set previous_recorded_at = d.last_recorded_at,
        last_recorded_at = greatest(clock_timestamp(), d.last_recorded_at + interval '1 microsecond'),
        access_count = d.access_count + 1
    returning device_id, first_seen_at, last_recorded_at, previous_recorded_at, access_count
  )`;

/** Stores the profile by which the device is recognised without its token. */
const PROFILED = sql`profiled as (
    insert into device_profiles (workspace_id, device_id, profile)
    select ${WORKSPACE}, device_id, ${placeholder("profile")}::json from device
    on conflict (workspace_id, device_id) do update set profile = excluded.profile
  )`;

const NETWORK = sql`${placeholder("network")}::bigint`;

/** Records the token in its network once a day. Not even locked if already recorded that day. */
const PLACED = sql`placed as (
    insert into network_tokens as n (workspace_id, network, token_id, device_id, model, first_day, last_day, days, stratum)
    select ${WORKSPACE}, ${NETWORK}, ${TOKEN}, device_id,
      ${placeholder("model")}::bigint, ${TODAY}, ${TODAY}, 1, ${placeholder("stratum")}::text from device
    where not exists (select 1 from network_tokens
      where workspace_id = ${WORKSPACE} and network = ${NETWORK} and token_id = ${TOKEN} and last_day >= ${TODAY})
    on conflict (workspace_id, network, token_id) do update
    set last_day = excluded.last_day, days = n.days + 1, model = excluded.model, device_id = excluded.device_id
    where n.last_day < excluded.last_day)`;

/** Rows per day over which counts are distributed, so that concurrent visits rarely wait for each other. */
const SHADOW_SHARDS = 16;

/** Counts what the evidence alone would have decided for a visit with a valid token. */
const SHADOWED = sql`shadowed as (
    insert into device_shadows as s (workspace_id, day, shard, agreed, missed, wrong)
    select ${WORKSPACE}, ${TODAY}, floor(random() * ${SHADOW_SHARDS})::smallint,
      ${placeholder("agreed")}, ${placeholder("missed")}, ${placeholder("wrong")} from device
    on conflict (workspace_id, day, shard) do update
    set agreed = s.agreed + excluded.agreed, missed = s.missed + excluded.missed, wrong = s.wrong + excluded.wrong)`;

/** Records the payload to detect replays. Empty if the same durations were seen before. */
const OBSERVED = sql`observed as (
    insert into payload_sightings (workspace_id, event_id, kind, durations, all_durations, token, network, picture)
    select ${WORKSPACE}, ${EVENT}, ${PAYLOAD.kind}, ${PAYLOAD.durations}, ${PAYLOAD.allDurations},
      ${PAYLOAD.token}, ${PAYLOAD.network}, ${PAYLOAD.picture}
    from device on conflict (workspace_id, durations) do nothing returning 1
  )`;

/** The latest visits of the kind. Evaluated only as far as `IS_NOT_REPEATED` requires. */
const LATEST = sql`latest as materialized (${LATEST_OF_KIND})`;

/** Whether the visit repeats nothing, as is usual. Most visits have the same picture as an earlier one. */
const IS_NOT_REPEATED = sql`(select count(*) from observed) = 1 and (${PAYLOAD.picture} is null
    or exists (select 1 from latest where picture = ${PAYLOAD.picture}) or not exists (${UNUSUAL_PICTURES}))`;

/**
 * The visit as an event of its device. The statement sees the device as of its start. If another visit of the device
 * came in between, or the visit is a repetition, `access_count` is null, which the table of visits rejects.
 */
const eventOf = (countBefore: SQL): SQL => sql`event as (
    select device_id, first_seen_at, last_recorded_at, previous_recorded_at,
      case when access_count = 1 + ${countBefore} and ${IS_NOT_REPEATED} then access_count end as access_count
    from device
  )`;
const FIRST_EVENT = eventOf(sql`0`);
const NEXT_EVENT = eventOf(sql`coalesce((select d.access_count from devices d
    where d.workspace_id = ${WORKSPACE} and d.device_id = device.device_id), 0)`);

/** The newest event of a device, appended earlier in this transaction. */
const APPENDED_EVENT = sql`event as (
    select device_id, first_seen_at, last_recorded_at, previous_recorded_at, access_count from devices
    where workspace_id = ${WORKSPACE} and device_id = ${placeholder("device")}::uuid
  )`;

const COUNTRY = sql`${placeholder("country")}::text`;

/** Records the address of the event, from which later windows are counted. */
const NOTED = sql`noted as (
    insert into device_addresses as a (workspace_id, device_id, address, country_code, first_seen_at, last_seen_at)
    select ${WORKSPACE}, device_id, ${ADDRESS}, ${COUNTRY}, last_recorded_at, last_recorded_at from event
    where ${ADDRESS} is not null
    on conflict (workspace_id, device_id, address, country_code) do update set last_seen_at = excluded.last_seen_at
  )`;

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
  then event.access_count + 1 - coalesce((
    select v.access_count from visits v
    where v.workspace_id = ${WORKSPACE} and v.device_id <= event.device_id
      and (v.device_id, v.recorded_at) > (event.device_id, ${since(window)})
      and v.event_id >= ${placeholder(floorName(window))}::uuid and v.event_id < ${placeholder("ceiling")}::uuid
    order by v.device_id, v.recorded_at limit 1), event.access_count)
  else 1 end`;

const countAddresses = (window: Window): SQL => sql`(${ADDRESS} is not null)::int
  + count(distinct a.address) filter (
    where a.last_seen_at > ${since(window)} and a.address is distinct from ${ADDRESS})::int`;

const countCountries = (window: Window): SQL => sql`(${COUNTRY} <> '')::int
  + count(distinct a.country_code) filter (
    where a.last_seen_at > ${since(window)} and a.country_code <> ${COUNTRY} and a.country_code <> '')::int`;

/** Activity windows of the device, including this event, which is not stored yet. */
const ACTIVITY = sql`activity as (
    select ${forEachWindow(
      (window) => sql`${countEvents(window)} as ${column("events", window)},
        seen.${column("ips", window)}, seen.${column("countries", window)}`,
    )} from event, lateral (
      select ${forEachWindow(
        (window) => sql`${countAddresses(window)} as ${column("ips", window)},
          ${countCountries(window)} as ${column("countries", window)}`,
      )} from device_addresses a
      where a.workspace_id = ${WORKSPACE} and a.device_id = event.device_id and a.last_seen_at > ${since("24h")}) seen)`;

/** Activity of a device's first event, without any lookups. */
const FIRST_ACTIVITY = sql`activity as (
    select ${forEachWindow(
      (window) => sql`1 as ${column("events", window)}, (${ADDRESS} is not null)::int as ${column("ips", window)},
        (${COUNTRY} <> '')::int as ${column("countries", window)}`,
    )})`;

/**
 * Stores the visit with its Report. How the device was found is corrected to the state at the time of writing: if the
 * device was deleted, it is new. If a new device already has other visits, it was created by a concurrent visit, so
 * neither token nor evidence is recorded.
 */
const STORED = sql`stored as (
    insert into visits (workspace_id, event_id, device_id, web_app_id, recorded_at, access_count, surface, origin, address,
      country_code, asn, connection_type, status, reasons, rules, browser_name, os_name, rules_version, recognition, confidence, agent,
      evidence, evidence_packed, report)
    select ${WORKSPACE}, ${EVENT}, event.device_id, ${placeholder("webApp")}::uuid,
      event.last_recorded_at, event.access_count, ${placeholder("surface")}, ${placeholder("origin")},
      ${ADDRESS}, ${placeholder("visitCountry")}, ${placeholder("asn")}::bigint,
      ${placeholder("connectionType")}, ${placeholder("status")}, ${placeholder("reasons")}::text[], ${placeholder("rules")}::text[],
      ${placeholder("browserName")}, ${placeholder("osName")}, ${placeholder("rulesVersion")},
      case when event.access_count = 1 then 'new' else nullif(${placeholder("recognition")}, 'new') end,
      case when event.access_count > 1 then ${placeholder("confidence")}::real end, ${placeholder("agent")},
      ${EVIDENCE_BESIDE_PACKED}::json, ${placeholder("evidence")}, ${REPORT_TEXT}
    from event, activity)`;

/** In a separate table, partitioned by day so that whole days can be dropped. */
const SIGNALS = sql`signalled as (
    insert into visit_signals (workspace_id, event_id, packed)
    select ${WORKSPACE}, ${EVENT}, ${placeholder("signals")} from event)`;

/** Fired rules, for visits that have any. */
const RULED = sql`ruled as (
    insert into visit_rules (workspace_id, event_id, rule_id, is_observed)
    select ${WORKSPACE}, ${EVENT}, fired.* from event,
      unnest(${placeholder("ruleIds")}::text[], ${placeholder("rulesObserved")}::boolean[]) fired)`;

/** Messages to webhook endpoints subscribed to visits. */
const QUEUED = sql`queued as (${queueVisit(
  {
    workspace: WORKSPACE,
    event: EVENT,
    webApp: sql`${placeholder("webApp")}::uuid`,
    status: sql`${placeholder("status")}::text`,
    device: sql`event.device_id`,
    recordedAt: sql`event.last_recorded_at`,
    messageEnd: sql`${placeholder("messageEnd")}`,
  },
  sql`event`,
)})`;

/** Rows that only some visits have. */
type ExtraRows = { hasMessage: boolean; hasRules: boolean };
const extraRowsOf = ({ messageEnd, rules }: NewVisit): ExtraRows => ({
  hasMessage: messageEnd !== undefined,
  hasRules: rules.length > 0,
});
const extraParts = ({ hasMessage, hasRules }: ExtraRows): SQL[] => [
  ...(hasRules ? [RULED] : []),
  ...(hasMessage ? [QUEUED] : []),
];

const withParts = (parts: readonly SQL[]): SQL => sql`with ${sql.join([...parts], sql`, `)}`;

/** CTEs that append a visit to its device. */
const deviceParts = (shape: Shape): SQL[] => [
  USED,
  shape.isLinked ? CHOSEN_LINKED : CHOSEN_NEW,
  ...boundParts(shape),
  DEVICE,
  ...(shape.hasProfile ? [PROFILED] : []),
  ...(shape.hasPlace ? [PLACED] : []),
  ...(shape.hasShadow ? [SHADOWED] : []),
];

/** CTEs that store the visit, with fewer lookups if it appears to be the first of its device. */
const eventParts = ({ isLinked, isTokenKnown }: Shape): SQL[] =>
  isLinked || isTokenKnown
    ? [NEXT_EVENT, NOTED, ACTIVITY, STORED, SIGNALS]
    : [FIRST_EVENT, NOTED, FIRST_ACTIVITY, STORED, SIGNALS];

const storeStatement = statementByShape<Shape & ExtraRows, { "?column?": number }>(
  (shape) =>
    sql`${withParts([...deviceParts(shape), OBSERVED, LATEST, ...eventParts(shape), ...extraParts(shape)])} select 1 from event`,
  "store visit",
);

/**
 * Uses up the challenge, appends the visit to its device and stores it with its Report, in one statement.
 *
 * @returns `used` if the challenge was already used; `staleSnapshot` if the visit must be evaluated again because
 *   another visit of its device came in between or it repeats an earlier visit. Nothing is changed in these cases
 */
export async function storeInOneStatement(
  db: Db,
  visit: DeviceVisit & { payload: Payload },
  stored: NewVisit,
  place: Place,
): Promise<"stored" | "used" | "staleSnapshot"> {
  const values = [
    deviceValues(visit),
    payloadValues(visit.payload, place.now),
    ...placeValues(place),
    visitValues(stored),
  ];
  try {
    return (await storeStatement({ ...shapeOf(visit), ...extraRowsOf(stored) })(db, ...values)).length > 0
      ? "stored"
      : "used";
  } catch (error) {
    if (emptyColumn(error) === "access_count") return "staleSnapshot";
    throw error;
  }
}

type DeviceRow = { device_id: string };

const deviceOf = ([row]: readonly DeviceRow[]) => row && uuidToId("device", row.device_id);

const appendDevice = statementByShape<Shape, DeviceRow>(
  (shape) => sql`${withParts(deviceParts(shape))} select device_id from device`,
  "append device",
);

/**
 * Appends a visit to its device without storing the visit.
 *
 * @returns id of the device; undefined if the challenge was already used
 */
export const appendDeviceVisit = async (db: Db, visit: DeviceVisit): Promise<string | undefined> =>
  deviceOf(await appendDevice(shapeOf(visit))(db, deviceValues(visit)));

const appendVisitStatement = statementByShape<Shape, DeviceRow>(
  (shape) => sql`${withParts([...deviceParts(shape), OBSERVED, LATEST])} select device_id from device`,
  "append visit",
);

/**
 * Uses up the challenge and appends a visit to its device. Must be followed by `storeAppended` in the same transaction.
 */
export const appendVisit = async (
  tx: Db,
  visit: DeviceVisit & { payload: Payload },
  now: Date,
): Promise<string | undefined> =>
  deviceOf(await appendVisitStatement(shapeOf(visit))(tx, deviceValues(visit), payloadValues(visit.payload, now)));

const storeAppendedStatement = statementByShape<ExtraRows, { "?column?": number }>(
  (extra) => sql`${withParts([APPENDED_EVENT, NOTED, ACTIVITY, STORED, SIGNALS, ...extraParts(extra)])} select 1`,
  "store appended visit",
);

/** Stores the newest event of a device, which was appended in this transaction. */
export async function storeAppended(tx: Db, deviceId: string, stored: NewVisit, place: Place): Promise<void> {
  await storeAppendedStatement(extraRowsOf(stored))(
    tx,
    { device: idToUuid(deviceId) },
    ...placeValues(place),
    visitValues(stored),
  );
}

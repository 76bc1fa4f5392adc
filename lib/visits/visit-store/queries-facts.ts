import { and, eq, type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { statement, type Values } from "@/db/prepared";
import { challengeUses } from "@/db/schema";
import { ENVIRONMENT } from "@/lib/tenancy/web-apps";
import { MAX_OBSERVATIONS, OBSERVATION_KEPT_DAYS } from "@/lib/visits/devices/domain/network-observations";
import { PAYLOAD, TODAY, TOKEN, WORKSPACE } from "./queries-parts";

/** Reads of past data before a visit is evaluated. The placeholders are documented in `visit-values.ts`. */

const { placeholder } = sql;

/** In workspaces of up to this many devices every visit is measured, in larger ones a sample. */
const MEASURED_WHOLE = 1_000;
const MEASURED_SHARE = 0.05;
/** Limit for counting devices directly, until the background task has counted them. */
const COUNTED_AT_MOST = 1_000;

const DAYS_SINCE_1970 = (day: SQL) => sql`${day} - date '1970-01-01'`;

/** The last day on which one of a device's tokens was seen: one entry of an index, however many networks that were. */
const lastDayOf = (token: SQL, device: SQL) => sql`(
  select max(o.last_day) from network_tokens o
  where o.workspace_id = ${WORKSPACE} and o.device_id = ${device} and o.token_id = ${token})`;

/**
 * The last day on which a token in `seen` was seen in any network. A token freed from a device by which a network still
 * knows it belongs to another one since.
 */
const LAST_DAY_ANYWHERE = sql`greatest(${lastDayOf(sql`seen.token_id`, sql`seen.device_id`)}, ${lastDayOf(
  sql`seen.token_id`,
  sql`(select t.device_id from device_tokens t where t.workspace_id = ${WORKSPACE} and t.token_id = seen.token_id)`,
)})`;

const MODEL = sql`${placeholder("model")}::bigint`;

/**
 * All facts for a match: the token's owner, the newest tokens in the visit's network with the profiles of those of the
 * same model, and the workspace's counts if they are newer than the known ones. The cost does not depend on the number
 * of devices.
 */
const MATCH_FACTS = sql`
  with owner as (
    select t.device_id, p.profile from device_tokens t
    left join device_profiles p on p.workspace_id = t.workspace_id and p.device_id = t.device_id
    where t.workspace_id = ${WORKSPACE} and t.token_id = ${TOKEN}
  ), population as (
    select devices, counts, counted_at from device_populations where workspace_id = ${WORKSPACE}
  ), search as (
    select not exists (select 1 from owner) or ${placeholder("draw")}::float8 < case
      when coalesce((select devices from population), 0) <= ${MEASURED_WHOLE}::int then 1 else ${MEASURED_SHARE}::float8 end as is_wanted
  ), seen as (
    select token_id, device_id, model = ${MODEL} as is_same, first_day, last_day, days from network_tokens
    where workspace_id = ${WORKSPACE} and (select is_wanted from search) and network = ${placeholder("network")}::bigint
      and last_day > ${TODAY} - ${OBSERVATION_KEPT_DAYS}::int
    order by last_day desc nulls last limit ${MAX_OBSERVATIONS + 1}
  )
  select (select device_id from owner) as owner_id, (select profile from owner) as owner_profile,
    (select is_wanted from search) as is_searched,
    (select json_agg(json_build_object('token', token_id, 'device', device_id, 'same', is_same,
      'first', ${DAYS_SINCE_1970(sql`first_day`)}, 'last', ${DAYS_SINCE_1970(sql`last_day`)},
      'anywhere', case when is_same then ${DAYS_SINCE_1970(LAST_DAY_ANYWHERE)} end, 'days', days)) from seen) as observations,
    (select json_agg(json_build_object('device_id', p.device_id, 'profile', p.profile)) from device_profiles p
      where p.workspace_id = ${WORKSPACE} and p.device_id in (select device_id from seen where is_same and last_day > first_day)) as neighbours,
    coalesce((select devices from population), (select count(*)::int from (
      select 1 from devices where workspace_id = ${WORKSPACE} limit ${COUNTED_AT_MOST}) counted)) as devices,
    (select counted_at::text from population) as counted_at,
    (select counts from population where counted_at is distinct from ${placeholder("knownAt")}::timestamptz) as counts`;

/** Maximum number of a device's recent places that are read, and how long each counts. */
const MAX_PLACES = 8;
const PLACES_HOURS = 12;

const PRESENTED_AT = sql`${placeholder("presentedAt")}::inet`;
const secondsSince = (column: "presented_at" | "reused_at" | "last_seen_at") =>
  sql`extract(epoch from clock_timestamp() - ${sql.raw(column)})::int`;

/** Other recent places of a device, newest first. */
const PLACES_OF_DEVICE = sql`
  select json_agg(json_build_object('address', host(recent.address), 'ageSeconds', greatest(0, ${secondsSince("last_seen_at")})))
  from (select address, last_seen_at from device_addresses a
    where a.workspace_id = ${WORKSPACE} and a.device_id = t.device_id and a.address is distinct from ${PRESENTED_AT}
      and a.last_seen_at > clock_timestamp() - make_interval(hours => ${PLACES_HOURS}::int)
    order by a.last_seen_at desc limit ${MAX_PLACES}) recent`;

/** The state of a token as one JSON value. Null if the token is not bound. */
const TOKEN_USE = sql`(
  select json_build_object('deviceId', t.device_id, 'generation', t.generation,
    'newestSeconds', ${secondsSince("presented_at")}, 'reusedSeconds', ${secondsSince("reused_at")},
    'isDue', coalesce(t.offered_on, (t.bound_at at time zone 'UTC')::date) < ${TODAY},
    'isOffered', coalesce(t.offered_on = ${TODAY}, false),
    'places', (${PLACES_OF_DEVICE}))
  from device_tokens t where t.workspace_id = ${WORKSPACE} and t.token_id = ${TOKEN})`;

/** Maximum number of a token's visits whose networks are read. */
const MAX_NETWORKS = 128;

/** Recent networks of a token as one JSON value. Compared and ordered like the index of tokens. */
const TOKEN_NETWORKS = sql`(
  select json_agg(distinct network::text) from (
    select network from payload_sightings
    where workspace_id = ${WORKSPACE} and token <= ${PAYLOAD.token}
      and (token, event_id) > (${PAYLOAD.token}, ${placeholder("networkFloor")}::uuid)
    order by token desc, event_id desc limit ${MAX_NETWORKS}) latest)`;

/** The state of a visit's token, and the token's recent networks if its device was seen at other addresses. */
const TOKEN_FACTS = sql`
  select use as token_use, case when (use ->> 'places') is not null then ${TOKEN_NETWORKS} end as token_networks
  from (select ${TOKEN_USE} as use offset 0) token`;

const VISIT_FACTS = sql`(${MATCH_FACTS}) facts cross join (${TOKEN_FACTS}) token`;

/** The environment of a submission and the facts for matching and evaluating its visit, in one row. */
export const SUBMISSION_FACTS = sql`
  select environment.*, facts.*, token.*
  from ${VISIT_FACTS} left join (${ENVIRONMENT}) environment on true`;

type Row = Record<string, unknown>;

function readRow(text: SQL, name: string) {
  const read = statement<Row>(text, name);
  return async (db: Db, ...values: Values[]): Promise<Readonly<Row>> => {
    const [row] = await read(db, ...values);
    if (!row) throw new Error("an aggregate query returned no row");
    return row;
  };
}

/** Facts for matching and evaluating a visit, if `SUBMISSION_FACTS` was not read with the environment. */
export const findVisitFacts = readRow(sql`select facts.*, token.* from ${VISIT_FACTS}`, "read visit facts");

/** Facts for matching a visit, without its token's state. */
export const findMatchFacts = readRow(MATCH_FACTS, "read match facts");

/** The current state of a visit's token. */
export const findTokenFacts = readRow(TOKEN_FACTS, "read token facts");

/** The visit that a challenge was used for, as long as that is kept. */
export async function findChallengeUse(db: Db, workspaceId: string, nonce: string) {
  const [use] = await db
    .select({ bodyHash: challengeUses.bodyHash, eventId: challengeUses.eventId })
    .from(challengeUses)
    .where(and(eq(challengeUses.workspaceId, workspaceId), eq(challengeUses.nonce, nonce)));
  return use;
}

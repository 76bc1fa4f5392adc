import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { type RowQuery, statement } from "@/db/prepared";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import type { Neighbourhood } from "./domain/match-device";
import { SIGHTING_KEPT_DAYS, MAX_SIGHTINGS } from "./domain/network-sightings";
import { type Population, unknownPopulation } from "./domain/population";
import type { DeviceProfile } from "./domain/profile";
import { knownCounts, type PopulationCounts, rememberCounts } from "./known-counts";

type Search = {
  workspaceId: string;
  tokenId: string | undefined;
  place: { network: string; model: string } | undefined;
  /** From 0 to 1: below its share, a visit whose token is known is searched for all the same. */
  draw: number;
};

export type MatchFacts = {
  /** Without a profile when it was not stored yet. */
  tokenOwner: { deviceId: string; profile: DeviceProfile | undefined } | undefined;
  /** Whether the network was looked at. */
  isSearched: boolean;
  neighbourhood: Neighbourhood;
  population: Population;
};

/** Workspaces up to this size are measured on every visit, larger ones on a share. */
const MEASURED_WHOLE = 1_000;
const MEASURED_SHARE = 0.05;
/** Counted on the spot while the background has not counted yet. */
const COUNTED_AT_MOST = 1_000;

type Stored = { device_id: string; profile: DeviceProfile };
type Seen = { token: string; device: string; same: boolean; first: number; last: number; days: number };
type Row = {
  owner_id: string | null;
  owner_profile: DeviceProfile | null;
  is_searched: boolean;
  sightings: Seen[] | null;
  neighbours: Stored[] | null;
  devices: number;
  counted_at: string | null;
  counts: PopulationCounts | null;
};

const workspace = sql`${sql.placeholder("workspace")}::uuid`;

const DAYS_SINCE_1970 = (column: string) => sql`${sql.raw(column)} - date '1970-01-01'`;
const MODEL = sql`${sql.placeholder("model")}::bigint`;

/**
 * Everything that a match needs, in one statement: whose token it is, the newest tokens of the visit's network with the
 * profiles of those of its model, and the workspace's counts where they are newer than those known. Costs the same
 * however many devices there are.
 */
export const MATCH_FACTS = sql`
  with owner as (
    select t.device_id, p.profile from device_tokens t
    left join device_profiles p on p.workspace_id = t.workspace_id and p.device_id = t.device_id
    where t.workspace_id = ${workspace} and t.token_id = ${sql.placeholder("token")}::uuid
  ), population as (
    select devices, counts, counted_at from device_populations where workspace_id = ${workspace}
  ), search as (
    select not exists (select 1 from owner) or ${sql.placeholder("draw")}::float8 < case
      when coalesce((select devices from population), 0) <= ${MEASURED_WHOLE}::int then 1 else ${MEASURED_SHARE}::float8 end as is_wanted
  ), seen as (
    select token_id, device_id, model = ${MODEL} as is_same, first_day, last_day, days from network_tokens
    where workspace_id = ${workspace} and (select is_wanted from search) and network = ${sql.placeholder("network")}::bigint
      and last_day > (clock_timestamp() at time zone 'UTC')::date - ${SIGHTING_KEPT_DAYS}::int
    order by last_day desc nulls last limit ${MAX_SIGHTINGS + 1}
  )
  select (select device_id from owner) as owner_id, (select profile from owner) as owner_profile,
    (select is_wanted from search) as is_searched,
    (select json_agg(json_build_object('token', token_id, 'device', device_id, 'same', is_same,
      'first', ${DAYS_SINCE_1970("first_day")}, 'last', ${DAYS_SINCE_1970("last_day")}, 'days', days)) from seen) as sightings,
    (select json_agg(json_build_object('device_id', p.device_id, 'profile', p.profile)) from device_profiles p
      where p.workspace_id = ${workspace} and p.device_id in (select device_id from seen where is_same and last_day > first_day)) as neighbours,
    coalesce((select devices from population), (select count(*)::int from (
      select 1 from devices where workspace_id = ${workspace} limit ${COUNTED_AT_MOST}) counted)) as devices,
    (select counted_at::text from population) as counted_at,
    (select counts from population where counted_at is distinct from ${sql.placeholder("knownAt")}::timestamptz) as counts`;

const readMatchFacts = statement<Row>(MATCH_FACTS);

/** What reads the facts of one visit, and what makes them of the row. */
export type MatchQuery = RowQuery & { factsOf: (row: Readonly<Record<string, unknown>>) => MatchFacts };

/** The facts that a visit is matched by, for a statement that does more: its text is always `MATCH_FACTS`. */
export function matchQuery({ workspaceId, tokenId, place, draw }: Search): MatchQuery {
  const known = knownCounts(workspaceId);
  return {
    sql: MATCH_FACTS,
    values: {
      workspace: idToUuid(workspaceId),
      token: tokenId ?? null,
      network: place?.network ?? null,
      model: place?.model ?? null,
      draw,
      knownAt: known?.countedAt ?? null,
    },
    factsOf: (row) => matchFacts({ workspaceId, known, hasPlace: place !== undefined }, row as Row), // the statement's own columns
  };
}

/** Not those that an older release wrote: they are counted anew within a minute. */
const isCurrent = (counts: PopulationCounts | undefined): counts is PopulationCounts =>
  counts !== undefined && "tallies" in counts;

const neighbourhoodOf = ({ sightings, neighbours }: Row): Neighbourhood => ({
  sightings: (sightings ?? []).map(({ token, device, same, first, last, days }) => ({
    tokenId: token,
    deviceId: uuidToId("device", device),
    isSameModel: same,
    firstDay: first,
    lastDay: last,
    days,
  })),
  devices: (neighbours ?? []).map(({ device_id: deviceId, profile }) => ({
    deviceId: uuidToId("device", deviceId),
    profile,
  })),
});

type Asked = { workspaceId: string; known: ReturnType<typeof knownCounts>; hasPlace: boolean };

function matchFacts({ workspaceId, known, hasPlace }: Asked, row: Row): MatchFacts {
  if (row.counts !== null && row.counted_at !== null)
    rememberCounts(workspaceId, { countedAt: row.counted_at, counts: row.counts });
  const counts = row.counts ?? (row.counted_at === null ? undefined : known?.counts);
  return {
    tokenOwner:
      row.owner_id === null
        ? undefined
        : { deviceId: uuidToId("device", row.owner_id), profile: row.owner_profile ?? undefined },
    isSearched: row.is_searched,
    neighbourhood: hasPlace ? neighbourhoodOf(row) : undefined,
    population: isCurrent(counts) ? { ...counts, devices: row.devices } : unknownPopulation(row.devices),
  };
}

/** The facts that a visit is matched by. One round trip. */
export async function findMatchFacts(db: Db, { values, factsOf }: MatchQuery): Promise<MatchFacts> {
  const [row] = await readMatchFacts(db, values);
  if (!row) throw new Error("the database did not answer");
  return factsOf(row);
}

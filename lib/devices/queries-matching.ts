import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { type Reading, statement } from "@/db/prepared";
import { idToUuid, uuidToId } from "@/lib/ids";
import { CANDIDATES_PER_KEY, CANDIDATES_WEIGHED } from "./domain/blocking-keys";
import type { KnownDevice } from "./domain/match-device";
import { type Population, unknownPopulation } from "./domain/population";
import type { DeviceProfile } from "./domain/profile";
import { knownCounts, type PopulationCounts, rememberCounts } from "./known-counts";

type Search = {
  workspaceId: string;
  tokenId: string | undefined;
  keys: readonly string[];
  /** From 0 to 1: below its share, a visit whose token is known is searched for all the same. */
  draw: number;
};

export type MatchFacts = {
  /** Without a profile when it was not stored yet. */
  tokenOwner: { deviceId: string; profile: DeviceProfile | undefined } | undefined;
  /** Whether candidates were looked for. */
  isSearched: boolean;
  candidates: KnownDevice[];
  population: Population;
};

/** Workspaces up to this size are measured on every visit, larger ones on a share. */
const MEASURED_WHOLE = 1_000;
const MEASURED_SHARE = 0.05;
/** Counted on the spot while the background has not counted yet. */
const COUNTED_AT_MOST = 1_000;

type Stored = { device_id: string; profile: DeviceProfile };
type Row = {
  owner_id: string | null;
  owner_profile: DeviceProfile | null;
  is_searched: boolean;
  candidates: Stored[] | null;
  devices: number;
  counted_at: string | null;
  counts: PopulationCounts | null;
};

const workspace = sql`${sql.placeholder("workspace")}::uuid`;

/**
 * Everything that a match needs, in one statement: whose token it is, the newest devices under each key, and the
 * workspace's counts where they are newer than those known. Costs the same however many devices there are: the order of
 * `seen` is the index's own, which without "nulls last" would be sorted anew for every popular key.
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
  ), found as (
    select device_id from (
      select newest.device_id, 1.0 / count(*) over (partition by wanted) as rarity
      from unnest(case when (select is_wanted from search) then ${sql.placeholder("keys")}::bigint[] else '{}' end) as wanted,
        lateral (select k.device_id from device_keys k
          where k.workspace_id = ${workspace} and k.key = wanted
          order by k.seen desc nulls last, k.device_id limit ${CANDIDATES_PER_KEY}) newest) hit
    group by device_id order by sum(rarity) desc, device_id limit ${CANDIDATES_WEIGHED}
  )
  select (select device_id from owner) as owner_id, (select profile from owner) as owner_profile,
    (select is_wanted from search) as is_searched,
    (select json_agg(json_build_object('device_id', p.device_id, 'profile', p.profile))
      from found join device_profiles p on p.workspace_id = ${workspace} and p.device_id = found.device_id) as candidates,
    coalesce((select devices from population), (select count(*)::int from (
      select 1 from devices where workspace_id = ${workspace} limit ${COUNTED_AT_MOST}) counted)) as devices,
    (select counted_at::text from population) as counted_at,
    (select counts from population where counted_at is distinct from ${sql.placeholder("knownAt")}::timestamptz) as counts`;

const readMatchFacts = statement<Row>(MATCH_FACTS);

/** What reads the facts of one visit, and what makes them of the row. */
export type MatchReading = Reading & { factsOf: (row: Readonly<Record<string, unknown>>) => MatchFacts };

/** The facts that a visit is matched by, for a statement that does more: its text is always `MATCH_FACTS`. */
export function matchReading({ workspaceId, tokenId, keys, draw }: Search): MatchReading {
  const known = knownCounts(workspaceId);
  return {
    sql: MATCH_FACTS,
    values: {
      workspace: idToUuid(workspaceId),
      token: tokenId ?? null,
      keys: `{${keys.join()}}`,
      draw,
      knownAt: known?.countedAt ?? null,
    },
    factsOf: (row) => matchFacts(workspaceId, known, row as Row), // the statement's own columns
  };
}

function matchFacts(workspaceId: string, known: ReturnType<typeof knownCounts>, row: Row): MatchFacts {
  if (row.counts !== null && row.counted_at !== null)
    rememberCounts(workspaceId, { countedAt: row.counted_at, counts: row.counts });
  const counts = row.counts ?? (row.counted_at === null ? undefined : known?.counts);
  return {
    tokenOwner:
      row.owner_id === null
        ? undefined
        : { deviceId: uuidToId("device", row.owner_id), profile: row.owner_profile ?? undefined },
    isSearched: row.is_searched,
    candidates: (row.candidates ?? []).map((stored) => ({
      deviceId: uuidToId("device", stored.device_id),
      profile: stored.profile,
    })),
    population: counts ? { ...counts, devices: row.devices } : unknownPopulation(row.devices),
  };
}

/** The facts that a visit is matched by. One round trip. */
export async function findMatchFacts(db: Db, { values, factsOf }: MatchReading): Promise<MatchFacts> {
  const [row] = await readMatchFacts(db, values);
  if (!row) throw new Error("the database did not answer");
  return factsOf(row);
}

import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { eventIdFloor } from "@/db/partitions";
import { statement, type Values } from "@/db/prepared";
import { payloadSightings } from "@/db/schema";
import { idToUuid } from "@/lib/contract/ids";
import type { Payload } from "./describe-payload";
import {
  COUNTED_VISITS,
  type EarlierVisit,
  PICTURE_WINDOW,
  type Pictures,
  type Repetition,
} from "./domain/evaluate-repeat";

const MINUTE_MS = 60_000;

/** Visits whose networks are looked at, and for how long they are. */
const NETWORKS = 128;
const NETWORKS_MINUTES = 12 * 60;

const floorAt = (now: Date, minutes: number) => eventIdFloor(new Date(now.getTime() - minutes * MINUTE_MS));

const { placeholder } = sql;
const WORKSPACE = sql`${placeholder("workspace")}::uuid`;
const EVENT = sql`${placeholder("event")}::uuid`;
const KIND = sql`${placeholder("sightedKind")}::bigint`;
const DURATIONS = sql`${placeholder("sightedDurations")}::bigint`;
const TOKEN = sql`${placeholder("sightedToken")}::bigint`;
const NETWORK = sql`${placeholder("sightedNetwork")}::bigint`;
const PICTURE = sql`${placeholder("sightedPicture")}::bigint`;

/** The latest visits of the kind that drew a picture. */
const LATEST_OF_KIND: SQL = sql`
  select picture, network from payload_sightings
  where workspace_id = ${WORKSPACE} and kind = ${KIND} and event_id > ${placeholder("pictureFloor")}::uuid
    and event_id <> ${EVENT} and picture is not null
  order by event_id desc limit ${PICTURE_WINDOW.visits}`;

/** Of the `latest` visits of the kind: their pictures where they are odd and this visit's is yet another; else no row. */
const ODD_PICTURES: SQL = sql`
  select count(*)::int as visits, count(distinct picture)::int as different, count(distinct network)::int as networks
  from latest
  having ${PICTURE} is not null and count(distinct picture) >= ${PICTURE_WINDOW.different}
    and count(distinct network) >= ${PICTURE_WINDOW.networks} and count(*) filter (where picture = ${PICTURE}) = 0`;

/**
 * Remembers a visit, for a statement that has its `device`: `sighted` is empty when its durations were seen before.
 * `latest` is read no further than it is asked for.
 */
export const SIGHTED: SQL = sql`sighted as (
    insert into payload_sightings (workspace_id, event_id, kind, durations, all_durations, token, network, picture)
    select ${WORKSPACE}, ${EVENT}, ${KIND}, ${DURATIONS}, ${placeholder("sightedAllDurations")}::bigint,
      ${TOKEN}, ${NETWORK}, ${PICTURE}
    from device on conflict (workspace_id, durations) do nothing returning 1
  ), latest as materialized (${LATEST_OF_KIND})`;

/**
 * Whether a visit that was just `SIGHTED` repeats nothing: most do not, and nothing more is read for them. The picture of
 * most is that of one of the visits before.
 */
export const IS_UNSEEN: SQL = sql`(select count(*) from sighted) = 1 and (${PICTURE} is null
  or exists (select 1 from latest where picture = ${PICTURE}) or not exists (${ODD_PICTURES}))`;

/** The networks that the token of a visit came from lately, as one value for a statement that reads more. */
export const TOKEN_NETWORKS: SQL = sql`(
  select json_agg(distinct network::text) from (
    select network from payload_sightings
    where workspace_id = ${WORKSPACE} and token = ${TOKEN} and event_id > ${placeholder("networkFloor")}::uuid
    order by event_id desc limit ${NETWORKS}) latest)`;

/** The values of `SIGHTED`, `IS_UNSEEN` and `findRepetition` and `TOKEN_NETWORKS` but for workspace and event. */
export const sightingValues = ({ digests }: Payload, now: Date): Values => ({
  sightedKind: digests.kind,
  sightedDurations: digests.durations,
  sightedAllDurations: digests.allDurations,
  sightedToken: digests.token,
  sightedNetwork: digests.network,
  sightedPicture: digests.picture,
  pictureFloor: floorAt(now, PICTURE_WINDOW.minutes),
  networkFloor: floorAt(now, NETWORKS_MINUTES),
});

const readRepetition = statement<{ earlier: EarlierVisit | null; pictures: Pictures | null }>(sql`
  select (
    select json_build_object('ageSeconds', greatest(0, (extract(epoch from clock_timestamp())
        - ('x' || lpad(left(replace(s.event_id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0))::int,
      'isWholeRun', s.all_durations = ${placeholder("sightedAllDurations")}::bigint,
      'isSameKind', s.kind = ${KIND}, 'isSameSender', s.token is not distinct from ${TOKEN} and s.network = ${NETWORK},
      'kindVisits', (select count(*) from (select 1 from payload_sightings alike
        where alike.workspace_id = ${WORKSPACE} and alike.kind = ${KIND} limit ${COUNTED_VISITS}) counted))
    from payload_sightings s
    where s.workspace_id = ${WORKSPACE} and s.durations = ${DURATIONS} and s.event_id <> ${EVENT}) as earlier,
  (with latest as (${LATEST_OF_KIND}) select to_json(odd) from (${ODD_PICTURES}) odd) as pictures`);

/** What a visit repeats of those before it. */
export async function findRepetition(db: Db, ids: { workspaceId: string; eventId: string }, values: Values) {
  const own = { workspace: idToUuid(ids.workspaceId), event: idToUuid(ids.eventId) };
  const [row] = await readRepetition(db, own, values);
  return {
    ...(row?.earlier && { earlier: row.earlier }),
    ...(row?.pictures && { pictures: row.pictures }),
  } satisfies Repetition;
}

/** Deletes one batch of what a workspace remembers from before an instant, or beyond so many rows; the number deleted. */
export async function deleteSightings(
  db: Db,
  { workspaceId, before, kept, limit }: { workspaceId: string; before: Date; kept: number; limit: number },
): Promise<number> {
  const workspace = sql`${idToUuid(workspaceId)}::uuid`;
  const rows = await db.execute(sql`
    delete from ${payloadSightings} where workspace_id = ${workspace} and event_id = any (array(
      select event_id from ${payloadSightings} where workspace_id = ${workspace} and event_id < greatest(
        ${eventIdFloor(before)}::uuid,
        (select event_id from ${payloadSightings} where workspace_id = ${workspace}
          order by event_id desc offset ${kept - 1} limit 1))
      order by event_id limit ${limit}))
    returning 1`);
  return rows.length;
}

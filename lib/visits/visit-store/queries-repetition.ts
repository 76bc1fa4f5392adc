import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { eventIdFloor } from "@/db/partitions";
import { statement } from "@/db/prepared";
import { payloadObservations } from "@/db/schema";
import { idToUuid } from "@/lib/contract/ids";
import {
  COUNTED_VISITS,
  type EarlierVisit,
  PICTURE_WINDOW,
  type Pictures,
  type AlikeRuns,
  type Repetition,
  RUN_WINDOW,
} from "@/lib/visits/repeats/domain/evaluate-repeat";
import { NEAR_STEPS, SKETCHED } from "@/lib/visits/repeats/domain/sketch";
import type { Payload } from "@/lib/visits/repeats/domain/payload";
import { EVENT, PAYLOAD, uuid, WORKSPACE } from "./queries-parts";
import { payloadValues } from "./visit-values";

/** The visit whose repetition is looked for, as SQL expressions. */
type Compared = Record<"event" | "kind" | "picture" | "run", SQL>;

/** Latest visits of the kind that drew a picture. Compared and ordered like the index of kinds. */
const latestOfKind = ({ event, kind }: Compared): SQL => sql`
  select picture, network, all_durations as run, event_id > ${sql.placeholder("pictureFloor")}::uuid as is_recent
  from payload_sightings
  where workspace_id = ${WORKSPACE} and kind <= ${kind}
    and (kind, event_id) > (${kind}, ${sql.placeholder("runFloor")}::uuid)
    and event_id <> ${event} and picture is not null
  order by kind desc, event_id desc limit ${RUN_WINDOW.visits}`;

/** Counts the pictures of the `latest` visits. No row unless they are unusual and this visit has yet another picture. */
const unusualPictures = ({ picture }: Compared): SQL => sql`
  select count(*)::int as visits, count(distinct picture)::int as different, count(distinct network)::int as networks
  from latest where is_recent
  having ${picture} is not null and count(distinct picture) >= ${PICTURE_WINDOW.different}
    and count(distinct network) >= ${PICTURE_WINDOW.networks} and count(*) filter (where picture = ${picture}) = 0`;

/** Condition on two sketches of durations (`sketchOf`). */
const isNear = (one: SQL, other: SQL): SQL =>
  sql.join(
    Array.from({ length: SKETCHED }, (_, at) => {
      const byteOf = (run: SQL) => sql`((${run} >> ${sql.raw(String(8 * at))}) & 255)`;
      return sql`abs(${byteOf(one)} - ${byteOf(other)}) <= ${sql.raw(String(NEAR_STEPS))}`;
    }),
    sql` and `,
  );

/** Counts the `latest` runs that are like this one. No row unless they are unusually many. */
const unusualRuns = ({ run }: Compared): SQL => sql`
  select (select count(*)::int from latest) as visits, count(*)::int as alike, count(distinct network)::int as networks
  from latest where ${isNear(sql`run`, run)}
  having count(*) >= ${RUN_WINDOW.alike} and count(distinct network) >= ${RUN_WINDOW.networks}`;

/**
 * Condition: the visit drew what others of its kind drew, and did not take as long as nearly all of them. Most visits have
 * the same picture as an earlier one.
 */
export const isUsual = (visit: Compared): SQL => sql`(${visit.picture} is null or (
    with latest as materialized (${latestOfKind(visit)})
    select (exists (select 1 from latest where picture = ${visit.picture}) or not exists (${unusualPictures(visit)}))
      and not exists (${unusualRuns(visit)})))`;

const COMPARED: Compared = { event: EVENT, kind: PAYLOAD.kind, picture: PAYLOAD.picture, run: PAYLOAD.allDurations };

/** Counts the workspace's visits up to the limit. */
const countOf = (condition: SQL): SQL => sql`(select count(*) from (select 1 from payload_sightings alike
  where alike.workspace_id = ${WORKSPACE} and ${condition} limit ${COUNTED_VISITS}) counted)`;

const readRepetition = statement<{ earlier: EarlierVisit | null; pictures: Pictures | null; runs: AlikeRuns | null }>(
  sql`
  select (
    select json_build_object('ageSeconds', greatest(0, (extract(epoch from statement_timestamp())
        - ('x' || lpad(left(replace(s.event_id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0))::int,
      'isWholeRun', s.all_durations = ${PAYLOAD.allDurations},
      'isSameSender', s.token is not distinct from ${PAYLOAD.token} and s.network = ${PAYLOAD.network},
      'comparableVisits', case when s.kind = ${PAYLOAD.kind}
        then ${countOf(sql`alike.kind = ${PAYLOAD.kind}`)} else ${countOf(sql`true`)} end)
    from payload_sightings s
    where s.workspace_id = ${WORKSPACE} and s.durations = ${PAYLOAD.durations} and s.event_id <> ${EVENT}) as earlier,
  (with latest as (${latestOfKind(COMPARED)})
    select to_json(unusual) from (${unusualPictures(COMPARED)}) unusual) as pictures,
  (with latest as (${latestOfKind(COMPARED)})
    select to_json(unusual) from (${unusualRuns(COMPARED)}) unusual
    where ${PAYLOAD.picture} is not null) as runs`,
  "read repetition",
);

/** Finds what a visit repeats from earlier ones. */
export async function findRepetition(
  db: Db,
  { workspaceId, eventId, payload, now }: { workspaceId: string; eventId: string; payload: Payload; now: Date },
) {
  const ids = { workspace: idToUuid(workspaceId), event: idToUuid(eventId) };
  const [row] = await readRepetition(db, ids, payloadValues(payload, now));
  return {
    ...(row?.earlier && { earlier: row.earlier }),
    ...(row?.pictures && { pictures: row.pictures }),
    ...(row?.runs && { runs: row.runs }),
  } satisfies Repetition;
}

/**
 * Deletes a batch of a workspace's observations that are older than `before` or exceed `kept` rows.
 *
 * @returns number of rows deleted
 */
export async function deletePayloadObservations(
  db: Db,
  { workspaceId, before, kept, limit }: { workspaceId: string; before: Date; kept: number; limit: number },
): Promise<number> {
  const workspace = uuid(workspaceId);
  const rows = await db.execute(sql`
    delete from ${payloadObservations} where workspace_id = ${workspace} and event_id = any (array(
      select event_id from ${payloadObservations} where workspace_id = ${workspace} and event_id < greatest(
        ${eventIdFloor(before)}::uuid,
        (select event_id from ${payloadObservations} where workspace_id = ${workspace}
          order by event_id desc offset ${kept - 1} limit 1))
      order by event_id limit ${limit}))
    returning 1`);
  return rows.length;
}

import { type SQL, sql } from "drizzle-orm";

import { type Db, emptyColumn } from "@/db/client";
import { statement, statementByShape, type Values } from "@/db/prepared";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import { EVENT_PARTS, FIRST_EVENT_PARTS, type Place, placeValues, WORKSPACE } from "./queries-activity";
import { TURNED, turnValues } from "./queries-token";
import type { Recognition } from "./recognition";
import type { TokenTurn } from "./domain/token-generation";

const SHADOW_SHARDS = 16;

type NewVisit = {
  workspaceId: string;
  challenge: { nonce: string; bodyHash: Uint8Array; eventId: string };
  recognition: Recognition;
  /** What changes of a token that was bound before. */
  tokenTurn?: TokenTurn | undefined;
  browserFamily: string;
  osFamily: string;
};

/** What a visit leaves behind besides itself: the statement has parts for that alone. */
type Shape = {
  isLinked: boolean;
  hasToken: boolean;
  isTokenKnown: boolean;
  isTokenTurned: boolean;
  isFiled: boolean;
  isPlaced: boolean;
  isShadowed: boolean;
};

const shapeOf = ({
  recognition: { linkedDeviceId, tokenId, isTokenKnown, profile, place, shadow },
  tokenTurn,
}: NewVisit): Shape => ({
  isLinked: linkedDeviceId !== undefined,
  hasToken: tokenId !== undefined,
  isTokenKnown,
  isTokenTurned: isTokenKnown && tokenTurn !== undefined,
  isFiled: profile !== undefined,
  isPlaced: place !== undefined && tokenId !== undefined,
  isShadowed: shadow !== undefined,
});

const { placeholder } = sql;

/** Which device the visit goes to unless its token is bound meanwhile: the known one, or a new one. */
function chooseDevice({ isLinked }: Shape): SQL {
  const linked = isLinked
    ? sql`(select device_id from devices where workspace_id = ${WORKSPACE} and device_id = ${placeholder("linkedDevice")}::uuid)`
    : sql`null`;
  return sql`chosen as (select coalesce(${linked}, ${placeholder("newDevice")}::uuid) as device_id from used)`;
}

/** A token stays with its device for ever: one that is known is written only where its generation turns. */
function bindToken({ hasToken, isTokenKnown, isTokenTurned }: Shape): SQL {
  if (!hasToken) return sql`bound as (select device_id from chosen)`;
  if (isTokenTurned)
    return sql`${TURNED}, bound as (
      select coalesce((select device_id from turned), chosen.device_id) as device_id from chosen)`;
  if (isTokenKnown)
    return sql`bound as (
      select coalesce(t.device_id, chosen.device_id) as device_id from chosen left join device_tokens t
        on t.workspace_id = ${WORKSPACE} and t.token_id = ${placeholder("token")}::uuid)`;
  return sql`bound as (
    insert into device_tokens (workspace_id, token_id, device_id)
    select ${WORKSPACE}, ${placeholder("token")}::uuid, device_id from chosen
    on conflict (workspace_id, token_id) do update set token_id = excluded.token_id
    returning device_id)`;
}

/** Whether the visit is, as far as was seen, the first of a device: nothing of its past is looked up then. */
const isFirst = ({ isLinked, isTokenKnown }: Shape): boolean => !isLinked && !isTokenKnown;

const TODAY = sql`(clock_timestamp() at time zone 'UTC')::date`;

/** The profile, where the token was seen, and what the tokenless path said. */
function fileEvidence({ isFiled, isPlaced, isShadowed }: Shape): SQL {
  const filed = sql`, filed as (
      insert into device_profiles (workspace_id, device_id, profile)
      select ${WORKSPACE}, device_id, ${placeholder("profile")}::json from device
      on conflict (workspace_id, device_id) do update set profile = excluded.profile
    )`;
  const placed = sql`, placed as (
      insert into network_tokens as n (workspace_id, network, token_id, device_id, model, first_day, last_day, days, stratum)
      select ${WORKSPACE}, ${placeholder("network")}::bigint, ${placeholder("token")}::uuid, device_id,
        ${placeholder("model")}::bigint, ${TODAY}, ${TODAY}, 1, ${placeholder("stratum")}::text from device
      on conflict (workspace_id, network, token_id) do update
      set last_day = excluded.last_day, days = n.days + 1, model = excluded.model, device_id = excluded.device_id
      where n.last_day < excluded.last_day)`;
  const shadowed = sql`, shadowed as (
      insert into device_shadows as s (workspace_id, day, shard, agreed, missed, wrong)
      select ${WORKSPACE}, ${TODAY}, floor(random() * ${SHADOW_SHARDS})::smallint,
        ${placeholder("agreed")}, ${placeholder("missed")}, ${placeholder("wrong")} from device
      on conflict (workspace_id, day, shard) do update
      set agreed = s.agreed + excluded.agreed, missed = s.missed + excluded.missed, wrong = s.wrong + excluded.wrong)`;
  return sql.join([...(isFiled ? [filed] : []), ...(isPlaced ? [placed] : []), ...(isShadowed ? [shadowed] : [])]);
}

/**
 * Uses the challenge up, finds or makes the device of the token and appends one event to it: nothing of it happens for
 * a challenge that was used before. Parallel visits with one token queue on the token's row, later ones on the device's:
 * one device, distinct counts, strictly increasing times.
 */
const deviceParts = (shape: Shape): SQL => sql`used as (
      insert into challenge_uses (workspace_id, nonce, body_hash, event_id, expires_at)
      values (${WORKSPACE}, ${placeholder("nonce")}::uuid, ${placeholder("bodyHash")}, ${placeholder("event")}::uuid,
        clock_timestamp() + interval '10 minutes')
      on conflict do nothing returning 1
    ), ${chooseDevice(shape)}, ${bindToken(shape)}, device as (
      insert into devices as d (workspace_id, device_id, first_seen_at, last_recorded_at, access_count, browser_family, os_family)
      select ${WORKSPACE}, bound.device_id, at.now, at.now, 1, ${placeholder("browserFamily")}, ${placeholder("osFamily")}
      from bound, (select clock_timestamp() as now) at
      on conflict (workspace_id, device_id) do update
      set previous_recorded_at = d.last_recorded_at,
          last_recorded_at = greatest(clock_timestamp(), d.last_recorded_at + interval '1 microsecond'),
          access_count = d.access_count + 1
      returning device_id, first_seen_at, last_recorded_at, previous_recorded_at, access_count
    )${fileEvidence(shape)}`;

function recordedValues({ workspaceId, challenge, recognition, tokenTurn, browserFamily, osFamily }: NewVisit): Values {
  const { linkedDeviceId, newDeviceId, tokenId, profile, place, shadow } = recognition;
  return {
    workspace: idToUuid(workspaceId),
    nonce: challenge.nonce,
    bodyHash: challenge.bodyHash,
    event: idToUuid(challenge.eventId),
    linkedDevice: linkedDeviceId && idToUuid(linkedDeviceId),
    newDevice: idToUuid(newDeviceId),
    token: tokenId,
    ...(tokenTurn && turnValues(tokenTurn)),
    profile: profile && JSON.stringify(profile),
    network: place?.network,
    model: place?.model,
    stratum: place?.stratum ?? null,
    agreed: Number(shadow === "agreed"),
    missed: Number(shadow === "missed"),
    wrong: Number(shadow === "wrong"),
    browserFamily,
    osFamily,
  };
}

/** What appends visits to their devices; `parts` are further ones of the statement, which have its `device`. */
function visitAppender(parts: SQL) {
  const deviceStatement = statementByShape<Shape, { device_id: string }>(
    (shape) => sql`with ${deviceParts(shape)}${parts} select device_id from device`,
  );
  return async (db: Db, visit: NewVisit, values: Values = {}): Promise<string | undefined> => {
    const [row] = await deviceStatement(shapeOf(visit))(db, recordedValues(visit), values);
    return row && uuidToId("device", row.device_id);
  };
}

/**
 * Appends a visit to its device without storing it.
 *
 * @returns the device; nothing when the challenge was used before
 */
export const recordDeviceVisit = visitAppender(sql``);

/**
 * What stores events with `store`: the text that inserts one from `event` and `activity`. `beside` notes something of
 * each visit, in a part of the statement that has its `device`, and says whether the visit is as its Report takes it to
 * be. All have placeholders of their own.
 */
export function createEventStore(store: SQL, beside: { part: SQL; isExpected: SQL }) {
  const storeStatement = statement(sql`
    with event as (
      select device_id, first_seen_at, last_recorded_at, previous_recorded_at, access_count from devices
      where workspace_id = ${WORKSPACE} and device_id = ${placeholder("device")}::uuid
    ), ${EVENT_PARTS}, stored as (${store}) select 1`);
  const countBefore = sql`coalesce((select d.access_count from devices d
    where d.workspace_id = ${WORKSPACE} and d.device_id = device.device_id), 0)`;
  const recordStatement = statementByShape<Shape, { "?column?": number }>(
    (shape) => sql`
      with ${deviceParts(shape)}, ${beside.part}, event as (
        select device_id, first_seen_at, last_recorded_at, previous_recorded_at,
          case when access_count = 1 + ${isFirst(shape) ? sql`0` : countBefore} and ${beside.isExpected}
            then access_count end as access_count
        from device
      ), ${isFirst(shape) ? FIRST_EVENT_PARTS : EVENT_PARTS}, stored as (${store}) select 1 from event`,
  );
  return {
    /**
     * Appends a visit to its device without storing it: `storeEvent` does, in the same transaction.
     *
     * @returns the device; nothing when the challenge was used before
     */
    appendVisit: visitAppender(sql`, ${beside.part}`),

    /** Stores the newest event of a device that this transaction has appended. */
    async storeEvent(db: Db, event: { workspaceId: string; deviceId: string }, place: Place, values: Values) {
      const ids = { workspace: idToUuid(event.workspaceId), device: idToUuid(event.deviceId) };
      await storeStatement(db, ids, ...placeValues(place), values);
    },

    /**
     * Appends a visit to its device and stores it, in one statement.
     *
     * The statement reads the device's past as it was when the statement began. When another visit of the device came
     * in between, that past is not whole: the event then has no position, which its table refuses. So it has none when
     * the visit is not as its Report takes it to be.
     *
     * @returns whether the challenge was unused; nothing is changed otherwise, nor when the event had no position
     */
    async recordEvent(
      db: Db,
      visit: NewVisit,
      place: Place,
      values: Values,
    ): Promise<"recorded" | "used" | "staleSnapshot"> {
      const record = recordStatement(shapeOf(visit));
      try {
        const rows = await record(db, recordedValues(visit), ...placeValues(place), values);
        return rows.length > 0 ? "recorded" : "used";
      } catch (error) {
        if (emptyColumn(error) === "access_count") return "staleSnapshot";
        throw error;
      }
    },
  };
}

import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import type { Values } from "@/db/prepared";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import type { TokenTurn, TokenUse } from "./domain/token-generation";
import { WORKSPACE } from "./queries-activity";

/** Places of a device that are looked at, and for how long they are. */
const PLACES = 8;
const PLACES_HOURS = 12;

const { placeholder } = sql;
const TOKEN = sql`${placeholder("token")}::uuid`;
const PRESENTED_AT = sql`${placeholder("presentedAt")}::inet`;
const TODAY = sql`(clock_timestamp() at time zone 'UTC')::date`;
const secondsSince = (column: "presented_at" | "reused_at" | "last_seen_at") =>
  sql`extract(epoch from clock_timestamp() - ${sql.raw(column)})::int`;

/** Where else a device was lately, the newest first. */
const PLACES_OF_DEVICE = sql`
  select json_agg(json_build_object('address', host(recent.address), 'ageSeconds', greatest(0, ${secondsSince("last_seen_at")})))
  from (select address, last_seen_at from device_addresses a
    where a.workspace_id = ${WORKSPACE} and a.device_id = t.device_id and a.address is distinct from ${PRESENTED_AT}
      and a.last_seen_at > clock_timestamp() - make_interval(hours => ${PLACES_HOURS}::int)
    order by a.last_seen_at desc limit ${PLACES}) recent`;

/** What is known of the token of a visit, as one value for a statement that reads more; null for one that is not bound. */
export const TOKEN_USE = sql`(
  select json_build_object('deviceId', t.device_id, 'generation', t.generation,
    'newestSeconds', ${secondsSince("presented_at")}, 'reusedSeconds', ${secondsSince("reused_at")},
    'isDue', coalesce(t.offered_on, (t.bound_at at time zone 'UTC')::date) < ${TODAY},
    'isOffered', coalesce(t.offered_on = ${TODAY}, false),
    'places', (${PLACES_OF_DEVICE}))
  from device_tokens t where t.workspace_id = ${WORKSPACE} and t.token_id = ${TOKEN})`;

/** The values of `TOKEN_USE` but for workspace and token: the address of the visit, where it can be known. */
export const tokenUseValues = (address: string | undefined): Values => ({ presentedAt: address ?? null });

/** An address of a device, and when it was last there. */
export type RecentPlace = { address: string; ageSeconds: number };

export type KnownToken = TokenUse & {
  deviceId: string;
  /** Where else the device was lately, the newest first. */
  places: RecentPlace[];
};

type StoredToken = TokenUse & { deviceId: string; places: RecentPlace[] | null };

/** Reads the value of `TOKEN_USE`. */
export function knownToken(value: unknown): KnownToken | undefined {
  if (value === null || value === undefined) return undefined;
  const stored = value as StoredToken; // built by the statement above
  return { ...stored, deviceId: uuidToId("device", stored.deviceId), places: stored.places ?? [] };
}

/** Changes a bound token, for a statement that has its `chosen` device. Its values: `turnValues`. */
export const TURNED = sql`turned as (
    update device_tokens t set
      generation = greatest(t.generation, ${placeholder("generation")}::int),
      presented_at = case when ${placeholder("generation")}::int > t.generation then clock_timestamp() else t.presented_at end,
      offered_on = case when ${placeholder("isOffered")}::boolean then ${TODAY} else t.offered_on end,
      reused_at = case when ${placeholder("isReused")}::boolean then clock_timestamp() else t.reused_at end
    from chosen where t.workspace_id = ${WORKSPACE} and t.token_id = ${TOKEN}
    returning t.device_id
  )`;

export const turnValues = (turn: TokenTurn): Values => ({ ...turn });

/**
 * Frees the tokens that evidence gave to the device of another machine, as their network has shown since: another token
 * of the device was there before, and both came back. A token that is free is new at its next visit. Looks at the newest
 * `limit` links; the number of tokens freed.
 */
export async function freeDisprovedTokens(db: Db, workspaceId: string, limit: number): Promise<number> {
  const workspace = sql`${idToUuid(workspaceId)}::uuid`;
  const rows = await db.execute(sql`
    delete from device_tokens t using (
      select * from network_tokens where workspace_id = ${workspace} and stratum not like '%-' and last_day > first_day
      order by first_day desc limit ${limit}) n
    where t.workspace_id = ${workspace} and t.token_id = n.token_id and t.device_id = n.device_id
      and exists (
        select 1 from network_tokens o
        where o.workspace_id = n.workspace_id and o.network = n.network and o.model = n.model
          and o.device_id = n.device_id and (o.first_day, o.token_id) < (n.first_day, n.token_id)
          and o.last_day > o.first_day and o.last_day > n.first_day)
    returning 1`);
  return rows.length;
}

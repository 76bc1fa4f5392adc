import { type SQL, sql } from "drizzle-orm";

import { deleteByKey } from "@/db/batches";
import type { Db } from "@/db/client";
import { executeFor } from "@/db/prepared";
import { networkTokens } from "@/db/schema";
import { uuidToId } from "@/lib/contract/ids";
import {
  LIVED_ON_DAYS,
  OBSERVATION_KEPT_DAYS,
  TOKEN_ALIVE_DAYS,
} from "@/lib/visits/devices/domain/network-observations";
import type { Population } from "@/lib/visits/devices/domain/population";
import type { DeviceProfile } from "@/lib/visits/devices/domain/profile";
import {
  ARRIVAL_DAYS,
  OTHER_MACHINE,
  RECENT_DAYS,
  SETTLED_DAYS,
  type Tallies,
} from "@/lib/visits/devices/domain/strata";
import { TODAY, uuid, uuids } from "./queries-parts";

/** A workspace is recounted at most once a minute; a large one after one second per thousand devices. */
const MIN_SECONDS = 60;
const DEVICES_PER_SECOND = 1_000;

/**
 * Those of the workspaces whose devices were active since their last count, or which were counted before the clock was
 * set back.
 */
export async function listUncountedWorkspaces(db: Db, workspaceIds: readonly string[]): Promise<string[]> {
  const counts = await db.execute<{ workspace_id: string }>(sql`
    select p.workspace_id from device_populations p
    where p.workspace_id = any (${uuids(workspaceIds)})
      and (p.counted_at > statement_timestamp() + interval '1 minute'
        or p.counted_at < statement_timestamp() - make_interval(secs => greatest(${MIN_SECONDS}, p.devices / ${DEVICES_PER_SECOND}))
          and exists (select 1 from devices d where d.workspace_id = p.workspace_id and d.last_recorded_at > p.counted_at))
    union all
    select d.workspace_id from devices d left join device_populations p on p.workspace_id = d.workspace_id
    where d.workspace_id = any (${uuids(workspaceIds)}) and p.workspace_id is null
    group by d.workspace_id`);
  const due = new Set(counts.map((row) => uuidToId("workspace", row.workspace_id)));
  return workspaceIds.filter((workspaceId) => due.has(workspaceId));
}

/** The number of devices, and the profiles of the most recently seen ones. */
export async function findPopulationSample(db: Db, workspaceId: string, sampleSize: number) {
  const workspace = uuid(workspaceId);
  const [row] = await db.execute<{ devices: number; profiles: DeviceProfile[] | null }>(sql`
    select (select count(*)::int from devices where workspace_id = ${workspace}) as devices,
      (select json_agg(p.profile) from (
        select device_id from devices where workspace_id = ${workspace} order by last_recorded_at desc limit ${sampleSize}) d
        join device_profiles p on p.workspace_id = ${workspace} and p.device_id = d.device_id) as profiles`);
  return { devices: row?.devices ?? 0, profiles: row?.profiles ?? [] };
}

export async function savePopulation(db: Db, workspaceId: string, { devices, ...counts }: Population): Promise<void> {
  await db.execute(sql`
    insert into device_populations (workspace_id, devices, counts, counted_at)
    values (${uuid(workspaceId)}, ${devices}, ${JSON.stringify(counts)}::jsonb, statement_timestamp())
    on conflict (workspace_id) do update
    set devices = excluded.devices, counts = excluded.counts, counted_at = excluded.counted_at`);
}

const LIVED_ON = sql`last_day - first_day >= ${LIVED_ON_DAYS}::int`;
const LINKED = sql`stratum not like '%-'`;
const OTHER = sql`stratum like ${`%${OTHER_MACHINE}`}::text`;
/** Lived on, or at least came back, in its network or in any other: see `livedTokens`. */
const LIVED_ANYWHERE = sql`(${LIVED_ON} or (network, token_id) in (select network, token_id from lived where has_lived_on))`;
const RETURNED = sql`(last_day > first_day or (network, token_id) in (select network, token_id from lived))`;

type Comparison = {
  /** Tokens with one of these values in the column are compared. */
  column: "network" | "device_id";
  values: SQL;
  /** Columns that an earlier token has in common. */
  group: SQL;
  /** Whether tokens that were new on the same day are earlier ones of each other. */
  isSameDayEarlier: boolean;
};

/**
 * The tokens of `newest` that came back, wherever that was: guests and people who move away return elsewhere. Reads the
 * tokens of each device once, also those of the device to which a freed token belongs since.
 */
const livedTokens = (workspace: SQL) => sql`
  select network, token_id, seen_until - first_day >= ${LIVED_ON_DAYS}::int as has_lived_on
  from (
    select token.network, token.token_id, token.first_day, max(token.last_day) over (partition by token.token_id) as seen_until
    from (
      select device_id from newest
      union
      select owner.device_id from newest cross join lateral (
        select t.device_id from device_tokens t
        where t.workspace_id = ${workspace} and t.token_id = newest.token_id offset 0) owner
    ) device cross join lateral (
      select * from network_tokens t where t.workspace_id = ${workspace} and t.device_id = device.device_id offset 0) token
  ) seen
  where seen_until > first_day`;

/**
 * The linked tokens that were not the machine of an earlier token of their group, since both lived on. An earlier token
 * counts if it came back after the link; the newest, which the linked one was taken for, also if it came back elsewhere,
 * since an owner who moved away is as much a second machine as one who stayed.
 *
 * Windows, because a subquery for each link would read its whole network, which can have tens of thousands of tokens.
 * For statistics that are older than the rows: `offset 0` prevents the planner from making a subquery a join, the order by
 * days from reading a network through the index of devices, and `- … > 0` from looking tokens up by their days.
 */
function secondMachines(workspace: SQL, { column, values, group, isSameDayEarlier }: Comparison) {
  const earlier = isSameDayEarlier ? ["before", "beside"] : ["before"];
  const latest = (expression: SQL, where: SQL) =>
    sql`greatest(${sql.join(
      earlier.map((window) => sql`max(${expression}) filter (where ${where}) over ${sql.raw(window)}`),
      sql`, `,
    )})`;
  const token = sql`array[to_char(last_day, 'YYYYMMDD'), (${LIVED_ON})::int::text, token_id::text, device_id::text] collate "C"`;
  return sql`
    select network, token_id, device_id
    from (
      select token.*, ${latest(sql`last_day`, LIVED_ON)} as lived_until, ${latest(token, sql`last_day > first_day`)} as newest
      from (${values}) compared (value) cross join lateral (
        select * from network_tokens t where t.workspace_id = ${workspace} and t.${sql.raw(column)} = value
          and (t.last_day > t.first_day or t.${LINKED})
        order by t.last_day desc offset 0) token
      window before as (partition by ${group} order by first_day, token_id rows between unbounded preceding and 1 preceding),
        beside as (partition by ${group}, first_day order by token_id desc rows between unbounded preceding and 1 preceding)
    ) n
    where ${LINKED} and ${LIVED_ANYWHERE} and (lived_until > first_day or (
      coalesce(newest[2], '0') = '1' and first_day - to_date(newest[1], 'YYYYMMDD') <= ${TOKEN_ALIVE_DAYS}::int and exists (
        select 1 from network_tokens later
        where later.workspace_id = ${workspace} and later.device_id = newest[4]::uuid and later.token_id = newest[3]::uuid
          and later.last_day - n.first_day > 0 offset 0)))`;
}

type TallyRow = {
  stratum: string;
  returned: number;
  links: number;
  wrong: number;
  recent_returned: number;
  recent_wrong: number;
  met: number;
  met_lately: number;
};

/**
 * Tallies tokens that were new in a network of the workspace by stratum, up to the newest `limit` kept. A link was
 * wrong if its token proved to be a second machine of the model.
 */
export async function tallyStrata(db: Db, workspaceId: string, limit: number): Promise<Tallies> {
  const workspace = uuid(workspaceId);
  const tallied = sql`
    with newest as materialized (
      select *, ${LINKED} as is_link, first_day <= ${TODAY} - ${SETTLED_DAYS}::int as is_settled,
        first_day > ${TODAY} - ${RECENT_DAYS}::int as is_recent, first_day > ${TODAY} - ${ARRIVAL_DAYS}::int as is_late
      from network_tokens where workspace_id = ${workspace} and stratum is not null
        and first_day > ${TODAY} - ${OBSERVATION_KEPT_DAYS}::int
      order by first_day desc limit ${limit}
    ), lived as materialized (${livedTokens(workspace)}), others as materialized (
      select distinct on (network) network, token_id from newest where ${OTHER} order by network, first_day, token_id
    ), disproved as materialized (
      ${secondMachines(workspace, {
        column: "network",
        values: sql`select distinct network from newest where is_link and ${LIVED_ANYWHERE}`,
        group: sql`network, model`,
        isSameDayEarlier: true,
      })}
    )
    select stratum,
      count(*) filter (where is_settled and is_returned)::int as returned,
      count(*) filter (where is_link and (is_settled or is_wrong))::int as links,
      count(*) filter (where is_link and is_wrong)::int as wrong,
      count(*) filter (where is_recent and is_returned)::int as recent_returned,
      count(*) filter (where is_recent and is_link and is_wrong)::int as recent_wrong,
      count(*) filter (where is_met)::int as met, count(*) filter (where is_met and is_late)::int as met_lately
    from (
      select *, (network, token_id) in (select network, token_id from disproved) as is_wrong, ${RETURNED} as is_returned,
        is_link or (network, token_id) in (select network, token_id from others) as is_met
      from newest) new_token
    group by stratum`;
  const rows = await executeFor<TallyRow>(db, workspaceId, tallied);
  return Object.fromEntries(
    rows.map(({ stratum, returned, links, wrong, ...row }) => [
      stratum,
      {
        returned,
        links,
        wrong,
        recent: { returned: row.recent_returned, wrong: row.recent_wrong },
        met: { all: row.met, lately: row.met_lately },
      },
    ]),
  );
}

/** The tallies of the workspace's last count. Undefined before the first count. */
export async function findTallies(db: Db, workspaceId: string): Promise<Tallies | undefined> {
  const [row] = await db.execute<{ tallies: Tallies | null }>(sql`
    select counts -> 'tallies' as tallies from device_populations where workspace_id = ${uuid(workspaceId)}`);
  return row?.tallies ?? undefined;
}

/** The tallies of counted workspaces, latest counts first. */
export async function listTallies(db: Db, limit: number): Promise<Tallies[]> {
  const rows = await db.execute<{ tallies: Tallies }>(sql`
    select counts -> 'tallies' as tallies from device_populations where counts ? 'tallies' order by counted_at desc limit ${limit}`);
  return rows.map(({ tallies }) => tallies);
}

/**
 * Deletes tokens that their network has not seen for so long that they are no longer evaluated.
 *
 * @returns number of rows deleted
 */
export const deleteOldTokenObservations = (db: Db, signal: AbortSignal): Promise<number> =>
  deleteByKey(db, networkTokens, sql`last_day <= ${TODAY} - ${OBSERVATION_KEPT_DAYS}::int`, signal);

/**
 * Frees tokens that were linked by evidence to the device of another machine: visits since then have shown that both
 * the token and an older token of the device lived on. A freed token is new at its next visit. Reads the newest `limit`
 * links.
 *
 * @returns number of tokens freed
 */
export async function freeDisprovedTokens(db: Db, workspaceId: string, limit: number): Promise<number> {
  const workspace = uuid(workspaceId);
  const rows = await db.execute(sql`
    with newest as materialized (
      select * from network_tokens where workspace_id = ${workspace} and ${LINKED}
      order by first_day desc limit ${limit}
    ), lived as materialized (${livedTokens(workspace)}), disproved as materialized (
      ${secondMachines(workspace, {
        column: "device_id",
        values: sql`select distinct device_id from newest where ${LIVED_ANYWHERE}`,
        group: sql`network, model, device_id`,
        isSameDayEarlier: false,
      })}
    ), bound as materialized (
      select token_id from disproved
      where (network, token_id) in (select network, token_id from newest) and exists (
        select 1 from device_tokens t
        where t.workspace_id = ${workspace} and t.token_id = disproved.token_id and t.device_id = disproved.device_id offset 0)
    )
    delete from device_tokens where workspace_id = ${workspace} and token_id = any (array(select token_id from bound))
    returning 1`);
  return rows.length;
}

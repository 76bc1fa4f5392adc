import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { executeFor, executeForEach } from "@/db/prepared";
import { idToUuid } from "@/lib/contract/ids";
import type { CountedCall, UsageOperation } from "./call";
import type { UsageOutcome } from "./domain/outcome";

const uuidOrNull = (id: string | undefined) => (id === undefined ? null : idToUuid(id));
const workspaceOf = (workspaceId: string) => sql`${idToUuid(workspaceId)}::uuid`;
const TODAY = sql`(statement_timestamp() at time zone 'UTC')::date`;

type Batch = { id: string; lines: readonly CountedCall[] };

/** `line` is the position in the whole batch, also if only a part is written. */
const batchQuery = (id: string, numbered: readonly (CountedCall & { line: number })[]) => {
  const lines = numbered.map(({ workspaceId, keyId, webAppId, operation, outcome, calls, line }) => ({
    line,
    operation,
    outcome,
    calls,
    workspace_id: idToUuid(workspaceId),
    key_id: uuidOrNull(keyId),
    web_app_id: uuidOrNull(webAppId),
  }));
  return sql`
    insert into usage_batches (workspace_id, batch_id, line, day, key_id, web_app_id, operation, outcome, calls, written_at)
    select l.workspace_id, ${id}::uuid, l.line, ${TODAY}, l.key_id, l.web_app_id, l.operation, l.outcome, l.calls, statement_timestamp()
    from json_to_recordset(${JSON.stringify(lines)}::json)
      as l(workspace_id uuid, line int, key_id uuid, web_app_id uuid, operation text, outcome text, calls int)
    on conflict do nothing returning 1 as written`;
};

/** Writes the counts of a process. Idempotent by batch id. */
export const insertBatch = (db: Db, { id, lines }: Batch): Promise<void> =>
  executeForEach(
    db,
    lines.map((call, line) => ({ line, ...call })),
    (part) => batchQuery(id, part),
  );

/** Time span aggregated by one statement, so that the backlog of a long outage is folded in several. */
const FOLDED_AT_ONCE = sql`interval '1 hour'`;

/** A mark that is further ahead was made before the clock was set back: the deliveries before it are not all counted. */
const AHEAD = sql`statement_timestamp() + interval '1 hour'`;

/** After the clock was set back: the units of today and later are counted again from the ledger. */
const countAgain = (workspace: SQL, latest: SQL) => sql`
  with reset as (
    update usage_marks set folded_until = date_trunc('day', ${latest}, 'UTC')
    where workspace_id = ${workspace} and folded_until > ${AHEAD} returning folded_until)
  update usage_days set units = 0
  where workspace_id = ${workspace} and day >= (select (folded_until at time zone 'UTC')::date from reset)`;

/**
 * Adds a workspace's counts and deliveries older than `minutes` to its days, at most an hour of them. Must run in its own
 * transaction: days, remaining batches and the ledger after the mark always add up to the total.
 *
 * @returns whether there may be more
 */
export async function foldCounts(tx: Db, workspaceId: string, minutes: number): Promise<boolean> {
  const workspace = workspaceOf(workspaceId);
  await tx.execute(
    sql`insert into usage_marks (workspace_id, folded_until) values (${workspace}, '-infinity') on conflict do nothing`,
  );
  // Serialises concurrent workers; the second one finds nothing left.
  await tx.execute(sql`select 1 from usage_marks where workspace_id = ${workspace} for update`);
  const latest = sql`statement_timestamp() - make_interval(mins => ${minutes})`;
  await tx.execute(countAgain(workspace, latest));
  const mark = sql`(select folded_until from usage_marks where workspace_id = ${workspace})`;
  const fold = sql`
    with until as materialized (
      select least(latest, oldest + ${FOLDED_AT_ONCE}) as at, coalesce(oldest + ${FOLDED_AT_ONCE} < latest, false) as has_more
      from (select ${latest} as latest, least(
        (select min(written_at) from usage_batches where workspace_id = ${workspace}),
        (select min(delivered_at) from report_deliveries where workspace_id = ${workspace} and delivered_at >= ${mark})) as oldest) times
    ), folded as (
      delete from usage_batches b using until
      where b.workspace_id = ${workspace} and b.written_at < until.at
      returning b.day, b.key_id, b.web_app_id, b.operation, b.outcome, b.calls, 0 as units
    ), delivered as (
      select (r.delivered_at at time zone 'UTC')::date as day, r.key_id, r.web_app_id, count(*) as units
      from report_deliveries r
      where r.workspace_id = ${workspace}
        and r.delivered_at >= ${mark} and r.delivered_at < (select at from until)
      group by 1, 2, 3
    ), marked as (
      update usage_marks set folded_until = greatest(folded_until, (select at from until)) where workspace_id = ${workspace}
    ), added as (
      insert into usage_days as d (workspace_id, day, key_id, web_app_id, operation, outcome, calls, units)
      select ${workspace}, day, key_id, web_app_id, operation, outcome, sum(calls), sum(units) from (
        select * from folded
        union all
        select day, key_id, web_app_id, 'readReport', 'delivered', 0, units from delivered
      ) lines group by day, key_id, web_app_id, operation, outcome
      on conflict (workspace_id, day, key_id, web_app_id, operation, outcome)
      do update set calls = d.calls + excluded.calls, units = d.units + excluded.units
    )
    select has_more from until`;
  // On the shard and in one snapshot: executed in steps by Citus, the mark would move before the ledger is read.
  const [row] = await executeFor<{ has_more: boolean }>(tx, workspaceId, fold);
  return row?.has_more ?? false;
}

/** Whether a workspace has counts that are not in its days yet. */
export async function hasUnfolded(db: Db, workspaceId: string): Promise<boolean> {
  const workspace = workspaceOf(workspaceId);
  const [row] = await db.execute<{ found: boolean }>(sql`
    select exists (select 1 from usage_batches where workspace_id = ${workspace})
      or exists (select 1 from usage_marks where workspace_id = ${workspace} and folded_until > ${AHEAD}) or exists (
      select 1 from report_deliveries where workspace_id = ${workspace}
        and delivered_at >= coalesce((select folded_until from usage_marks where workspace_id = ${workspace}), '-infinity')
    ) as found`);
  return row?.found ?? false;
}

export type UsageFilter = {
  workspaceId: string;
  /** First and last day, UTC. */
  from: string;
  to: string;
  keyId?: string | undefined;
  webAppId?: string | undefined;
};

export type UsageLine = {
  /** Dimension of the line; the columns of the other three are null. */
  by: "day" | "key" | "webApp" | "operation";
  day: string | null;
  key_id: string | null;
  web_app_id: string | null;
  operation: UsageOperation | null;
  outcome: UsageOutcome;
  calls: number;
  units: number;
};

/** Calls and units of a range by day, key, Web App and operation, each by outcome, in one snapshot. */
export async function sumUsage(db: Db, filter: UsageFilter): Promise<UsageLine[]> {
  const workspace = workspaceOf(filter.workspaceId);
  const parts = [sql`true`];
  if (filter.keyId !== undefined) parts.push(sql`key_id = ${idToUuid(filter.keyId)}::uuid`);
  if (filter.webAppId !== undefined) parts.push(sql`web_app_id = ${idToUuid(filter.webAppId)}::uuid`);
  const chosen = sql.join(parts, sql` and `);
  const inRange = sql`workspace_id = ${workspace} and day between ${filter.from}::date and ${filter.to}::date and ${chosen}`;
  const rows = await db.execute<UsageLine>(sql`
    with lines as (
      select day, key_id, web_app_id, operation, outcome, calls, units from usage_days where ${inRange}
      union all
      select day, key_id, web_app_id, operation, outcome, calls, 0 from usage_batches where ${inRange}
      union all
      select (delivered_at at time zone 'UTC')::date, key_id, web_app_id, 'readReport', 'delivered', 0, count(*)
      from report_deliveries
      where workspace_id = ${workspace} and ${chosen}
        and delivered_at >= coalesce((select folded_until from usage_marks where workspace_id = ${workspace}), '-infinity')
        and delivered_at >= ${filter.from}::date::timestamp at time zone 'UTC'
        and delivered_at < (${filter.to}::date + 1)::timestamp at time zone 'UTC'
      group by 1, 2, 3
    )
    select case grouping(day, key_id, web_app_id, operation)
        when 7 then 'day' when 11 then 'key' when 13 then 'webApp' else 'operation' end as by,
      day::text, key_id, web_app_id, operation, outcome, sum(calls)::float8 as calls, sum(units)::float8 as units
    from lines
    group by grouping sets ((day, outcome), (key_id, outcome), (web_app_id, outcome), (operation, outcome))`);
  return [...rows];
}

import { and, desc, eq, gte, type SQL, sql } from "drizzle-orm";

import { deleteByKey } from "@/db/batches";
import type { Db } from "@/db/client";
import { executeForEach } from "@/db/prepared";
import { apiKeyUses } from "@/db/schema";
import { idToUuid } from "@/lib/contract/ids";

export type CountedUse = {
  workspaceId: string;
  keyId: string;
  address: string;
  agent: string;
  operation: string;
  code: string;
  calls: number;
  requestId: string;
};

const SAME_LINE = sql`u.workspace_id = g.workspace_id and u.key_id = g.key_id and u.hour = g.hour`;

const usesQuery = (uses: readonly CountedUse[], bound: number): SQL => {
  const lines = uses.map(({ workspaceId, keyId, requestId, ...use }) => ({
    ...use,
    workspace_id: idToUuid(workspaceId),
    key_id: idToUuid(keyId),
    request_id: requestId,
  }));
  return sql`
    with given as (
      select l.*, date_trunc('hour', statement_timestamp(), 'UTC') as hour
      from json_to_recordset(${JSON.stringify(lines)}::json) as l(workspace_id uuid, key_id uuid, address text,
        agent text, operation text, code text, calls int, request_id text)
    ), seen as (
      select g.*, exists (select 1 from api_key_uses u where ${SAME_LINE} and u.address = g.address
          and u.agent = g.agent and u.operation = g.operation and u.code = g.code) as is_known,
        (select count(*) from api_key_uses u where ${SAME_LINE}) as stored
      from given g
    ), placed as (
      select s.*, is_known or stored
        + row_number() over (partition by workspace_id, key_id, is_known order by calls desc) <= ${bound} as fits
      from seen s
    ), lines as (
      select workspace_id, key_id, hour, case when fits then address else '*' end as address,
        case when fits then agent else '*' end as agent, operation, code,
        sum(calls) as calls, max(request_id) as request_id
      from placed group by 1, 2, 3, 4, 5, 6, 7
    )
    insert into api_key_uses as u (workspace_id, key_id, hour, address, agent, operation, code, calls, first_at, last_at,
      last_request_id)
    select workspace_id, key_id, hour, address, agent, operation, code, calls, statement_timestamp(), statement_timestamp(),
      request_id
    from lines order by 1, 2, 3, 4, 5, 6, 7
    on conflict (workspace_id, key_id, hour, address, agent, operation, code)
    do update set calls = u.calls + excluded.calls, last_at = greatest(u.last_at, excluded.last_at),
      last_request_id = excluded.last_request_id
    returning 1 as written`;
};

/**
 * Adds counted uses to the current hour. Once a key and hour have `bound` distinct lines, new callers are counted together
 * as `*`. Rows are written in a fixed order, so that concurrent processes cannot deadlock.
 */
export const addUses = (db: Db, uses: readonly CountedUse[], bound: number): Promise<void> =>
  executeForEach(db, uses, (part) => usesQuery(part, bound));

/** Uses of a key by hour, most recent first. */
export function listUseRows(db: Db, workspaceId: string, keyId: string, limit: number) {
  return db
    .select({
      address: apiKeyUses.address,
      agent: apiKeyUses.agent,
      operation: apiKeyUses.operation,
      code: apiKeyUses.code,
      calls: apiKeyUses.calls,
      firstAt: apiKeyUses.firstAt,
      lastAt: apiKeyUses.lastAt,
      lastRequestId: apiKeyUses.lastRequestId,
    })
    .from(apiKeyUses)
    .where(and(eq(apiKeyUses.workspaceId, workspaceId), eq(apiKeyUses.keyId, keyId)))
    .orderBy(desc(apiKeyUses.hour), desc(apiKeyUses.lastAt))
    .limit(limit);
}

/** Answered calls with a key since the start of the previous hour. */
export async function countRecentUses(db: Db, workspaceId: string, keyId: string) {
  const [row] = await db
    .select({
      calls: sql<number>`coalesce(sum(${apiKeyUses.calls}), 0)::int`,
      since: sql`date_trunc('hour', now(), 'UTC') - interval '1 hour'`.mapWith(apiKeyUses.hour),
    })
    .from(apiKeyUses)
    .where(
      and(
        eq(apiKeyUses.workspaceId, workspaceId),
        eq(apiKeyUses.keyId, keyId),
        eq(apiKeyUses.code, ""),
        gte(apiKeyUses.hour, sql`date_trunc('hour', now(), 'UTC') - interval '1 hour'`),
      ),
    );
  return row;
}

/** Calls of the last 24 hours by key and error code. */
export function countUsesByCode(db: Db, workspaceId: string) {
  return db
    .select({
      keyId: apiKeyUses.keyId,
      code: apiKeyUses.code,
      calls: sql<number>`sum(${apiKeyUses.calls})::int`,
    })
    .from(apiKeyUses)
    .where(and(eq(apiKeyUses.workspaceId, workspaceId), gte(apiKeyUses.hour, sql`now() - interval '24 hours'`)))
    .groupBy(apiKeyUses.keyId, apiKeyUses.code);
}

/** Deletes uses older than `days`; returns the number deleted. */
export const deleteOldUses = (db: Db, days: number, signal: AbortSignal): Promise<number> =>
  deleteByKey(db, apiKeyUses, sql`hour < now() - make_interval(days => ${days}::int)`, signal);

import { and, desc, eq, gte, lt, ne, type SQL, sql } from "drizzle-orm";

import { deleteByKey } from "@/db/batches";
import type { Db } from "@/db/client";
import { toolCalls } from "@/db/schema";
import { ownRetention } from "@/lib/tenancy/workspaces";
import type { Position } from "@/lib/platform/cursor";
import { behind, positionColumns } from "@/lib/platform/queries-cursor";
import { idToUuid } from "@/lib/contract/ids";
import type { ToolCallFilter } from "./domain/tool-call-filter";

export type NotedCall = {
  workspaceId: string;
  callId: string;
  grantId: string;
  userId: string;
  clientId: string;
  clientName: string;
  tool: string;
  imprint: string | null;
  /** Error code if the call was refused; empty if it was answered. */
  code: string;
  durationMs: number;
  requestId: string;
  /** Time between the call and its write. */
  ageMs: number;
};

/**
 * Writes calls, and each connection's latest answered call. Connections are locked in a fixed order, so that concurrent
 * processes never deadlock.
 */
export async function insertToolCalls(db: Db, calls: readonly NotedCall[]): Promise<void> {
  const lines = calls.map((call) => ({
    workspace_id: idToUuid(call.workspaceId),
    call_id: idToUuid(call.callId),
    grant_id: call.grantId,
    user_id: call.userId,
    client_id: call.clientId,
    client_name: call.clientName,
    tool: call.tool,
    imprint: call.imprint === null ? null : idToUuid(call.imprint),
    code: call.code,
    duration_ms: call.durationMs,
    request_id: call.requestId,
    age_ms: call.ageMs,
  }));
  const [clock] = await db.execute<{ now: string }>(sql`select now()::text as now`);
  const given = sql`(
    select l.*, ${clock?.now}::timestamptz - l.age_ms * interval '1 millisecond' as called_at
    from json_to_recordset(${JSON.stringify(lines)}::json) as l(workspace_id uuid, call_id uuid, grant_id text,
      user_id text, client_id text, client_name text, tool text, imprint uuid, code text, duration_ms int,
      request_id text, age_ms float8)) given`;
  // The idempotent update comes first, because the caller retries after a failure.
  await db.execute(sql`
    with latest as (
      select distinct on (workspace_id, grant_id) workspace_id, grant_id, called_at, tool
      from ${given} where code = '' order by workspace_id, grant_id, called_at desc
    ), locked as (
      select c.workspace_id, c.grant_id, l.called_at, l.tool
      from oauth_connections c join latest l using (workspace_id, grant_id)
      where c.last_called_at is null or c.last_called_at < l.called_at
      order by 1, 2 for no key update of c
    )
    update oauth_connections c set last_called_at = l.called_at, last_tool = l.tool
    from locked l where c.workspace_id = l.workspace_id and c.grant_id = l.grant_id`);
  await db.execute(sql`
    insert into tool_calls (workspace_id, call_id, called_at, grant_id, user_id, client_id, client_name, tool, imprint,
      code, duration_ms, request_id)
    select workspace_id, call_id, called_at, grant_id, user_id, client_id, client_name, tool, imprint, code,
      duration_ms, request_id
    from ${given}`);
}

function outcomeIs(outcome: string | undefined): SQL | undefined {
  if (outcome === undefined) return undefined;
  if (outcome === "refused") return ne(toolCalls.code, "");
  return eq(toolCalls.code, outcome === "answered" ? "" : outcome);
}

const matches = ({ tool, clientId, userId, imprint, outcome, from, to }: ToolCallFilter) =>
  and(
    tool === undefined ? undefined : eq(toolCalls.tool, tool),
    clientId === undefined ? undefined : eq(toolCalls.clientId, clientId),
    userId === undefined ? undefined : eq(toolCalls.userId, userId),
    imprint === undefined ? undefined : eq(toolCalls.imprint, imprint),
    outcomeIs(outcome),
    from === undefined ? undefined : gte(toolCalls.calledAt, from),
    to === undefined ? undefined : lt(toolCalls.calledAt, to),
  );

/** Lists a workspace's calls before `position`, newest first. */
export function listToolCallRows(
  db: Db,
  workspaceId: string,
  page: { position: Position | undefined; limit: number; filter: ToolCallFilter },
) {
  const before = behind(toolCalls.calledAt, toolCalls.callId, page.position);
  return db
    .select({
      position: positionColumns(toolCalls.calledAt, toolCalls.callId),
      call: {
        callId: toolCalls.callId,
        calledAt: toolCalls.calledAt,
        grantId: toolCalls.grantId,
        userId: toolCalls.userId,
        clientId: toolCalls.clientId,
        clientName: toolCalls.clientName,
        tool: toolCalls.tool,
        imprint: toolCalls.imprint,
        code: toolCalls.code,
        durationMs: toolCalls.durationMs,
        requestId: toolCalls.requestId,
      },
    })
    .from(toolCalls)
    .where(and(eq(toolCalls.workspaceId, workspaceId), matches(page.filter), before))
    .orderBy(desc(toolCalls.calledAt), desc(toolCalls.callId))
    .limit(page.limit);
}

/** Deletes tool calls older than `days` or than their workspace's own retention; returns how many. */
export const deleteToolCallsOlderThan = (db: Db, days: number, signal: AbortSignal): Promise<number> =>
  deleteByKey(
    db,
    toolCalls,
    sql`called_at < now() - make_interval(days => least(${days}::int, ${ownRetention(sql`${toolCalls}`)}))`,
    signal,
  );

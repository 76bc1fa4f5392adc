import type { Context } from "@/lib/platform/context";
import { pageOf, pageSize, requirePosition } from "@/lib/platform/cursor";
import { idPattern } from "@/lib/contract/ids";
import type { ToolCallFilter } from "./domain/tool-call-filter";
import { listToolCallRows } from "./queries-calls";
import { requireOwnOrAll } from "./require-own-or-all";

const MAX_PAGE = 200;

type ListToolCalls = {
  workspaceId: string;
  /** Lists everyone's calls, which requires `oauthClient.manage`, instead of the actor's own. */
  isAll: boolean;
  cursor?: string | undefined;
  limit?: number | undefined;
  filter?: ToolCallFilter | undefined;
};

export type ToolCall = Awaited<ReturnType<typeof listToolCallRows>>[number]["call"];

/**
 * Lists one page of tool calls by connected clients, newest first: who, with which client, which tool, which imprint,
 * and the outcome.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request` for a cursor of another list
 */
export async function listToolCalls(context: Context, input: ListToolCalls) {
  const { workspaceId, isAll, cursor, limit = 50, filter = {} } = input;
  const own = await requireOwnOrAll(context, workspaceId, isAll);
  const position = requirePosition("toolCall", cursor, "log");
  const { imprint } = filter;
  if (imprint !== undefined && !idPattern("imprint").test(imprint))
    return { calls: [] satisfies ToolCall[], nextCursor: undefined };
  const size = pageSize(limit, MAX_PAGE);
  const wanted = own === undefined ? filter : { ...filter, userId: own };
  const rows = await listToolCallRows(context.db, workspaceId, { position, limit: size + 1, filter: wanted });
  const { shown, nextCursor } = pageOf(rows, size, (row) => row.position);
  return { calls: shown.map(({ call }): ToolCall => call), nextCursor };
}

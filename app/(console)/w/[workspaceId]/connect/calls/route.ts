import { answerMcpCalls } from "@/app/_server/mcp-calls";
import { defineSessionRoute } from "@/app/_server/session-route";
import { AppError } from "@/lib/errors";

/** Polled by the page that waits for the first tool call. */
export const GET = defineSessionRoute<{ workspaceId: string }>(async (context, { workspaceId }, query) => {
  const since = new Date(query.get("since") ?? "");
  if (Number.isNaN(since.getTime())) throw new AppError("invalid_request");
  return Response.json(await answerMcpCalls(context, workspaceId, since));
});

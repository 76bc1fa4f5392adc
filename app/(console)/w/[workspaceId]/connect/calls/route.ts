import { defineSessionRoute } from "@/app/_server/session-route";
import { AppError } from "@/lib/contract/errors";
import { parseInstant } from "@/lib/platform/calendar";
import { answerMcpCalls } from "./answer";

/** Polled by the page that waits for the first tool call. */
export const GET = defineSessionRoute<{ workspaceId: string }>(async (context, { workspaceId }, query) => {
  const since = parseInstant(query.get("since") ?? "");
  if (!since) throw new AppError("invalid_request");
  return Response.json(await answerMcpCalls(context, workspaceId, since));
});

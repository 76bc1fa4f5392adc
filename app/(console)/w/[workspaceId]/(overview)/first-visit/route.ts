import { answerFirstVisit } from "./answer";
import { defineSessionRoute } from "@/app/_server/session-route";
import { parseInstant } from "@/lib/platform/calendar";
import { AppError } from "@/lib/contract/errors";

/** Polled by the page that waits for the first visit. */
export const GET = defineSessionRoute<{ workspaceId: string }>(async (context, { workspaceId }, query) => {
  const since = parseInstant(query.get("since") ?? "");
  if (!since) throw new AppError("invalid_request");
  return Response.json(await answerFirstVisit(context, workspaceId, since));
});

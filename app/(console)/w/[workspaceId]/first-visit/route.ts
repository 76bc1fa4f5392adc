import { answerFirstVisit } from "@/app/_server/first-visit";
import { defineSessionRoute } from "@/app/_server/session-route";
import { AppError } from "@/lib/errors";

/** Polled by the page that waits for the first visit. */
export const GET = defineSessionRoute<{ workspaceId: string }>(async (context, { workspaceId }, query) => {
  const since = new Date(query.get("since") ?? "");
  if (Number.isNaN(since.getTime())) throw new AppError("invalid_request");
  return Response.json(await answerFirstVisit(context, workspaceId, since));
});

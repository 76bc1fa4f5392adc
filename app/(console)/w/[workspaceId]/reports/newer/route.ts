import { defineSessionRoute } from "@/app/_server/session-route";
import { pageZone } from "@/app/_server/zone";
import { parseReportQuery, timeRange } from "@/components/report/report-query";
import { listReports } from "@/lib/visits/reports";
import type { NewerAnswer } from "../_components/live-tail";
import { filterOf } from "../filter";

const MAX_COUNTED = 100;

/** Counts the Reports of a filtered list that arrived after its first one. */
export const GET = defineSessionRoute<{ workspaceId: string }>(async (context, { workspaceId }, parameters) => {
  const query = parseReportQuery(Object.fromEntries(parameters));
  const { from, to } = timeRange(query, context.now, await pageZone());
  const filter = { ...filterOf(workspaceId, query), from, to, limit: MAX_COUNTED };
  const { items, newer } = await listReports(context, { ...filter, after: query.after });
  const answer: NewerAnswer = { count: items.length, hasMore: newer !== null };
  return Response.json(answer);
});

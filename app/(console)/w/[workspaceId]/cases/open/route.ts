import { defineSessionRoute } from "@/app/_server/session-route";
import { listCases } from "@/lib/tenancy/cases";

/** Open cases by name, for the dialog that adds something to a case. */
export const GET = defineSessionRoute<{ workspaceId: string }>(async (context, { workspaceId }) => {
  const { cases } = await listCases(context, { workspaceId, statuses: ["open", "in_progress"] });
  return Response.json({ names: cases.map(({ caseId, name }) => ({ id: caseId, name })) });
});

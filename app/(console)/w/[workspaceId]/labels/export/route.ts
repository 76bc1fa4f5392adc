import { defineSessionRoute, streamedFile } from "@/app/_server/session-route";
import { authorize } from "@/lib/tenancy/workspaces";
import { exportLabels } from "@/lib/visits/labels";

/** The labels of a workspace as a file that can be imported again. */
export const GET = defineSessionRoute<{ workspaceId: string }>(async (context, { workspaceId }) => {
  await authorize(context, workspaceId, "report.read");
  const name = `labels-${context.now.toISOString().slice(0, 10)}.csv`;
  return streamedFile(context, name, "text/csv", exportLabels(context, { workspaceId }));
});

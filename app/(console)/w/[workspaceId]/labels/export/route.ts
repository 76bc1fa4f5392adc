import { defineFileRoute } from "@/app/_server/file-route";
import { exportLabels } from "@/lib/visits/labels";

/** The labels of a workspace as a file that can be imported again. */
export const GET = defineFileRoute("report.read", (context, { workspaceId }) => ({
  name: `labels-${context.now.toISOString().slice(0, 10)}.csv`,
  type: "text/csv",
  open: () => Promise.resolve(exportLabels(context, { workspaceId })),
}));

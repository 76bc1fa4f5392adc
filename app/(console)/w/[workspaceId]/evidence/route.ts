import { defineFileRoute } from "@/app/_server/file-route";
import { exportEvidence } from "@/lib/visits/investigation";

/** The evidence of one visit, device, address or account as a file. */
export const GET = defineFileRoute("evidence.export", (context, { workspaceId }, query) => {
  const format = query.get("format") === "csv" ? "csv" : "html";
  const item = query.get("of") ?? "";
  return {
    name: `evidence.${format}`,
    type: `text/${format}`,
    open: async () => (await exportEvidence(context, { workspaceId, item, format })).parts,
  };
});

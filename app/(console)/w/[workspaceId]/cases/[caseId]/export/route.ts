import { defineFileRoute } from "@/app/_server/file-route";
import { exportCase } from "@/lib/visits/investigation";

/** The evidence of a case as a file. */
export const GET = defineFileRoute<{ workspaceId: string; caseId: string }>(
  "evidence.export",
  (context, params, query) => {
    const format = query.get("format") === "csv" ? "csv" : "html";
    return {
      name: `evidence.${format}`,
      type: `text/${format}`,
      open: async () => (await exportCase(context, { ...params, format })).parts,
    };
  },
);

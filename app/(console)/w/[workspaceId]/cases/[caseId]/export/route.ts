import { defineSessionRoute, fileAnswer } from "@/app/_server/session-route";
import { exportCase } from "@/lib/visits/investigation";

/** The evidence of a case as a file. */
export const GET = defineSessionRoute<{ workspaceId: string; caseId: string }>(async (context, params, query) => {
  const format = query.get("format") === "csv" ? "csv" : "html";
  const { name, text } = await exportCase(context, { ...params, format });
  return fileAnswer(name, `text/${format}`, text);
});

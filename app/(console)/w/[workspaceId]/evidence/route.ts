import { defineSessionRoute, fileAnswer } from "@/app/_server/session-route";
import { exportEvidence } from "@/lib/visits/investigation";

/** The evidence of one visit, device, address or account as a file. */
export const GET = defineSessionRoute<{ workspaceId: string }>(async (context, { workspaceId }, query) => {
  const format = query.get("format") === "csv" ? "csv" : "html";
  const { name, text } = await exportEvidence(context, { workspaceId, item: query.get("of") ?? "", format });
  return fileAnswer(name, `text/${format}`, text);
});

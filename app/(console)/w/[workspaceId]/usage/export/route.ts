import { fileAnswer } from "@/app/_server/file-route";
import { defineSessionRoute } from "@/app/_server/session-route";
import { readUsage, USAGE_OUTCOMES } from "@/lib/metering";
import { readUsageQuery, usageRange } from "../_components/usage-query";

/** Units and calls by day as the page shows them. Only dates and numbers: nothing to escape. */
export const GET = defineSessionRoute<{ workspaceId: string }>(async (context, { workspaceId }, params) => {
  const query = readUsageQuery(Object.fromEntries(params), context.now);
  const { webAppId, keyId, month } = query;
  const { days } = await readUsage(context, { workspaceId, webAppId, keyId, ...usageRange(query, context.now) });
  const lines = days.map(({ date, units, calls, outcomes }) =>
    [date, units, calls, ...USAGE_OUTCOMES.map((outcome) => outcomes[outcome] ?? 0)].join(","),
  );
  const text = [["day", "units", "calls", ...USAGE_OUTCOMES].join(","), ...lines, ""].join("\r\n");
  return fileAnswer(`usage-${month}.csv`, "text/csv", text);
});

import { defineFileRoute } from "@/app/_server/file-route";
import { pageZone } from "@/app/_server/zone";
import { parseReportQuery, timeRange } from "@/components/report/report-query";
import { AppError } from "@/lib/contract/errors";
import { EXPORT_FORMATS, exportReports } from "@/lib/visits/reports";
import { filterOf } from "../filter";

const TYPES = { csv: "text/csv", json: "application/json" } as const;

/** The Reports of a filtered list as a file, streamed from the database at the speed of the client. */
export const GET = defineFileRoute("report.read", async (context, { workspaceId }, parameters) => {
  const format = EXPORT_FORMATS.find((known) => known === parameters.get("format"));
  if (!format) throw new AppError("invalid_request", { message: "format: csv or json" });
  const query = parseReportQuery(Object.fromEntries(parameters));
  const { from, to } = timeRange(query, context.now, await pageZone());
  return {
    name: `reports-${context.now.toISOString().slice(0, 10)}.${format}`,
    type: TYPES[format],
    open: () => exportReports(context, { ...filterOf(workspaceId, query), from, to, format }),
  };
});

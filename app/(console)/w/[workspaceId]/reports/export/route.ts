import { filterOf } from "@/app/_server/report-filter";
import { answerSession, NO_STORE, sessionContext, streamOf } from "@/app/_server/session-route";
import { parseReportQuery, timeRange } from "@/components/report/report-query";
import { UTC } from "@/components/ui/zone";
import { AppError } from "@/lib/errors";
import { EXPORT_FORMATS, exportReports } from "@/lib/reports";

type Props = { params: Promise<{ workspaceId: string }> };

const TYPES = { csv: "text/csv; charset=utf-8", json: "application/json" } as const;

/** The Reports that a list's address shows, as a file. It is read from the database as fast as the browser takes it. */
export function GET(request: Request, { params }: Props): Promise<Response> {
  return answerSession(async () => {
    const context = await sessionContext();
    const { workspaceId } = await params;
    const raw = Object.fromEntries(new URL(request.url).searchParams);
    const format = EXPORT_FORMATS.find((known) => known === raw["format"]);
    if (!format) throw new AppError("invalid_request", { message: "format: csv or json" });
    const query = parseReportQuery(raw);
    const { from, to } = timeRange(query, context.now, UTC);
    const lines = await exportReports(context, { ...filterOf(workspaceId, query), from, to, format });
    const name = `reports-${context.now.toISOString().slice(0, 10)}.${format}`;
    const headers = { "Content-Type": TYPES[format], "Content-Disposition": `attachment; filename="${name}"` };
    return new Response(streamOf(lines), { headers: { ...headers, ...NO_STORE } });
  });
}

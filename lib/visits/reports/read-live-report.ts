import { AppError } from "@/lib/contract/errors";
import type { Context } from "@/lib/platform/context";
import { resolveEnvironment } from "@/lib/tenancy/web-apps";
import { type ConsoleReport, readReportForConsole } from "./read-report-for-console";

/** How long after a visit its visitor may read its Report. */
const LIVE_MS = 300_000;

type Input = { environmentId: string; imprint: string };

/**
 * Reads the Report of a visit that this browser has just made on the public demo. The imprint alone is not enough: the
 * visit must belong to the demo's Web App, be a few minutes old at most, and come from the requesting address.
 *
 * @throws AppError `report_not_found`
 */
export async function readLiveReport(
  { address, ...rest }: Omit<Context, "actor">,
  { environmentId, imprint }: Input,
): Promise<ConsoleReport> {
  const environment = await resolveEnvironment(rest.db, environmentId);
  if (!environment) throw new AppError("report_not_found");
  const context: Context = { ...rest, actor: { kind: "system" } };
  const view = await readReportForConsole(context, { workspaceId: environment.workspaceId, imprint });
  const { observed_ip: visitor } = view.report.network;
  const isOfDemo = view.webApp.id === environment.webAppId;
  const isRecent = context.now.getTime() - Date.parse(view.report.created_at) < LIVE_MS;
  const isOwn = visitor === undefined || visitor === address;
  if (!isOfDemo || !isRecent || !isOwn) throw new AppError("report_not_found");
  return view;
}

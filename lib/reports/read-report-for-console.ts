import type { Context } from "@/lib/context";
import { type Reason, Report, type ReportStatus } from "@/lib/contract/report";
import { AppError } from "@/lib/errors";
import { idPattern, uuidToId } from "@/lib/ids";
import type { Evidence } from "@/lib/risk";
import { authorize } from "@/lib/workspaces";
import { withoutPlaces } from "./domain/without-places";
import { findVisit, listDeviceVisits } from "./queries-console";

export type FindingDetail = {
  reason: Reason;
  status: ReportStatus;
  ruleId: string;
  /** What was seen, in a sentence. */
  text: string;
  evidence: { label: string; value: string; isOdd: boolean }[];
  harmlessCauses: string[];
};

export type ConsoleReport = {
  /** Without addresses and places for members who may not see them. */
  report: Report;
  reportJson: string;
  addressesVisible: boolean;
  webApp: { id: string; name: string };
  surface: string;
  origin: string;
  rulesVersion: string;
  recognisedBy: string;
  findings: FindingDetail[];
  /** Visits of this device in the last 90 days, oldest first, at most 200. */
  deviceVisits: { imprint: string; recordedAt: Date; status: ReportStatus }[];
};

const DEVICE_VISITS_DAYS = 90;
const MOST_DEVICE_VISITS = 200;
const DAY_MS = 86_400_000;

const toDetail = (entry: Evidence): FindingDetail => ({
  reason: entry.reason,
  status: entry.status,
  ruleId: entry.ruleId,
  text: entry.explanation,
  evidence: [...entry.compared],
  harmlessCauses: [...entry.harmlessCauses],
});

/**
 * One Report with what it rests on, for people. Reading it here uses no report unit.
 *
 * @throws AppError not_found, forbidden, report_not_found
 */
export async function readReportForConsole(
  context: Context,
  input: { workspaceId: string; imprint: string },
): Promise<ConsoleReport> {
  const access = await authorize(context, input.workspaceId, "report.read");
  const visit = idPattern("imprint").test(input.imprint)
    ? await findVisit(context.db, input.workspaceId, input.imprint)
    : undefined;
  if (!visit) throw new AppError("report_not_found");
  const stored = Report.parse(JSON.parse(visit.report));
  const report = access.canSeeAddresses ? stored : withoutPlaces(stored);
  const since = new Date(context.now.getTime() - DEVICE_VISITS_DAYS * DAY_MS);
  return {
    report,
    reportJson: access.canSeeAddresses ? visit.report : JSON.stringify(report),
    addressesVisible: access.canSeeAddresses,
    webApp: { id: uuidToId("webApp", visit.web_app_id), name: visit.web_app_name },
    surface: visit.surface,
    origin: visit.origin,
    rulesVersion: visit.rules_version,
    recognisedBy: visit.access_count > 1 ? "Device token" : "First visit of this device",
    findings: visit.evidence.risk.map(toDetail),
    deviceVisits: await listDeviceVisits(context.db, input.workspaceId, visit.device_id, since, MOST_DEVICE_VISITS),
  };
}

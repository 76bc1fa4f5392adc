import { recordAudit } from "@/lib/platform/audit";
import { readVisitAccount, type VisitAccount } from "@/lib/visits/account-map";
import type { Context } from "@/lib/platform/context";
import { type Reason, Report, type ReportStatus } from "@/lib/contract/report";
import type { IdentityRecord } from "@/lib/visits/devices";
import { AppError } from "@/lib/contract/errors";
import { idPattern, idToUuid, uuidToId } from "@/lib/contract/ids";
import { readLabels, type VisitLabels } from "@/lib/visits/labels";
import type { Evidence } from "@/lib/visits/risk";
import { authorize, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { withoutPlaces } from "./domain/without-places";
import { findVisit, listDeviceVisits } from "@/lib/visits/visit-store";
import { DAY_MS } from "@/lib/platform/calendar";

export type FindingDetail = {
  reason: Reason;
  status: ReportStatus;
  ruleId: string;
  /** The standard or measurement behind the rule. */
  source: string;
  /** What was seen, in one sentence. */
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
  /** Name of the automated agent that signed the visit's request. */
  agent: string | undefined;
  findings: FindingDetail[];
  /** Findings of rules that are only observed, which are not part of the Report. */
  observed: FindingDetail[];
  labels: VisitLabels;
  /** The account linked to the visit, if any; `restricted` for plans without Account Map. */
  account: VisitAccount | "none" | "restricted";
  deviceVisits: DeviceVisits;
};

/** Visits of a device over the last 90 days, oldest first, limited to the newest 200. */
export type DeviceVisits = { imprint: string; recordedAt: Date; status: ReportStatus }[];

const DEVICE_VISITS_DAYS = 90;
const MAX_DEVICE_VISITS = 200;

const sinceOf = (now: Date) => new Date(now.getTime() - DEVICE_VISITS_DAYS * DAY_MS);

const HIDDEN = "not visible to your role";

/** A finding for people, without places for those who may not see them. */
export const toDetail = (entry: Evidence, addressesVisible: boolean): FindingDetail => ({
  reason: entry.reason,
  status: entry.status,
  ruleId: entry.ruleId,
  source: entry.source,
  text: entry.explanation,
  evidence: entry.compared.map(({ label, value, isOdd, isPlace }) => ({
    label,
    value: isPlace && !addressesVisible ? HIDDEN : value,
    isOdd,
  })),
  harmlessCauses: [...entry.harmlessCauses],
});

function recognisedBy(identity: IdentityRecord | undefined, accessCount: number): string {
  if (identity?.by === "evidence" && identity.outcome === "linked")
    return `Evidence, ${(identity.confidence * 100).toFixed(1)} %`;
  return accessCount > 1 ? "Device token" : "First visit of this device";
}

/**
 * Reads a Report with its evidence, for people. Uses no report unit. Recorded in the audit log if the workspace wants
 * that.
 *
 * @throws AppError `not_found`, `forbidden`, `report_not_found`
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
  const { actor } = context;
  if (access.logsReportViews && (actor.kind === "user" || actor.kind === "oauthClient"))
    await recordAudit(context.db, context, {
      workspaceId: input.workspaceId,
      action: "report.view",
      target: input.imprint,
      // A client's id does not reveal which user it acts for.
      detail: { addresses: access.canSeeAddresses, ...(actor.kind === "oauthClient" && { userId: actor.userId }) },
    });
  const stored = Report.parse(JSON.parse(visit.report));
  const report = access.canSeeAddresses ? stored : withoutPlaces(stored);
  const { workspaceId, imprint } = input;
  const [account, deviceVisits, labels] = await Promise.all([
    PLAN_LIMITS[access.plan].hasAccountMap
      ? readVisitAccount(context, { workspaceId, imprint })
      : ("restricted" as const),
    listDeviceVisits(context.db, workspaceId, visit.device_id, sinceOf(context.now), MAX_DEVICE_VISITS),
    readLabels(context, { workspaceId, imprint, deviceId: report.device.id }),
  ]);
  return {
    report,
    reportJson: access.canSeeAddresses ? visit.report : JSON.stringify(report),
    addressesVisible: access.canSeeAddresses,
    webApp: { id: uuidToId("webApp", visit.web_app_id), name: visit.web_app_name },
    surface: visit.surface,
    origin: visit.origin,
    rulesVersion: visit.rules_version,
    recognisedBy: recognisedBy(visit.evidence.identity, visit.access_count),
    agent: visit.agent ?? undefined,
    findings: visit.evidence.risk.map((entry) => toDetail(entry, access.canSeeAddresses)),
    observed: (visit.evidence.observed ?? []).map((entry) => toDetail(entry, access.canSeeAddresses)),
    labels,
    account: account ?? "none",
    deviceVisits,
  };
}

/**
 * Lists when a device visited and with which verdicts, for its timeline.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readDeviceVisits(
  context: Context,
  { workspaceId, deviceId }: { workspaceId: string; deviceId: string },
): Promise<DeviceVisits> {
  await authorize(context, workspaceId, "report.read");
  if (!idPattern("device").test(deviceId)) throw new AppError("not_found");
  const since = sinceOf(context.now);
  return await listDeviceVisits(context.db, workspaceId, idToUuid(deviceId), since, MAX_DEVICE_VISITS);
}

import { type Reason, REPORT_STATUSES, type ReportStatus } from "@/lib/contract/report";

export type FindingView = {
  reason: Reason;
  status: ReportStatus;
  ruleId: string;
  source: string;
  text: string;
  evidence: readonly { label: string; value: string; isOdd: boolean }[];
  harmlessCauses: readonly string[];
};

export type FindingGroup = { reason: Reason; status: ReportStatus; findings: FindingView[] };

const severity = (status: ReportStatus) => REPORT_STATUSES.indexOf(status);

/** Findings grouped by reason, under the most severe status, most severe group first. */
export function groupFindings(findings: readonly FindingView[]): FindingGroup[] {
  const groups = new Map<Reason, FindingGroup>();
  for (const finding of findings) {
    const group = groups.get(finding.reason) ?? { reason: finding.reason, status: finding.status, findings: [] };
    group.findings.push(finding);
    if (severity(finding.status) > severity(group.status)) group.status = finding.status;
    groups.set(finding.reason, group);
  }
  return [...groups.values()].sort((a, b) => severity(b.status) - severity(a.status));
}

import type { Label } from "@/lib/contract/labels";
import type { ReportStatus } from "@/lib/contract/report";
import { firedRules } from "@/lib/visits/risk";
import type { Chance } from "./domain/chance";
import type { DemoVisit } from "./compose-visits";

/** Share of devices with each label, by their worst verdict. Some labels are wrong, as in practice. */
const SHARES: Record<ReportStatus, readonly (readonly [Label, number])[]> = {
  PASS: [
    ["legitimate", 0.12],
    ["tester", 0.01],
    ["fraud", 0.004],
  ],
  SUSPICIOUS: [
    ["fraud", 0.25],
    ["legitimate", 0.15],
  ],
  DECEPTIVE: [
    ["fraud", 0.6],
    ["legitimate", 0.02],
  ],
};
const SEVERITY: readonly ReportStatus[] = ["PASS", "SUSPICIOUS", "DECEPTIVE"];

/** The visits in which each rule fired, newest first. Without labels, a rule's accuracy cannot be measured. */
function visitsOfRules(visits: readonly DemoVisit[]): Map<string, DemoVisit[]> {
  const fired = new Map<string, DemoVisit[]>();
  for (const visit of visits.toReversed())
    for (const { ruleId } of firedRules({ evidence: visit.evidence.risk, observed: [] })) {
      const others = fired.get(ruleId);
      if (others) others.push(visit);
      else fired.set(ruleId, [visit]);
    }
  return fired;
}

/** Labels of some devices, as a support team might have set them; at least one for every rule that fired. */
export function labelRows(visits: readonly DemoVisit[], workspaceId: string, chance: Chance) {
  const worst = new Map<string, ReportStatus>();
  for (const { deviceId, report } of visits) {
    const { status } = report.value.risk;
    const before = worst.get(deviceId) ?? "PASS";
    worst.set(deviceId, SEVERITY.indexOf(status) > SEVERITY.indexOf(before) ? status : before);
  }
  const labels = new Map<string, Label>();
  for (const [deviceId, status] of worst) {
    const label = SHARES[status].find(([, share]) => chance.isTrue(share))?.[0];
    if (label !== undefined) labels.set(deviceId, label);
  }
  for (const fired of visitsOfRules(visits).values()) {
    const [newest] = fired;
    if (newest && !fired.some(({ deviceId }) => labels.has(deviceId)))
      labels.set(newest.deviceId, newest.planned.agent ? "legitimate" : "fraud");
  }
  return [...labels].map(([deviceId, label]) => ({ workspaceId, deviceId, label }));
}

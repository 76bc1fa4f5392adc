import type { Label } from "@/lib/contract/labels";
import type { ReportStatus } from "@/lib/contract/report";
import type { Chance } from "./domain/chance";
import type { DemoVisit } from "./compose-visits";

/** How many devices of each worst verdict somebody labelled, as shares: some of them wrongly, as people do. */
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

/** Labels of some devices, as a support team would have set them. */
export function labelRows(visits: readonly DemoVisit[], workspaceId: string, chance: Chance) {
  const worst = new Map<string, ReportStatus>();
  for (const { deviceId, report } of visits) {
    const { status } = report.value.risk;
    const before = worst.get(deviceId) ?? "PASS";
    worst.set(deviceId, SEVERITY.indexOf(status) > SEVERITY.indexOf(before) ? status : before);
  }
  return [...worst].flatMap(([deviceId, status]) => {
    const label = SHARES[status].find(([, share]) => chance.isTrue(share))?.[0];
    return label === undefined ? [] : [{ workspaceId, deviceId, label }];
  });
}

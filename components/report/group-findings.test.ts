import { expect, test } from "vitest";

import type { Reason, ReportStatus } from "@/lib/contract/report";
import { groupFindings } from "./group-findings";

const finding = (reason: Reason, status: ReportStatus, ruleId: string) => ({
  reason,
  status,
  ruleId,
  source: "",
  text: "",
  evidence: [],
  harmlessCauses: [],
});

test("findings are grouped by reason under the most severe status, most severe first, and none is lost", () => {
  const groups = groupFindings([
    finding("PROXY_DETECTED", "SUSPICIOUS", "a"),
    finding("AUTOMATION_DETECTED", "SUSPICIOUS", "b"),
    finding("AUTOMATION_DETECTED", "DECEPTIVE", "c"),
  ]);
  expect(groups.map(({ reason, status }) => [reason, status])).toEqual([
    ["AUTOMATION_DETECTED", "DECEPTIVE"],
    ["PROXY_DETECTED", "SUSPICIOUS"],
  ]);
  expect(groups.flatMap((group) => group.findings.map(({ ruleId }) => ruleId))).toEqual(["b", "c", "a"]);
  expect(groupFindings([])).toEqual([]);
});

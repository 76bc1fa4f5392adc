import { toDetail } from "@/lib/visits/reports";
import { composeVisits } from "./compose-visits";
import { createChance } from "./domain/chance";
import { planVisits } from "./plan-visits";

const SEED = 7;
const UNTIL = new Date("2026-11-21T12:00:00Z");
const DAYS = 30;
/** Fixed ids, so that the same rules give the same example. */
const IMPRINT = "imp_01a1fb3e52c07d2b8f4a6c09e1d37b58";
const DEVICE = "dev_3f9c6b81d2e04a7795c1f80a6be2d493";

/**
 * Returns an example visit with its findings: the first one that is DECEPTIVE for at least two reasons and whose device
 * was seen before.
 */
export function exampleVisit() {
  const chance = createChance(SEED);
  const { visits } = composeVisits(planVisits(chance, UNTIL, DAYS), chance);
  const found = visits.find(({ report: { value }, accessCount }) => {
    const reasons = new Set(value.risk.reasons);
    return value.risk.status === "DECEPTIVE" && reasons.size >= 2 && accessCount > 1;
  });
  if (!found) throw new Error("The demo data contain no suitable example visit");
  const { value } = found.report;
  return {
    report: { ...value, imprint: IMPRINT, device: { ...value.device, id: DEVICE } },
    rulesVersion: found.rulesVersion,
    surface: found.planned.surface,
    findings: found.evidence.risk.map((entry) => toDetail(entry, true)),
  };
}

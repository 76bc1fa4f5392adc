import { checkEvidence, type Evidence } from "@/lib/visits/risk/domain/evidence";

/**
 * Rules about submissions that were not made for their challenge, with the reason of each. The ids are stored with
 * visits.
 */
export const REPEAT_RULES = {
  "repeat.proof-missing": "SIGNAL_DATA_INCOMPLETE",
  "repeat.proof-wrong": "ENVIRONMENT_INCONSISTENT",
  "repeat.drawing-wrong": "ENVIRONMENT_INCONSISTENT",
  "repeat.timings-missing": "SIGNAL_DATA_INCOMPLETE",
  "repeat.timings-impossible": "ENVIRONMENT_INCONSISTENT",
  "repeat.timings-coarse": "ENVIRONMENT_INCONSISTENT",
} as const;

export const repeatEvidence = (
  ruleId: keyof typeof REPEAT_RULES,
  found: Parameters<typeof checkEvidence>[2],
): Evidence => checkEvidence(REPEAT_RULES, ruleId, found);

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
type RepeatRule = keyof typeof REPEAT_RULES;

/** One fact that a check compared. `isOdd` marks the value that does not fit. */
export type Compared = { label: string; value: string; isOdd: boolean };

type Found = { explanation: string; compared: Compared[]; harmlessCauses: readonly string[]; source: string };

/** A finding about the submission itself, in the same shape as the evidence of the browser rules. */
export type RepeatEvidence = Found & {
  ruleId: RepeatRule;
  reason: (typeof REPEAT_RULES)[RepeatRule];
  status: "SUSPICIOUS";
};

export const evidenceOf = (ruleId: RepeatRule, found: Found): RepeatEvidence => ({
  ruleId,
  reason: REPEAT_RULES[ruleId],
  status: "SUSPICIOUS",
  ...found,
});

/** What is found in a submission that was not made for its challenge, and why each counts. Ids are stored with visits. */
export const REPEAT_RULES = {
  "repeat.proof-missing": "SIGNAL_DATA_INCOMPLETE",
  "repeat.proof-wrong": "ENVIRONMENT_INCONSISTENT",
  "repeat.drawing-wrong": "ENVIRONMENT_INCONSISTENT",
  "repeat.timings-impossible": "ENVIRONMENT_INCONSISTENT",
} as const;
type RepeatRule = keyof typeof REPEAT_RULES;

/** One of the facts that a check compared; `isOdd` marks the one that does not fit. */
export type Compared = { label: string; value: string; isOdd: boolean };

type Found = { explanation: string; compared: Compared[]; harmlessCauses: readonly string[]; source: string };

/** What a check of the submission itself found, of the same shape as the evidence of the rules about the browser. */
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

/** One fact beside the others that a check compared; `isOdd` marks the one that does not fit. */
export type Compared = { label: string; value: string; isOdd: boolean };

/** What a check of the submission itself found, of the same shape as the evidence of the rules about the browser. */
export type RepeatEvidence = {
  ruleId: `repeat.${string}`;
  reason: "ENVIRONMENT_INCONSISTENT" | "SIGNAL_DATA_INCOMPLETE";
  status: "SUSPICIOUS";
  explanation: string;
  compared: Compared[];
  harmlessCauses: readonly string[];
  source: string;
};

export { type Candidate, CURRENT, currentRules, parseCandidate } from "./candidate";
export type { Measured } from "./domain/measure";
export { listRules, type ObservedBy, readRule, type RuleRow } from "./read-rules";
export { replayRules } from "./replay-rules";
export { switchRule } from "./switch-rule";

export type { Measured } from "./domain/measure";
export { listRules, type ObservedBy, readRule, type RuleRow } from "./read-rules";
export { switchRule } from "./switch-rule";

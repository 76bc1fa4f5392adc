export { INSTANCE, listObservedRules, observedRulesIn } from "./queries";
export { type RuleMode, type RuleScope, setRuleMode } from "./set-rule-mode";

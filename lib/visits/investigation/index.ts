export { compareVisits, type VisitComparison } from "./compare-visits";
export type { ComparedFact, RuleOutcome } from "./domain/compare-facts";

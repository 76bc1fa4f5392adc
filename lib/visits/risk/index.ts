import { DECLARED_AGENT_RULE } from "./domain/declared-agent";
import type { RuleMeta } from "./domain/evidence";
import type { Limits } from "./domain/rule";
import { readsOfRules } from "./domain/rule-reads";
import { RULES } from "./domain/rules";
import type { Visit } from "./domain/visit";

/** The rules as listed in the docs and the Console. */
export const RISK_RULES: readonly Pick<RuleMeta, "id" | "reason" | "source" | "harmlessCauses">[] = [
  ...RULES,
  DECLARED_AGENT_RULE,
].map(({ id, reason, source, harmlessCauses }) => ({
  id,
  reason,
  source,
  harmlessCauses,
}));

/** Adjustable thresholds of each browser rule. Its keys are the ids of all rules that a replay recomputes. */
export const RULE_LIMITS: Readonly<Record<string, Limits>> = Object.fromEntries(
  RULES.map(({ id, limits = {} }) => [id, limits]),
);

/** Which rules read which values of a visit, by value path. */
export const ruleReads = (visit: Visit) => readsOfRules(visit, RULES);

export { assessRisk, type Assessment, type RuleSettings, RULES_VERSION } from "./domain/assess-risk";
export { featureBits } from "./domain/feature-versions";
export { firedRules } from "./domain/fired-rules";
export { identify, type Identity } from "./domain/identity";
export { privacyProfile, type PrivacyProfile } from "./domain/profile";
export { requestFacts } from "./domain/request";
export type { Evidence } from "./domain/evidence";
export type { RequestFacts, Visit } from "./domain/visit";

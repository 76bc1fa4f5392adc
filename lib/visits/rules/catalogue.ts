import type { Reason } from "@/lib/contract/report";
import { TOKEN_RULES } from "@/lib/visits/devices";
import { JOURNEY_RULE, MOVEMENT_RULES, NETWORK_RULES } from "@/lib/visits/network";
import { PAYLOAD_RULES } from "@/lib/visits/repeats";
import { RISK_RULES } from "@/lib/visits/risk";
import { REPEAT_RULES } from "@/lib/visits/submissions";

export type CataloguedRule = {
  id: string;
  reason: Reason;
  /** A second reason that its findings may have instead. */
  otherReason?: Reason;
  /** Source and harmless causes of the rule. Missing if only its findings state them. */
  source?: string;
  harmlessCauses: readonly string[];
};

const meta = ({ id, reason, otherReason, source, harmlessCauses }: CataloguedRule): CataloguedRule => ({
  id,
  reason,
  harmlessCauses,
  ...(otherReason !== undefined && { otherReason }),
  ...(source !== undefined && { source }),
});

/** Checks that compare a visit with its challenge or with earlier visits. Their findings state their own source. */
const CHECKS: Readonly<Record<string, Reason>> = {
  ...REPEAT_RULES,
  ...PAYLOAD_RULES,
  ...TOKEN_RULES,
  ...MOVEMENT_RULES,
};

/** All rules and checks that can make a finding. */
export const CATALOGUE: readonly CataloguedRule[] = [
  ...RISK_RULES,
  ...[...NETWORK_RULES, JOURNEY_RULE].map(meta),
  ...Object.entries(CHECKS).map(([id, reason]) => ({ id, reason, harmlessCauses: [] })),
];

export const ruleById = (id: string): CataloguedRule | undefined => CATALOGUE.find((rule) => rule.id === id);

import type { Reason } from "@/lib/contract/report";
import { NETWORK_RULES } from "@/lib/visits/network";
import { RISK_RULES } from "@/lib/visits/risk";

export type CataloguedRule = {
  id: string;
  reason: Reason;
  /** Source and harmless causes of the rule. Missing if only its findings state them. */
  source?: string;
  harmlessCauses: readonly string[];
};

const meta = ({ id, reason, source, harmlessCauses }: CataloguedRule): CataloguedRule => ({
  id,
  reason,
  harmlessCauses,
  ...(source !== undefined && { source }),
});

/** Checks that compare a visit with its challenge or with earlier visits. Their findings state their own source. */
const CHECKS: Record<string, Reason> = {
  "repeat.proof-missing": "SIGNAL_DATA_INCOMPLETE",
  "repeat.proof-wrong": "ENVIRONMENT_INCONSISTENT",
  "repeat.drawing-wrong": "ENVIRONMENT_INCONSISTENT",
  "repeat.timings-missing": "SIGNAL_DATA_INCOMPLETE",
  "repeat.timings-impossible": "ENVIRONMENT_INCONSISTENT",
  "repeat.timings-coarse": "ENVIRONMENT_INCONSISTENT",
  "repeat.payload": "ENVIRONMENT_INCONSISTENT",
  "identity.copied-token": "ENVIRONMENT_INCONSISTENT",
  "identity.hardware-changed": "ENVIRONMENT_INCONSISTENT",
  "identity.token-reused": "ENVIRONMENT_INCONSISTENT",
  "network.token-spread": "NETWORK_INCONSISTENT",
  "network.impossible-travel": "LOCATION_INCONSISTENT",
};

/** All rules and checks that can make a finding. */
export const CATALOGUE: readonly CataloguedRule[] = [
  ...RISK_RULES.map(meta),
  ...NETWORK_RULES.map(meta),
  ...Object.entries(CHECKS).map(([id, reason]) => ({ id, reason, harmlessCauses: [] })),
];

export const ruleById = (id: string): CataloguedRule | undefined => CATALOGUE.find((rule) => rule.id === id);

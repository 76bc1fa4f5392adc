import type { Reason } from "@/lib/contract/report";
import { NETWORK_RULES } from "@/lib/visits/network";
import { RISK_RULES } from "@/lib/visits/risk";

export type CataloguedRule = {
  id: string;
  reason: Reason;
  /** What the rule rests on, and what else explains what it finds; nothing where only its findings say so. */
  source?: string;
  harmlessCauses: readonly string[];
};

const meta = ({ id, reason, source, harmlessCauses }: CataloguedRule): CataloguedRule => ({
  id,
  reason,
  harmlessCauses,
  ...(source !== undefined && { source }),
});

/** Checks that compare a visit with its challenge or with earlier visits: their findings say what they rest on. */
const CHECKS: Record<string, Reason> = {
  "repeat.proof-missing": "SIGNAL_DATA_INCOMPLETE",
  "repeat.proof-wrong": "ENVIRONMENT_INCONSISTENT",
  "repeat.drawing-wrong": "ENVIRONMENT_INCONSISTENT",
  "repeat.timings-impossible": "ENVIRONMENT_INCONSISTENT",
  "repeat.payload": "ENVIRONMENT_INCONSISTENT",
  "identity.copied-token": "ENVIRONMENT_INCONSISTENT",
  "identity.hardware-changed": "ENVIRONMENT_INCONSISTENT",
  "identity.token-reused": "ENVIRONMENT_INCONSISTENT",
  "network.token-spread": "NETWORK_INCONSISTENT",
  "network.impossible-travel": "LOCATION_INCONSISTENT",
};

/** Every rule and check that can make a finding. */
export const CATALOGUE: readonly CataloguedRule[] = [
  ...RISK_RULES.map(meta),
  ...NETWORK_RULES.map(meta),
  ...Object.entries(CHECKS).map(([id, reason]) => ({ id, reason, harmlessCauses: [] })),
];

export const ruleById = (id: string): CataloguedRule | undefined => CATALOGUE.find((rule) => rule.id === id);

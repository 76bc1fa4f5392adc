import type { NetworkEvidence, NetworkVisit } from "./rule";
import { NETWORK_RULES } from "./rules";
import { mergeJourney } from "./journey";

/** Applies all network rules. Findings explained by one journey are merged, except those of `observedRules`. */
export const evaluateNetwork = (visit: NetworkVisit, observedRules: readonly string[] = []): NetworkEvidence[] =>
  mergeJourney(
    NETWORK_RULES.flatMap(({ id, reason, source, harmlessCauses, check }) => {
      const finding = check(visit);
      return finding ? [{ ruleId: id, reason, harmlessCauses, ...finding, source }] : [];
    }),
    observedRules,
  );

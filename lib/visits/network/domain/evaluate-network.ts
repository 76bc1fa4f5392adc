import type { NetworkEvidence, NetworkVisit } from "./rule";
import { NETWORK_RULES } from "./rules";
import { asOneJourney } from "./journey";

/** What every rule about the network says of a visit; what one journey explains is said once. */
export const evaluateNetwork = (visit: NetworkVisit): NetworkEvidence[] =>
  asOneJourney(
    NETWORK_RULES.flatMap(({ id, reason, source, harmlessCauses, check }) => {
      const finding = check(visit);
      return finding ? [{ ruleId: id, reason, harmlessCauses, ...finding, source }] : [];
    }),
  );

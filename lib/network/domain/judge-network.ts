import type { NetworkEvidence, NetworkVisit } from "./rule";
import { NETWORK_RULES } from "./rules";

/** What every rule about the network says of a visit. */
export const judgeNetwork = (visit: NetworkVisit): NetworkEvidence[] =>
  NETWORK_RULES.flatMap(({ id, reason, source, harmlessCauses, check }) => {
    const finding = check(visit);
    return finding ? [{ ruleId: id, reason, ...finding, harmlessCauses, source }] : [];
  });

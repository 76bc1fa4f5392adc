import type { NetworkEvidence } from "./rule";
import { addressMismatch } from "./rules/address-mismatch";
import { challengeMoved } from "./rules/challenge-moved";
import { clockElsewhere } from "./rules/clock-elsewhere";
import { proxyNetwork } from "./rules/proxy-network";

/** Rules that may fire merely because the visitor is travelling, alone or together, with the reason of each. */
const ON_THE_WAY = new Map([addressMismatch, challengeMoved, clockElsewhere].map(({ id, reason }) => [id, reason]));

export const JOURNEY_RULE = {
  id: "network.on-the-way",
  /** If the clock is among the merged findings. */
  reason: "LOCATION_INCONSISTENT",
  otherReason: "NETWORK_INCONSISTENT",
  source: "Own rule: changes of network, address and clock that belong to one journey are one fact",
  harmlessCauses: [
    "A traveller whose device keeps the time of home and changes from one network to another",
    "A foreign SIM card, beside the network of a hotel or a café",
    "A work VPN that carries a part of the connections",
  ],
} as const;

/** Compared values of several findings, without duplicates. */
function comparedOf(findings: readonly NetworkEvidence[]) {
  const byLabel = new Map(findings.flatMap(({ compared }) => compared).map((value) => [value.label, value]));
  return [...byLabel.values()];
}

function journeyOf(findings: readonly NetworkEvidence[]): NetworkEvidence {
  const isElsewhere = findings.some(({ reason }) => reason === JOURNEY_RULE.reason);
  return {
    ruleId: JOURNEY_RULE.id,
    reason: isElsewhere ? JOURNEY_RULE.reason : JOURNEY_RULE.otherReason,
    status: "SUSPICIOUS",
    explanation: isElsewhere
      ? "The visitor's clock is set for a different country from that of the connection, and the connection itself changed, which fits a traveller or somebody who only seems to be there."
      : "The visit used connections that do not belong together, both in sequence and at the same time, which fits a traveller.",
    compared: comparedOf(findings),
    harmlessCauses: JOURNEY_RULE.harmlessCauses,
    source: JOURNEY_RULE.source,
    mergedRules: findings.map(({ ruleId }) => ruleId),
  };
}

/**
 * Merges the findings of one journey into a single finding in place of the first. A finding that stands alone, that a
 * journey does not explain, or whose rule is only observed, stays unchanged.
 */
export function mergeJourney(found: readonly NetworkEvidence[], observedRules: readonly string[]): NetworkEvidence[] {
  // An exit that is switched on or changed between the two requests changes the network too, so only the exit is
  // reported. It explains the change whether or not its rule is observed.
  const hasExit = found.some(({ ruleId }) => ruleId === proxyNetwork.id);
  const findings = hasExit ? found.filter(({ ruleId }) => ruleId !== challengeMoved.id) : found;
  const journey = findings.filter(
    ({ ruleId, status }) => ON_THE_WAY.has(ruleId) && status === "SUSPICIOUS" && !observedRules.includes(ruleId),
  );
  if (journey.length < 2) return [...findings];
  return findings.flatMap((finding) => {
    if (finding === journey[0]) return [journeyOf(journey)];
    return journey.includes(finding) ? [] : [finding];
  });
}

/**
 * Merges stored findings as if other rules had been observed. Findings that are separated again keep their rule and
 * reason only, which decide the verdict; text and values remain those of the merged finding.
 */
export const mergeJourneyAgain = (stored: readonly NetworkEvidence[], observedRules: readonly string[]) =>
  mergeJourney(
    stored.flatMap(({ mergedRules, ...finding }) =>
      mergedRules === undefined
        ? [finding]
        : mergedRules.map((ruleId) => ({ ...finding, ruleId, reason: ON_THE_WAY.get(ruleId) ?? finding.reason })),
    ),
    observedRules,
  );

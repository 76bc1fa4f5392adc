import type { NetworkEvidence } from "./rule";

/** Rules that may fire merely because the visitor is travelling, alone or together. */
const ON_THE_WAY = new Set(["network.address-mismatch", "network.challenge-moved", "network.clock-elsewhere"]);

/**
 * An exit that is switched on or changed between the two requests changes the network too, so only the exit is
 * reported.
 */
const EXITS = "network.proxy-network";
const MOVED = "network.challenge-moved";

const JOURNEY_RULE = {
  id: "network.on-the-way",
  source: "Own rule: changes of network, address and clock that belong to one journey are one fact",
} as const;

const HARMLESS_CAUSES = [
  "A traveller whose device keeps the time of home and changes from one network to another",
  "A foreign SIM card, beside the network of a hotel or a café",
  "A work VPN that carries a part of the connections",
] as const;

const isOfJourney = ({ ruleId, status }: NetworkEvidence) => ON_THE_WAY.has(ruleId) && status === "SUSPICIOUS";

/** Compared values of several findings, without duplicates. */
function comparedOf(findings: readonly NetworkEvidence[]) {
  const byLabel = new Map(findings.flatMap(({ compared }) => compared).map((value) => [value.label, value]));
  return [...byLabel.values()];
}

function journeyOf(findings: readonly NetworkEvidence[]): NetworkEvidence {
  const isElsewhere = findings.some(({ reason }) => reason === "LOCATION_INCONSISTENT");
  return {
    ruleId: JOURNEY_RULE.id,
    reason: isElsewhere ? "LOCATION_INCONSISTENT" : "NETWORK_INCONSISTENT",
    status: "SUSPICIOUS",
    explanation: isElsewhere
      ? "The visitor's clock is set for a different country from that of the connection, and the connection itself changed, which fits a traveller or somebody who only seems to be there."
      : "The visit used connections that do not belong together, both in sequence and at the same time, which fits a traveller.",
    compared: comparedOf(findings),
    harmlessCauses: HARMLESS_CAUSES,
    source: JOURNEY_RULE.source,
  };
}

/**
 * Merges the findings of one journey into a single finding in place of the first. A finding that stands alone, or that
 * a journey does not explain, stays unchanged.
 */
export function mergeJourney(found: readonly NetworkEvidence[]): NetworkEvidence[] {
  const hasExit = found.some(({ ruleId }) => ruleId === EXITS);
  const findings = hasExit ? found.filter(({ ruleId }) => ruleId !== MOVED) : found;
  const journey = findings.filter(isOfJourney);
  if (journey.length < 2) return [...findings];
  return findings.flatMap((finding) => {
    if (finding === journey[0]) return [journeyOf(journey)];
    return journey.includes(finding) ? [] : [finding];
  });
}

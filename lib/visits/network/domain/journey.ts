import type { NetworkEvidence } from "./rule";

/** What being on the way shows by itself: one of them, or several at once. */
const ON_THE_WAY = new Set(["network.address-mismatch", "network.challenge-moved", "network.clock-elsewhere"]);

/** An exit that is switched on or changed between two requests moves the visit: the exit is what is found. */
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

/** Compared values of several findings, each once. */
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
      ? "The visitor's clock is set for another country than the connection comes from, and the connection itself changed: that fits somebody who is on the way, and somebody who only seems to be there."
      : "The visit used connections that do not belong together, one after the other and at the same time: that fits somebody who is on the way.",
    compared: comparedOf(findings),
    harmlessCauses: HARMLESS_CAUSES,
    source: JOURNEY_RULE.source,
  };
}

/**
 * The findings with those of one journey as a single one, in the place of the first. What stands alone stays as it is,
 * and so does what a journey does not explain.
 */
export function asOneJourney(found: readonly NetworkEvidence[]): NetworkEvidence[] {
  const hasExit = found.some(({ ruleId }) => ruleId === EXITS);
  const findings = hasExit ? found.filter(({ ruleId }) => ruleId !== MOVED) : found;
  const journey = findings.filter(isOfJourney);
  if (journey.length < 2) return [...findings];
  return findings.flatMap((finding) => {
    if (finding === journey[0]) return [journeyOf(journey)];
    return journey.includes(finding) ? [] : [finding];
  });
}

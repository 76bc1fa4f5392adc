import { type BrowserClock, compareClocks } from "./clocks";
import { compareAddresses } from "./domain/compare-addresses";
import { describeNetwork, type NetworkDescription } from "./domain/describe-network";
import { evaluateNetwork } from "./domain/evaluate-network";
import type { NetworkFacts } from "./domain/network-facts";
import type { NetworkEvidence, NetworkVisit } from "./domain/rule";
import { lookupNetworkIn } from "./lookup-network";
import type { NetworkData } from "./network-data";
import { openedNetworkData } from "./open-network-data";

type Visit = {
  /** Address of the submission. */
  address: string | undefined;
  /** Address of the challenge request. */
  challengeAddress: string | undefined;
  /** Address seen by the probe. */
  probedAddress: string | undefined;
  clock: BrowserClock;
  now: Date;
  /** Rules that only record evidence. */
  observedRules: readonly string[];
};

export type NetworkAssessment = {
  /** The submission's address and what is known about it. */
  observed: NetworkFacts;
  /** The Report's `network` without its status. */
  description: NetworkDescription;
  findings: NetworkEvidence[];
};

/** Compares the facts about a visit's addresses and applies the network rules. */
export function assessFacts(
  { observed, challenge, probed }: Record<"observed" | "challenge" | "probed", NetworkFacts>,
  browserClock: BrowserClock,
  now: Date,
  observedRules: readonly string[] = [],
): NetworkAssessment {
  const alternate = probed.address === undefined ? undefined : probed;
  const clock = compareClocks(browserClock, observed.countryCode, now);
  const facts: NetworkVisit = {
    observed,
    challenge,
    ...(alternate && { alternate }),
    consistency: compareAddresses(observed, alternate),
    ...(clock && { clock }),
  };
  return { observed, description: describeNetwork(facts), findings: evaluateNetwork(facts, observedRules) };
}

/** Looks up a visit's addresses, compares them and applies the network rules. */
function assessNetworkIn(data: NetworkData | undefined, visit: Visit): NetworkAssessment {
  const { address, challengeAddress, probedAddress, clock, now, observedRules } = visit;
  const observed = lookupNetworkIn(data, address);
  const factsOf = (other: string | undefined) => (other === address ? observed : lookupNetworkIn(data, other));
  const [challenge, probed] = [factsOf(challengeAddress), factsOf(probedAddress)];
  return assessFacts({ observed, challenge, probed }, clock, now, observedRules);
}

/** Like `assessNetworkIn`, with the data of this process. */
export const assessNetwork = (visit: Visit): NetworkAssessment => assessNetworkIn(openedNetworkData(), visit);

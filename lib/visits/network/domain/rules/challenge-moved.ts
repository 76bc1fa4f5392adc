import type { NetworkFacts } from "../network-facts";
import { fact, type NetworkRule, place } from "../rule";

const isIpv6 = ({ address = "" }: NetworkFacts) => address.includes(":");

/** Phones may change networks between two requests, and relays their exit. */
const mayMove = ({ connectionType, anonymity }: NetworkFacts) => connectionType === "mobile" || anonymity === "relay";

/** The country, if two sources agree on it; a single source is often wrong about servers. */
const sureCountry = ({ countryCode, countryAgrees }: NetworkFacts) =>
  countryAgrees === true ? countryCode : undefined;

function differs(issued: NetworkFacts, used: NetworkFacts): boolean {
  const [from, to] = [sureCountry(issued), sureCountry(used)];
  if (from !== undefined && to !== undefined && from !== to) return true;
  // Providers announce the two address families from different networks.
  if (isIpv6(issued) !== isIpv6(used)) return false;
  return issued.asn !== undefined && used.asn !== undefined && issued.asn !== used.asn;
}

/**
 * The challenge was issued to one network and used from another within two minutes. A different address within a
 * network, or of another family, is no finding.
 */
export const challengeMoved: NetworkRule = {
  id: "network.challenge-moved",
  reason: "NETWORK_INCONSISTENT",
  source: "Own rule: both requests of a visit leave the same browser within seconds",
  harmlessCauses: [
    "A laptop that changed from one network to another between two requests",
    "A VPN that was switched on or off just then",
    "A company with several lines to the internet",
  ],
  check({ observed, challenge }) {
    if (challenge?.address === undefined || observed.address === undefined) return undefined;
    if (mayMove(challenge) || mayMove(observed) || !differs(challenge, observed)) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation:
        "The visit began on one internet connection and ended on another within two minutes; usually a browser stays on one.",
      compared: [
        ...fact("Connection, first request", challenge.connectionType),
        ...place("Address, first request", challenge.address),
        ...place("Network, first request", challenge.asn === undefined ? undefined : `AS${challenge.asn}`),
        ...place("Country, first request", challenge.countryCode),
        ...fact("Connection, second request", observed.connectionType),
        ...place("Address, second request", observed.address, true),
        ...place("Network, second request", observed.asn === undefined ? undefined : `AS${observed.asn}`, true),
        ...place("Country, second request", observed.countryCode),
      ],
    };
  },
};

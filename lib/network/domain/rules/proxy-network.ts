import type { NetworkFacts } from "../network-facts";
import { fact, type NetworkRule, place } from "../rule";

/** Exits that anybody may use without a contract, and that lists of abuse name. */
const HIGH_RISK = new Set(["tor", "public_proxy"]);

const NAMES = {
  tor: "Tor exit",
  public_proxy: "open proxy",
  residential_proxy: "proxy among home connections",
  vpn: "VPN",
  relay: "privacy relay of a browser vendor",
} as const;

const SOURCES = {
  "operator-file": "the operator's file of anonymous networks",
  list: "a published list of addresses",
  "asn-table": "the table of known networks",
  name: "the name of the network's organisation",
} as const;

const isHighRisk = ({ anonymity, typeSource }: NetworkFacts) =>
  anonymity !== undefined && HIGH_RISK.has(anonymity) && typeSource !== "name";

/**
 * The visit comes out of a proxy, a VPN, a relay or Tor. Only Tor exits and open proxies are high risk, and never on
 * the word of a name alone; a VPN that people pay for and a relay are not.
 */
export const proxyNetwork: NetworkRule = {
  id: "network.proxy-network",
  reason: "PROXY_DETECTED",
  source: "Published lists of exits, the operator's file, or the table of known networks",
  harmlessCauses: [
    "A VPN that the visitor's employer requires",
    "A VPN that the visitor uses for privacy",
    "iCloud Private Relay and services like it",
    "An address that was an exit until recently",
  ],
  check({ observed }) {
    const { connectionType, anonymity, typeSource } = observed;
    if (connectionType !== "proxy" || typeSource === undefined) return undefined;
    return {
      status: isHighRisk(observed) ? "DECEPTIVE" : "SUSPICIOUS",
      explanation: `The visit comes out of ${anonymity === undefined ? "a proxy or VPN" : `a ${NAMES[anonymity]}`}, says ${SOURCES[typeSource]}.`,
      compared: [
        ...fact("Kind of exit", anonymity === undefined ? "proxy or VPN" : NAMES[anonymity], true),
        ...fact("Known from", SOURCES[typeSource]),
        ...place("Egress address", observed.address, true),
        ...place("Network", observed.asn === undefined ? undefined : `AS${observed.asn}`),
        ...place("Provider", observed.provider),
      ],
    };
  },
};

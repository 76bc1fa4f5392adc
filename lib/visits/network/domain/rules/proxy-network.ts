import type { Anonymity, NetworkFacts } from "../network-facts";
import { fact, type NetworkRule, place, SOURCE_NAMES } from "../rule";

/** Exits that anybody can use without a contract, and that are listed for abuse. */
const HIGH_RISK = new Set(["tor", "public_proxy"]);

type Exit = { name: string; harmlessCauses: readonly string[] };

const EARLIER = "An address that was an exit until recently";
const WORK = "A VPN that the visitor's employer requires";

/** Display names of exits, and harmless reasons to use them. */
const EXITS: Record<Anonymity, Exit> = {
  tor: {
    name: "an exit of the Tor network",
    harmlessCauses: ["Tor Browser, used for privacy or past a censor", EARLIER],
  },
  public_proxy: {
    name: "an open proxy that anybody may use",
    harmlessCauses: ["A browser extension that sends pages through free proxies", EARLIER],
  },
  residential_proxy: {
    name: "a proxy that rents out home connections",
    harmlessCauses: ["Somebody in the same home who sells the connection without the visitor's knowledge", EARLIER],
  },
  vpn: { name: "a VPN service", harmlessCauses: ["A VPN that the visitor pays for, for privacy or on travels", WORK] },
  relay: {
    name: "a browser vendor's privacy relay",
    harmlessCauses: ["iCloud Private Relay, which iPhones and Macs come with", "Cloudflare WARP and services like it"],
  },
};

const UNNAMED: Exit = {
  name: "a proxy or VPN",
  harmlessCauses: ["A VPN that the visitor uses for privacy", WORK, EARLIER],
};

const isHighRisk = ({ anonymity, typeSource }: NetworkFacts) =>
  anonymity !== undefined && HIGH_RISK.has(anonymity) && typeSource !== "name";

/**
 * The visit comes from a proxy, a VPN, a relay or Tor. Only Tor exits and open proxies are high risk, and never by name
 * alone. Paid VPNs and relays are not.
 */
export const proxyNetwork: NetworkRule = {
  id: "network.proxy-network",
  reason: "PROXY_DETECTED",
  source: "Published lists of exits, the operator's file, or the table of known networks",
  harmlessCauses: UNNAMED.harmlessCauses,
  check({ observed }) {
    const { connectionType, anonymity, typeSource } = observed;
    if (connectionType !== "proxy" || typeSource === undefined) return undefined;
    const { name, harmlessCauses } = anonymity === undefined ? UNNAMED : EXITS[anonymity];
    return {
      harmlessCauses,
      status: isHighRisk(observed) ? "DECEPTIVE" : "SUSPICIOUS",
      explanation: `The connection comes out of ${name}, which hides where the visitor is, according to ${SOURCE_NAMES[typeSource]}.`,
      compared: [
        ...fact("Connection", name, true),
        ...fact("Expected of a visitor", "the visitor's own connection"),
        ...fact("Known from", SOURCE_NAMES[typeSource]),
        ...place("Egress address", observed.address, true),
        ...place("Network", observed.asn === undefined ? undefined : `AS${observed.asn}`),
        ...place("Provider", observed.provider),
      ],
    };
  },
};

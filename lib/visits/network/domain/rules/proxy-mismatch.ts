import { isProvenDisguise, isProxyMismatch } from "../compare-addresses";
import type { NetworkFacts } from "../network-facts";
import { fact, type NetworkRule, place } from "../rule";

const network = ({ asn, provider }: NetworkFacts) => (asn === undefined ? undefined : `AS${asn} ${provider ?? ""}`);

/**
 * The page came through one network and the browser's own datagram from another, and the page's network is for servers
 * or in another country. This is what a proxy that carries only the browser's requests looks like.
 */
export const proxyMismatch: NetworkRule = {
  id: "network.proxy-mismatch",
  reason: "PROXY_DETECTED",
  source: "RFC 8489 and RFC 8656: the server of an allocation sees the address that a datagram comes from",
  harmlessCauses: ["A web gateway of a company that forwards only web traffic", "Split tunnelling of a work VPN"],
  check({ observed, alternate, consistency }) {
    if (!alternate || !isProxyMismatch(observed, alternate, consistency)) return undefined;
    return {
      status: isProvenDisguise(observed, alternate, consistency) ? "DECEPTIVE" : "SUSPICIOUS",
      explanation:
        "The page was requested through a different network from the one that the browser itself is connected to, as happens with a proxy.",
      compared: [
        ...fact("Connection, page", observed.connectionType, true),
        ...fact("Connection, browser itself", alternate.connectionType),
        ...place("Network, page", network(observed), true),
        ...place("Network, browser itself", network(alternate)),
        ...place("Country, page", observed.countryCode, observed.countryCode !== alternate.countryCode),
        ...place("Country, browser itself", alternate.countryCode),
      ],
    };
  },
};

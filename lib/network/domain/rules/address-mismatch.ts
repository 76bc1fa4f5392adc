import { isProvenDisguise } from "../compare-addresses";
import { fact, type NetworkRule, place } from "../rule";

/** The address that requested the page is not the address that the browser's own datagram came from. */
export const addressMismatch: NetworkRule = {
  id: "network.address-mismatch",
  reason: "NETWORK_INCONSISTENT",
  source: "RFC 8489 and RFC 8656: the server of an allocation sees the address that a datagram comes from",
  harmlessCauses: [
    "A web gateway of a company that forwards only web traffic",
    "Split tunnelling of a work VPN",
    "A router with two lines to the internet",
    "A provider that shares addresses among its customers",
  ],
  check({ observed, alternate, consistency }) {
    if (!alternate || consistency !== "MISMATCH") return undefined;
    return {
      status: isProvenDisguise(observed, alternate, consistency) ? "DECEPTIVE" : "SUSPICIOUS",
      explanation: "The browser reaches the service from two addresses that do not belong together.",
      compared: [
        ...fact("Connection, page", observed.connectionType),
        ...place("Address, page", observed.address, true),
        ...fact("Connection, datagram", alternate.connectionType),
        ...place("Address, datagram", alternate.address),
      ],
    };
  },
};

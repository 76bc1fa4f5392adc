import { isProvenDisguise } from "../compare-addresses";
import { fact, type NetworkRule, place } from "../rule";

/** The page's request and the browser's own datagram came from different addresses. */
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
      explanation:
        "The page and the browser's direct connection come from two different places on the internet; usually they come from one.",
      compared: [
        ...fact("Connection, page", observed.connectionType),
        ...place("Address, page", observed.address, true),
        ...fact("Connection, browser itself", alternate.connectionType),
        ...place("Address, browser itself: expected of the page too", alternate.address),
      ],
    };
  },
};

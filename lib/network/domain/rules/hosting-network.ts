import { fact, type NetworkRule, place } from "../rule";

/** The visit comes out of a data centre, where people rarely sit. */
export const hostingNetwork: NetworkRule = {
  id: "network.hosting-network",
  reason: "HOSTING_NETWORK_DETECTED",
  source: "Published ranges of cloud providers, the table of known networks, or the name of the organisation",
  harmlessCauses: [
    "A web gateway or remote desktop of a company",
    "A VPN on a rented server of one's own",
    "A browser that loads pages through its vendor's servers",
    "A provider of homes and offices that also rents out servers",
  ],
  check({ observed }) {
    if (observed.connectionType !== "hosting") return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The visit comes out of a network of servers.",
      compared: [
        ...fact("Connection", "hosting", true),
        ...fact("Known from", observed.typeSource),
        ...place("Egress address", observed.address),
        ...place("Network", observed.asn === undefined ? undefined : `AS${observed.asn}`),
        ...place("Provider", observed.provider),
      ],
    };
  },
};

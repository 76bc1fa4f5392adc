import { fact, type NetworkRule, place, SOURCE_NAMES } from "../rule";

/** The visit comes from a data centre, where people rarely are. */
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
      explanation: "The connection comes out of a data centre, where servers stand and people rarely sit.",
      compared: [
        ...fact("Connection", "a data centre", true),
        ...fact("Expected of a visitor", "a home, a phone or a company"),
        ...fact("Known from", observed.typeSource && SOURCE_NAMES[observed.typeSource]),
        ...place("Egress address", observed.address),
        ...place("Network", observed.asn === undefined ? undefined : `AS${observed.asn}`),
        ...place("Provider", observed.provider),
      ],
    };
  },
};

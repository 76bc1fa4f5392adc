import type { NetworkFacts } from "./network-facts";

/** Who shares one address: the devices of one household, many unrelated devices, or unknown. */
export type Sharing = "home" | "shared" | "unknown";

/**
 * Fixed lines whose subscribers share public IPv4 addresses in large numbers, according to their operators. Their IPv6
 * networks belong to one line each.
 */
const CARRIER_NAT: readonly [asn: number, brand: string][] = [
  [14593, "Starlink"],
  [7155, "Viasat"],
  [6621, "Hughes"],
  [60294, "Deutsche Glasfaser"],
  [8767, "M-net"],
  [6830, "Liberty Global"],
  [56478, "Hyperoptic"],
  [201838, "Community Fibre"],
  [57269, "DIGI Spain"],
  [9121, "Türk Telekom"],
  [34984, "Turkcell Superonline"],
  [133982, "Excitel"],
  [4764, "Aussie Broadband"],
];

const CARRIER_NAT_ASNS = new Set(CARRIER_NAT.map(([asn]) => asn));

/**
 * Wireless and satellite providers have few addresses for many lines, so such a word in the name makes sharing unknown.
 */
const OVER_THE_AIR = /:(?:wireless|satellite|wimax|airband|wisp|wifi|wi fi|viasat)$/;

/** How an address is shared, according to its network. */
export function sharingOf({ address, asn, connectionType, evidence }: NetworkFacts): Sharing {
  if (address === undefined || connectionType === undefined || connectionType === "unknown") return "unknown";
  if (connectionType !== "residential") return "shared";
  if (address.includes(":")) return "home";
  if (asn !== undefined && CARRIER_NAT_ASNS.has(asn)) return "shared";
  return evidence.some((text) => OVER_THE_AIR.test(text)) ? "unknown" : "home";
}

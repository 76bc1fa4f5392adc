import type { NetworkFacts } from "./network-facts";

/**
 * Who stands behind one address: the devices of one household, many that have nothing to do with each other, or it is
 * not known.
 */
export type Sharing = "home" | "shared" | "unknown";

/**
 * Fixed lines whose subscribers share public IPv4 addresses by the dozen, as the operators say themselves. Their IPv6
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

/** Providers over the air have few addresses for many lines: a name with such a word is no word for a home. */
const OVER_THE_AIR = /:(?:wireless|satellite|wimax|airband|wisp|wifi|wi fi|viasat)$/;

/** How many share the address, by what is known about its network. */
export function sharingOf({ address, asn, connectionType, evidence }: NetworkFacts): Sharing {
  if (address === undefined || connectionType === undefined || connectionType === "unknown") return "unknown";
  if (connectionType !== "residential") return "shared";
  if (address.includes(":")) return "home";
  if (asn !== undefined && CARRIER_NAT_ASNS.has(asn)) return "shared";
  return evidence.some((text) => OVER_THE_AIR.test(text)) ? "unknown" : "home";
}

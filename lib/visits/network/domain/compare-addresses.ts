import type { NetworkFacts } from "./network-facts";

export type IpConsistency = "MATCH" | "MISMATCH" | "UNKNOWN";

const isIpv6 = (address: string) => address.includes(":");

/** The first four groups of an IPv6 address in its canonical spelling: the network of one subscriber. */
function network64(address: string): string {
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const behind = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - groups.length - behind.length;
  return [...groups, ...Array<string>(zeros).fill("0"), ...behind].slice(0, 4).join(":");
}

const isSameSubscriber = (a: string, b: string) => (isIpv6(a) ? network64(a) === network64(b) : a === b);

/**
 * Whether the address that the probe saw belongs to whoever sent the submission. A pool of addresses that a mobile
 * network shares, and a browser vendor's relay, explain a difference; then it is not known.
 */
export function compareAddresses(observed: NetworkFacts, alternate: NetworkFacts | undefined): IpConsistency {
  const [seen, probed] = [observed.address, alternate?.address];
  if (seen === undefined || probed === undefined) return "UNKNOWN";
  const isSameNetwork = observed.asn !== undefined && observed.asn === alternate?.asn;
  if (isIpv6(seen) !== isIpv6(probed)) return isSameNetwork ? "MATCH" : "UNKNOWN";
  if (isSameSubscriber(seen, probed)) return "MATCH";
  if (observed.anonymity === "relay" || alternate?.anonymity === "relay") return "UNKNOWN";
  return isSameNetwork && observed.connectionType === "mobile" ? "UNKNOWN" : "MISMATCH";
}

/** Whether a mismatch is that of a proxy. Gateways of companies split traffic too, within one network and country. */
export function isProxyMismatch(
  observed: NetworkFacts,
  alternate: NetworkFacts | undefined,
  consistency: IpConsistency,
): boolean {
  if (consistency !== "MISMATCH" || observed.asn === undefined || alternate?.asn === undefined) return false;
  if (observed.asn === alternate.asn) return false;
  const [here, there] = [observed.countryCode, alternate.countryCode];
  const areCountriesOther = here !== undefined && there !== undefined && here !== there;
  return isServerNetwork(observed) || areCountriesOther;
}

const isServerNetwork = ({ connectionType }: NetworkFacts) =>
  connectionType === "hosting" || connectionType === "proxy";

/** A proven mismatch behind a network of servers: two ways into the internet, one of them rented. */
export const isProvenDisguise = (
  observed: NetworkFacts,
  alternate: NetworkFacts | undefined,
  consistency: IpConsistency,
): boolean =>
  isProxyMismatch(observed, alternate, consistency) && isServerNetwork(observed) && observed.typeSource !== "name";

/** Whether the visitor uses a proxy; absent while nothing is known about the network. */
export function detectProxy(
  observed: NetworkFacts,
  alternate: NetworkFacts | undefined,
  consistency: IpConsistency,
): boolean | undefined {
  if (observed.address === undefined) return undefined;
  if (observed.connectionType === "proxy" || isProxyMismatch(observed, alternate, consistency)) return true;
  return observed.connectionType === "unknown" && consistency !== "MATCH" ? undefined : false;
}

import type { NetworkFacts } from "./network-facts";

export type IpConsistency = "MATCH" | "MISMATCH" | "UNKNOWN";

const isIpv6 = (address: string) => address.includes(":");

/** The first four groups of a canonical IPv6 address: the network of one subscriber. */
function network64(address: string): string {
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const behind = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - groups.length - behind.length;
  return [...groups, ...Array<string>(zeros).fill("0"), ...behind].slice(0, 4).join(":");
}

const isSameSubscriber = (a: string, b: string) => (isIpv6(a) ? network64(a) === network64(b) : a === b);

/**
 * Whether the probed address belongs to the sender of the submission. Shared address pools of mobile networks and
 * browser vendors' relays explain a difference, in which case the result is unknown.
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

/** Whether a mismatch indicates a proxy. Company gateways split traffic too, but within one network and country. */
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

/** A proxy mismatch with a page request from a known server network: two routes to the internet, one of them rented. */
export const isProvenDisguise = (
  observed: NetworkFacts,
  alternate: NetworkFacts | undefined,
  consistency: IpConsistency,
): boolean =>
  isProxyMismatch(observed, alternate, consistency) && isServerNetwork(observed) && observed.typeSource !== "name";

/** Whether the visitor uses a proxy. Undefined if nothing is known about the network. */
export function detectProxy(
  observed: NetworkFacts,
  alternate: NetworkFacts | undefined,
  consistency: IpConsistency,
): boolean | undefined {
  if (observed.address === undefined) return undefined;
  if (observed.connectionType === "proxy" || isProxyMismatch(observed, alternate, consistency)) return true;
  return observed.connectionType === "unknown" && consistency !== "MATCH" ? undefined : false;
}

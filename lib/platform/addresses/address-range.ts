import ipaddr from "ipaddr.js";

import { canonicalAddress, isIpv6 } from "./address";

/** An inclusive range of addresses in canonical form. */
export type AddressRange = {
  /** The canonical address, or the range in CIDR notation. */
  text: string;
  first: string;
  last: string;
};

const BITS = { ipv4: 32, ipv6: 128 } as const;

/** Parses an address or a CIDR; undefined for any other text. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [head = "", bitsText, ...rest] = text.trim().split("/");
  const address = canonicalAddress(head);
  if (address === undefined || rest.length > 0) return undefined;
  const whole = isIpv6(address) ? BITS.ipv6 : BITS.ipv4;
  if (bitsText !== undefined && !/^\d{1,3}$/.test(bitsText)) return undefined;
  const bits = bitsText === undefined ? whole : Number(bitsText);
  if (bits > whole) return undefined;
  if (bits === whole) return { text: address, first: address, last: address };
  const kind = isIpv6(address) ? ipaddr.IPv6 : ipaddr.IPv4;
  const spell = (edge: { toString: () => string }) => canonicalAddress(edge.toString()) ?? address;
  const first = spell(kind.networkAddressFromCIDR(`${address}/${bits}`));
  return { text: `${first}/${bits}`, first, last: spell(kind.broadcastAddressFromCIDR(`${address}/${bits}`)) };
}

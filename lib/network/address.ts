import ipaddr from "ipaddr.js";

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** ipaddr.js range names of addresses that can be seen on the public internet. */
const PUBLIC_RANGES = new Set(["unicast", "rfc6052", "6to4", "teredo"]);
/** Groups of 16 bits kept of an IPv6 address: a site is a /48, a subscriber network a /64. */
const IPV6_PREFIX_GROUPS = { site: 3, subnet: 4 } as const;

/**
 * The one spelling under which an address is stored, compared and counted: dotted IPv4 or RFC 5952 IPv6, without
 * brackets or zone id, IPv4-mapped IPv6 unwrapped. `undefined` for anything else, also for `127.1` and octal forms.
 */
export function canonicalAddress(text: string): string | undefined {
  const trimmed = text.trim();
  if (IPV4.test(trimmed)) return trimmed;
  const bare = trimmed.startsWith("[") && trimmed.endsWith("]") ? trimmed.slice(1, -1) : trimmed;
  const zoneAt = bare.indexOf("%");
  const address = zoneAt === -1 ? bare : bare.slice(0, zoneAt);
  if (!address.includes(":") || !ipaddr.IPv6.isValid(address)) return undefined;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.toRFC5952String();
}

export const isIpv6 = (canonical: string): boolean => canonical.includes(":");

/** Whether an address can belong to a visitor on the public internet; false for text that is no address. */
export function isPublicAddress(address: string): boolean {
  const canonical = canonicalAddress(address);
  if (canonical === undefined) return false;
  const parsed = ipaddr.parse(canonical);
  const range = parsed.range();
  // ipaddr.js calls all that is not special "unicast"; of IPv6 only 2000::/3 is given out (RFC 4291, section 2.4).
  const isUnassigned = range === "unicast" && parsed instanceof ipaddr.IPv6 && (parsed.parts[0] ?? 0) >>> 13 !== 1;
  return PUBLIC_RANGES.has(range) && !isUnassigned;
}

const ipv6Prefix = (canonical: string, groups: number): string => {
  const kept = ipaddr.IPv6.parse(canonical).parts.map((part, index) => (index < groups ? part : 0));
  return `${new ipaddr.IPv6(kept).toRFC5952String()}/${groups * 16}`;
};

/**
 * The key under which requests of one subscriber are counted: an IPv4 address, or the /64 of an IPv6 address.
 *
 * @param canonical an address as `canonicalAddress` returns it
 */
export const rateLimitKey = (canonical: string): string =>
  isIpv6(canonical) ? ipv6Prefix(canonical, IPV6_PREFIX_GROUPS.subnet) : canonical;

/**
 * The neighbourhood of an address: its /24 (IPv4) or /48 (IPv6), as a CIDR.
 *
 * @param canonical an address as `canonicalAddress` returns it
 */
export const addressPrefix = (canonical: string): string =>
  isIpv6(canonical)
    ? ipv6Prefix(canonical, IPV6_PREFIX_GROUPS.site)
    : `${canonical.slice(0, canonical.lastIndexOf("."))}.0/24`;

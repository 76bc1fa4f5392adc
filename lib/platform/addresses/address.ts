import ipaddr from "ipaddr.js";

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** ipaddr.js range names of public addresses. */
const PUBLIC_RANGES = new Set(["unicast", "rfc6052", "6to4", "teredo"]);
/** 16-bit groups of an IPv6 address to keep: a site is a /48, a subscriber network a /64. */
const IPV6_PREFIX_GROUPS = { site: 3, subnet: 4 } as const;

/**
 * The canonical form in which an address is stored, compared and counted: dotted IPv4 or RFC 5952 IPv6, without
 * brackets or zone id, IPv4-mapped IPv6 unwrapped. `undefined` for anything else, including `127.1` and octal forms.
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

type SpecialRange = [network: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/**
 * Marks the first 16 bits of all special ranges. Most addresses are in none, and checking every range with ipaddr.js takes
 * longer than all other look-ups together.
 */
function markSpecial(kind: typeof ipaddr.IPv4 | typeof ipaddr.IPv6): Uint8Array {
  const marks = new Uint8Array(65_536);
  const ranges = Reflect.get(kind.prototype, "SpecialRanges") as Record<string, SpecialRange | SpecialRange[]>;
  const all = Object.values(ranges).flatMap((range) => (Array.isArray(range[0]) ? range : [range]) as SpecialRange[]);
  for (const [network, bits] of all) {
    const [high = 0, low = 0] = network.toByteArray();
    const first = (high << 8) | low;
    marks.fill(1, first, first + 2 ** Math.max(0, 16 - bits));
  }
  return marks;
}

const SPECIAL = { ipv4: markSpecial(ipaddr.IPv4), ipv6: markSpecial(ipaddr.IPv6) };

const DOT = ".".charCodeAt(0);
const ZERO = "0".charCodeAt(0);

/** An IPv4 address as a number. Parsed digit by digit for speed: each look-up needs it several times. */
export function ipv4Word(canonical: string): number {
  let word = 0;
  let part = 0;
  for (let index = 0; index < canonical.length; index += 1) {
    const character = canonical.charCodeAt(index);
    if (character === DOT) {
      word = (word << 8) | part;
      part = 0;
    } else part = part * 10 + character - ZERO;
  }
  return ((word << 8) | part) >>> 0;
}

const firstBits = (canonical: string): number =>
  isIpv6(canonical)
    ? Number.parseInt(canonical.slice(0, canonical.indexOf(":")) || "0", 16)
    : ipv4Word(canonical) >>> 16;

/**
 * Whether an address can belong to a visitor on the public internet.
 *
 * @param canonical an address as `canonicalAddress` returns it
 */
export function isPublicCanonical(canonical: string): boolean {
  const first = firstBits(canonical);
  // ipaddr.js reports everything else as "unicast", but of IPv6 only 2000::/3 is allocated (RFC 4291, section 2.4).
  const isAssigned = !isIpv6(canonical) || first >>> 13 === 1;
  if ((isIpv6(canonical) ? SPECIAL.ipv6 : SPECIAL.ipv4)[first] === 0) return isAssigned;
  const range = ipaddr.parse(canonical).range();
  return PUBLIC_RANGES.has(range) && (isAssigned || range !== "unicast");
}

/** Whether an address can belong to a visitor on the public internet; false for text that is not an address. */
export function isPublicAddress(address: string): boolean {
  const canonical = canonicalAddress(address);
  return canonical !== undefined && isPublicCanonical(canonical);
}

const ipv6Prefix = (canonical: string, groups: number): string => {
  const kept = ipaddr.IPv6.parse(canonical).parts.map((part, index) => (index < groups ? part : 0));
  return `${new ipaddr.IPv6(kept).toRFC5952String()}/${groups * 16}`;
};

/**
 * The rate limit key of one subscriber: an IPv4 address, or the /64 of an IPv6 address.
 *
 * @param canonical an address as `canonicalAddress` returns it
 */
export const rateLimitKey = (canonical: string): string =>
  isIpv6(canonical) ? ipv6Prefix(canonical, IPV6_PREFIX_GROUPS.subnet) : canonical;

/**
 * The surrounding network of an address: its /24 (IPv4) or /48 (IPv6), as a CIDR.
 *
 * @param canonical an address as `canonicalAddress` returns it
 */
export const addressPrefix = (canonical: string): string =>
  isIpv6(canonical)
    ? ipv6Prefix(canonical, IPV6_PREFIX_GROUPS.site)
    : `${canonical.slice(0, canonical.lastIndexOf("."))}.0/24`;

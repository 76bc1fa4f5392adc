import ipaddr from "ipaddr.js";
import { ipv4Word, isIpv6 } from "@/lib/platform/addresses";

/** Sorted, non-overlapping, inclusive ranges as plain arrays, since they are shared between module graphs. */
export type Ranges = {
  v4: { start: Uint32Array; end: Uint32Array };
  /** Networks: the top 64 bits of an address, as two words. */
  v6: { startHigh: Uint32Array; startLow: Uint32Array; endHigh: Uint32Array; endLow: Uint32Array };
};

/** An address as 32-bit numbers: one for IPv4, four for IPv6. */
export type AddressWords = readonly number[];

const join = (first = 0, second = 0): number => ((first << 16) | second) >>> 0;

/**
 * @param canonical an address as returned by `canonicalAddress`
 */
export function addressWords(canonical: string): AddressWords {
  if (isIpv6(canonical)) {
    const [a, b, c, d, e, f, g, h] = ipaddr.IPv6.parse(canonical).parts;
    return [join(a, b), join(c, d), join(e, f), join(g, h)];
  }
  return [ipv4Word(canonical)];
}

/** Index of the last of `count` ascending elements that does not come after the wanted one; -1 if all do. */
export function lastAtOrBefore(count: number, comesAfter: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesAfter(middle)) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/** Indexes are always in range here; the default only satisfies the type checker. */
const word = (words: Uint32Array, index: number): number => words[index] ?? 0;

function findIpv4({ start, end }: Ranges["v4"], address: number): number {
  const index = lastAtOrBefore(start.length, (i) => word(start, i) > address);
  return index >= 0 && address <= word(end, index) ? index : -1;
}

function findIpv6({ startHigh, startLow, endHigh, endLow }: Ranges["v6"], high: number, low: number): number {
  const startsAfter = (i: number) =>
    word(startHigh, i) > high || (word(startHigh, i) === high && word(startLow, i) > low);
  const index = lastAtOrBefore(startHigh.length, startsAfter);
  if (index < 0) return -1;
  const end = word(endHigh, index);
  return end > high || (end === high && word(endLow, index) >= low) ? index : -1;
}

/** Index of the range that contains an address; -1 if none does. */
export function findRange(ranges: Ranges, [first = 0, second, ...rest]: AddressWords): number {
  return rest.length === 0 || second === undefined ? findIpv4(ranges.v4, first) : findIpv6(ranges.v6, first, second);
}

import ipaddr from "ipaddr.js";
import { canonicalAddress, isPublicAddress } from "@/lib/platform/addresses";
import { addressWords, type Ranges } from "./ranges";

/** An inclusive range. IPv6 by network: the top 64 bits. */
type Span = { isIpv6: boolean; start: bigint; end: bigint };

export type AddressList = {
  spans: Span[];
  /** Number of valid entries. */
  entries: number;
  /** Number of entries that are no public address or network. */
  rejected: number;
};

/** Registries assign no wider networks than these. */
const SHORTEST_PREFIX = { ipv4: 7, ipv6: 16 };

const toBigInt = (address: string): { isIpv6: boolean; value: bigint } => {
  const words = addressWords(address);
  const isIpv6 = words.length > 1;
  return { isIpv6, value: words.slice(0, 2).reduce((sum, word) => sum * 2n ** 32n + BigInt(word), 0n) };
};

function fromCidr(text: string): Span | undefined {
  if (!ipaddr.isValidCIDR(text)) return undefined;
  const [address, bits] = ipaddr.parseCIDR(text);
  const kind = address.kind();
  const canonical = canonicalAddress(address.toString());
  if (canonical === undefined || bits < SHORTEST_PREFIX[kind] || !isPublicAddress(canonical)) return undefined;
  const { isIpv6, value } = toBigInt(canonical);
  const free = BigInt(Math.max(0, (isIpv6 ? 64 : 32) - bits));
  const start = (value >> free) << free;
  return { isIpv6, start, end: start + 2n ** free - 1n };
}

/** Parses an address, a network (`192.0.2.0/24`) or a range (`192.0.2.1-192.0.2.9`). */
function parseEntry(text: string): Span | undefined {
  if (text.includes("/")) return fromCidr(text);
  const [first = "", last = first, ...rest] = text.split("-").map((part) => canonicalAddress(part) ?? "");
  if (rest.length > 0 || !isPublicAddress(first) || !isPublicAddress(last)) return undefined;
  const [start, end] = [toBigInt(first), toBigInt(last)];
  const widest = start.isIpv6 ? 2n ** 48n : 2n ** 25n;
  const isRange = start.isIpv6 === end.isIpv6 && end.value >= start.value && end.value - start.value < widest;
  return isRange ? { isIpv6: start.isIpv6, start: start.value, end: end.value } : undefined;
}

const ADDRESS_LIKE = /^[0-9a-f:.]+(?:\/\d{1,3})?$/i;

/**
 * Extracts all strings that look like an address or network, since providers publish their ranges in many JSON formats.
 */
function textsOf(json: unknown): string[] {
  const texts: string[] = [];
  const pending = [json];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "string") {
      if (/[.:]/.test(next) && ADDRESS_LIKE.test(next) && (next.includes("/") || canonicalAddress(next)))
        texts.push(next);
    } else if (typeof next === "object" && next !== null) pending.push(...(Object.values(next) as unknown[]));
  }
  return texts;
}

/** The first field of each line that is not a comment. */
const firstFields = (text: string): string[] =>
  text.split("\n").flatMap((line) => {
    const field = line
      .replace(/[#;].*$/, "")
      .trim()
      .split(/[\s,]/)[0]
      ?.replaceAll('"', "");
    return field === undefined || field === "" ? [] : [field];
  });

/**
 * Parses a published list: lines that begin with an address, network or range (ignoring comments after `#` and `;`, and
 * fields after a comma or space), or a JSON document with such strings anywhere.
 */
export function parseAddressList(text: string): AddressList {
  const isJson = /^\s*[{[]/.test(text);
  const texts = isJson ? textsOf(JSON.parse(text)) : firstFields(text);
  const spans = texts.map(parseEntry).filter((span) => span !== undefined);
  return { spans, entries: spans.length, rejected: texts.length - spans.length };
}

/** Sorts the spans of one family and merges adjacent or overlapping ones. */
function merge(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))) {
    const last = merged.at(-1);
    if (!last || span.start > last.end + 1n) merged.push({ ...span });
    else if (span.end > last.end) last.end = span.end;
  }
  return merged;
}

const high = (value: bigint) => Number(value >> 32n);
const low = (value: bigint) => Number(value & 0xffffffffn);

/** Converts spans to searchable ranges. */
export function toRanges(spans: Span[]): Ranges {
  const v4 = merge(spans.filter(({ isIpv6 }) => !isIpv6));
  const v6 = merge(spans.filter(({ isIpv6 }) => isIpv6));
  return {
    v4: { start: Uint32Array.from(v4, ({ start }) => low(start)), end: Uint32Array.from(v4, ({ end }) => low(end)) },
    v6: {
      startHigh: Uint32Array.from(v6, ({ start }) => high(start)),
      startLow: Uint32Array.from(v6, ({ start }) => low(start)),
      endHigh: Uint32Array.from(v6, ({ end }) => high(end)),
      endLow: Uint32Array.from(v6, ({ end }) => low(end)),
    },
  };
}

/** Number of IPv4 addresses in the ranges. */
export const countIpv4 = ({ v4 }: Ranges): number =>
  v4.start.reduce((sum, start, index) => sum + (v4.end[index] ?? start) - start + 1, 0);

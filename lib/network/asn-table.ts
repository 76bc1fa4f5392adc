import { readFileSync } from "node:fs";
import path from "node:path";
import { ASN_HEAD_BYTES, ASN_MAGIC, ASN_VERSION_AT_BYTE, buildAsnTable, encodeAsnTable } from "@/scripts/ip-build.mjs";
import ipaddr from "ipaddr.js";
import { isIpv6 } from "./address";

export type Organisation = { asn: number; name: string };

/** Sorted ranges that do not overlap, as plain arrays: the table is shared between module graphs. */
export type AsnTable = {
  /** Version of the package that it was made from. */
  version: string;
  v4: { start: Uint32Array; end: Uint32Array; organisation: Uint32Array };
  /** Networks: the top 64 bits of an address, as two words. */
  v6: {
    startHigh: Uint32Array;
    startLow: Uint32Array;
    endHigh: Uint32Array;
    endLow: Uint32Array;
    organisation: Uint32Array;
  };
  organisations: [asn: number, name: string][];
};

/** The table in `bytes`, or `undefined` when they are not a whole table. Layout: `scripts/ip-build.mjs`. */
function decodeAsnTable(bytes: Buffer): AsnTable | undefined {
  if (bytes.length < ASN_HEAD_BYTES || bytes.toString("latin1", 0, ASN_MAGIC.length) !== ASN_MAGIC) return undefined;
  const [n, m, jsonBytes] = [bytes.readUInt32LE(4), bytes.readUInt32LE(8), bytes.readUInt32LE(12)];
  const words = 3 * n + 5 * m;
  const jsonAt = ASN_HEAD_BYTES + 4 * words;
  if (bytes.length !== jsonAt + jsonBytes) return undefined;
  // Copied, since a Buffer may begin at any byte and a Uint32Array may not.
  const all = new Uint32Array(words);
  new Uint8Array(all.buffer).set(bytes.subarray(ASN_HEAD_BYTES, jsonAt));
  let at = 0;
  const take = (count: number) => all.subarray(at, (at += count));
  return {
    version: bytes.toString("latin1", ASN_VERSION_AT_BYTE, ASN_HEAD_BYTES).replace(/\0+$/, ""),
    v4: { start: take(n), end: take(n), organisation: take(n) },
    v6: { startHigh: take(m), startLow: take(m), endHigh: take(m), endLow: take(m), organisation: take(m) },
    organisations: JSON.parse(bytes.toString("utf8", jsonAt)) as AsnTable["organisations"],
  };
}

/** Index of the last range that starts at or before the address, -1 when none does. */
function lastAtOrBefore(count: number, startsAfter: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (startsAfter(middle)) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/** A missing element compares as 0; the indexes here are always inside. */
const word = (words: Uint32Array, index: number): number => words[index] ?? 0;

function findIpv4({ start, end, organisation }: AsnTable["v4"], address: number): number | undefined {
  const index = lastAtOrBefore(start.length, (i) => word(start, i) > address);
  return index >= 0 && address <= word(end, index) ? organisation[index] : undefined;
}

function findIpv6(ranges: AsnTable["v6"], high: number, low: number): number | undefined {
  const exceeds = (highs: Uint32Array, lows: Uint32Array, i: number) =>
    word(highs, i) > high || (word(highs, i) === high && word(lows, i) > low);
  const isAddress = (highs: Uint32Array, lows: Uint32Array, i: number) =>
    word(highs, i) === high && word(lows, i) === low;
  const index = lastAtOrBefore(ranges.startHigh.length, (i) => exceeds(ranges.startHigh, ranges.startLow, i));
  if (index < 0) return undefined;
  const { endHigh, endLow, organisation } = ranges;
  return exceeds(endHigh, endLow, index) || isAddress(endHigh, endLow, index) ? organisation[index] : undefined;
}

const join = (first = 0, second = 0): number => ((first << 16) | second) >>> 0;

/** Who announces an address. @param canonical an address as `canonicalAddress` returns it */
export function findOrganisation(table: AsnTable, canonical: string): Organisation | undefined {
  let index: number | undefined;
  if (isIpv6(canonical)) {
    const [a, b, c, d] = ipaddr.IPv6.parse(canonical).parts;
    index = findIpv6(table.v6, join(a, b), join(c, d));
  } else {
    const [a = 0, b = 0, c = 0, d = 0] = canonical.split(".").map(Number);
    index = findIpv4(table.v4, join((a << 8) | b, (c << 8) | d));
  }
  const found = index === undefined ? undefined : table.organisations[index];
  return found && { asn: found[0], name: found[1] };
}

function readTable(file: string): AsnTable | undefined {
  try {
    return decodeAsnTable(readFileSync(file));
  } catch {
    return undefined; // Absent, unreadable or damaged: it is built anew.
  }
}

/**
 * The table of the installed package: the file at `target`, built first when it is missing, damaged or of another
 * version. Where the folder cannot be written, the table is built for this process alone and `problem` says so.
 *
 * @throws Error when the package's own files cannot be read
 */
export function openAsnTable(options: { source: string; version: string; target: string }): {
  table: AsnTable | undefined;
  problem?: string;
} {
  const existing = readTable(options.target);
  if (existing?.version === options.version) return { table: existing };
  try {
    return { table: decodeAsnTable(buildAsnTable(options)) };
  } catch (cause) {
    const table = decodeAsnTable(encodeAsnTable(options));
    return { table, problem: `Every start builds it again: ${String(cause)}` };
  }
}

export const asnTableFile = (dataDir: string): string => path.join(dataDir, "ip", "asn.bin");

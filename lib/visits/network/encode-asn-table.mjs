/**
 * Re-encodes the ASN package (CSV) as one binary file that loads in milliseconds and is searched in place.
 *
 * Layout, little-endian: 4 bytes magic, Uint32 count of IPv4 ranges, Uint32 count of IPv6 ranges, Uint32 length of the
 * JSON, 32 bytes version of the package (ASCII, NUL-padded); then Uint32 arrays start, end, organisation of IPv4 and
 * start high, start low, end high, end low, organisation of IPv6 (the top 64 bits); then the JSON [[asn, name], …].
 * Ranges are sorted and do not overlap. `asn-table.ts` reads it. JavaScript because the build runs it directly.
 */
import { readFileSync } from "node:fs";
import path from "node:path";

import { makeFolder } from "../../../db/make-folder.mjs";
import { writeWholeFile } from "../../../db/write-file.mjs";

export const ASN_MAGIC = "ASN2";
export const ASN_HEAD_BYTES = 48;
export const ASN_VERSION_AT_BYTE = 16;

/** @param {string} text */
function ipv4ToNumber(text) {
  const [a = 0, b = 0, c = 0, d = 0] = text.split(".").map(Number);
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/** The top 64 bits of an IPv6 address without an embedded IPv4 part. @param {string} text */
function ipv6Network(text) {
  const [left = [], right] = text.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const zeros = right ? Array.from({ length: 8 - left.length - right.length }, () => "0") : [];
  const [a = 0, b = 0, c = 0, d = 0] = [...left, ...zeros, ...(right ?? [])].map((group) => Number.parseInt(group, 16));
  return { high: ((a << 16) | b) >>> 0, low: ((c << 16) | d) >>> 0 };
}

/** `start,end,asn,name`, the name quoted when it holds a comma or a quote. @param {string} line */
function parseLine(line) {
  const first = line.indexOf(",");
  const second = line.indexOf(",", first + 1);
  const third = line.indexOf(",", second + 1);
  const rest = line.slice(third + 1);
  const name = rest.startsWith('"') ? rest.slice(1, -1).replaceAll('""', '"') : rest;
  return {
    start: line.slice(0, first),
    end: line.slice(first + 1, second),
    asn: Number(line.slice(second + 1, third)),
    name,
  };
}

/** @typedef {ReturnType<typeof parseLine>} Row */

/** @param {string} file */
const readRows = (file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .map(parseLine);

const STEP = 2n ** 32n;

/** @param {{ high: number, low: number }} network */
const packed = ({ high, low }) => BigInt(high) * STEP + BigInt(low);

/** Ranges of /64 networks. A range that overlaps the previous one is cut to begin after it, or dropped. @param {Row[]} rows */
function ipv6Ranges(rows) {
  const ranges = rows
    .map((row) => ({ row, start: packed(ipv6Network(row.start)), end: packed(ipv6Network(row.end)) }))
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  const kept = [];
  let last = -1n;
  for (const range of ranges) {
    if (range.start <= last) range.start = last + 1n;
    if (range.start > range.end) continue;
    kept.push(range);
    last = range.end;
  }
  return kept;
}

/** @param {{ source: string }} options the folder of the package */
export function encodeAsnTable({ source }) {
  const { version } = /** @type {{ version: string }} */ (
    JSON.parse(readFileSync(path.join(source, "package.json"), "utf8"))
  );
  const v4 = readRows(path.join(source, "asn-ipv4.csv"))
    .map((row) => ({ row, start: ipv4ToNumber(row.start), end: ipv4ToNumber(row.end) }))
    .sort((a, b) => a.start - b.start);
  const v6 = ipv6Ranges(readRows(path.join(source, "asn-ipv6.csv")));

  const indexes = /** @type {Map<number, number>} */ (new Map());
  const organisations = /** @type {[asn: number, name: string][]} */ ([]);
  /** @param {Row} row */
  const indexOf = ({ asn, name }) => {
    const known = indexes.get(asn);
    if (known !== undefined) return known;
    indexes.set(asn, organisations.length);
    return organisations.push([asn, name]) - 1;
  };
  const words = new Uint32Array(3 * v4.length + 5 * v6.length);
  v4.forEach((range, i) => {
    words[i] = range.start;
    words[v4.length + i] = range.end;
    words[2 * v4.length + i] = indexOf(range.row);
  });
  const base = 3 * v4.length;
  v6.forEach((range, i) => {
    words[base + i] = Number(range.start / STEP);
    words[base + v6.length + i] = Number(range.start % STEP);
    words[base + 2 * v6.length + i] = Number(range.end / STEP);
    words[base + 3 * v6.length + i] = Number(range.end % STEP);
    words[base + 4 * v6.length + i] = indexOf(range.row);
  });
  const json = Buffer.from(JSON.stringify(organisations));
  const head = Buffer.alloc(ASN_HEAD_BYTES);
  head.write(ASN_MAGIC, 0, "latin1");
  head.writeUInt32LE(v4.length, 4);
  head.writeUInt32LE(v6.length, 8);
  head.writeUInt32LE(json.length, 12);
  head.write(version.slice(0, ASN_HEAD_BYTES - ASN_VERSION_AT_BYTE), ASN_VERSION_AT_BYTE, "latin1");
  return Buffer.concat([head, new Uint8Array(words.buffer), json]);
}

/**
 * Builds the table of the package at `source` and replaces `target` atomically, so that readers and other processes
 * that build it concurrently never see an incomplete file.
 *
 * @param {{ source: string, target: string }} options
 * @returns {Buffer} the bytes written
 */
export function buildAsnTable({ source, target }) {
  const bytes = encodeAsnTable({ source });
  makeFolder(path.dirname(target));
  writeWholeFile(target, bytes, { mode: 0o644 });
  return bytes;
}

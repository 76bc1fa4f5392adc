import { readFileSync } from "node:fs";
import path from "node:path";

import type { Ranges } from "./ranges";

/** Published address lists, in order of precedence. */
export const LIST_NAMES = ["tor", "relay", "vpn", "cloud"] as const;
export type ListName = (typeof LIST_NAMES)[number];

/** Origin of a list, with validators for conditional requests. */
export type ListHead = {
  /** Unix time in milliseconds. */
  updatedAtMs: number;
  /** Number of entries before merging. */
  entries: number;
  sources: { url: string; etag?: string; lastModified?: string }[];
};

const MAGIC = "IPL1";
const HEAD_BYTES = 16;

export const listFile = (dataDir: string, name: ListName): string => path.join(dataDir, "ip", "lists", `${name}.bin`);

/**
 * Layout, little-endian: 4 bytes magic, Uint32 number of IPv4 ranges, Uint32 number of IPv6 ranges, Uint32 length of
 * the JSON; Uint32 arrays start, end of IPv4 and start high, start low, end high, end low of IPv6; the head as JSON.
 */
export function encodeList(head: ListHead, { v4, v6 }: Ranges): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const first = Buffer.alloc(HEAD_BYTES);
  first.write(MAGIC, 0, "latin1");
  [v4.start.length, v6.startHigh.length, json.length].forEach((count, index) =>
    first.writeUInt32LE(count, 4 + 4 * index),
  );
  const arrays = [v4.start, v4.end, v6.startHigh, v6.startLow, v6.endHigh, v6.endLow];
  return Buffer.concat([
    first,
    ...arrays.map((words) => Buffer.from(words.buffer, words.byteOffset, words.byteLength)),
    json,
  ]);
}

/**
 * @throws Error if the bytes are not a complete list
 */
export function decodeList(bytes: Buffer): { head: ListHead; ranges: Ranges } {
  const isOurs = bytes.length >= HEAD_BYTES && bytes.toString("latin1", 0, MAGIC.length) === MAGIC;
  const [n = 0, m = 0, jsonBytes = 0] = isOurs ? [4, 8, 12].map((at) => bytes.readUInt32LE(at)) : [];
  const count = 2 * n + 4 * m;
  const jsonAt = HEAD_BYTES + 4 * count;
  if (!isOurs || bytes.length !== jsonAt + jsonBytes) throw new Error("not a complete list of addresses");
  // Copied, since a Uint32Array must be aligned and a Buffer need not be.
  const all = new Uint32Array(count);
  new Uint8Array(all.buffer).set(bytes.subarray(HEAD_BYTES, jsonAt));
  let at = 0;
  const take = (length: number) => all.subarray(at, (at += length));
  const ranges = {
    v4: { start: take(n), end: take(n) },
    v6: { startHigh: take(m), startLow: take(m), endHigh: take(m), endLow: take(m) },
  };
  return { head: JSON.parse(bytes.toString("utf8", jsonAt)) as ListHead, ranges };
}

/** Reads the list at `file`. Undefined if it is missing or unreadable. */
export function readListFile(file: string): ReturnType<typeof decodeList> | undefined {
  try {
    return decodeList(readFileSync(file));
  } catch {
    return undefined;
  }
}

import { open as openFile, readFile } from "node:fs/promises";
import { open, type Reader, type Response } from "maxmind";
import { isIpv6 } from "@/lib/platform/addresses";
import { type Ip2File, openIp2File, ownerInIp2, placeInIp2, usageInIp2 } from "./ip2-file";
import type { AddressWords } from "./ranges";
import { type NetworkOwner, ownerOf, type Place, placeOf, type Usage, usageOf } from "./record-facts";

/** What an operator's file is used for. */
export const FILE_ROLES = ["city", "asn", "anonymous"] as const;
export type FileRole = (typeof FILE_ROLES)[number];

/** A file supplied by the operator. Data and library handles only. */
export type OperatorFile = {
  /** Type according to the file. */
  kind: string;
  builtAtMs: number;
} & ({ format: "mmdb"; reader: Reader<Response> } | { format: "ip2"; file: Ip2File });

/** Marker before the metadata at the end of an mmdb file. Source: MaxMind DB File Format Specification 2.0. */
const MMDB_MARKER = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
const MMDB_MARKER_WITHIN_BYTES = 128 * 1024;

/** Words in the type of an mmdb file that tell what data it has. */
const MMDB_ROLES: [FileRole, RegExp][] = [
  ["anonymous", /anonymous|privacy|proxy|vpn/i],
  ["city", /city|country|location|enterprise|insights|ipinfo.*(?:lite|core|plus)/i],
  ["asn", /asn|isp|enterprise|insights|ipinfo.*(?:lite|core|plus)/i],
];

const IP2_ROLES: Record<Ip2File["product"], readonly FileRole[]> = {
  IP2Location: ["city", "asn"],
  IP2Proxy: ["anonymous"],
};

async function isMmdb(path: string): Promise<boolean> {
  const handle = await openFile(path);
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, MMDB_MARKER_WITHIN_BYTES);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.includes(MMDB_MARKER);
  } finally {
    await handle.close();
  }
}

type Opened = { file: OperatorFile; roles: readonly FileRole[] };

async function openMmdb(path: string): Promise<Opened> {
  const reader = await open<Response>(path);
  const { databaseType: kind, buildEpoch } = reader.metadata;
  const roles = MMDB_ROLES.flatMap(([role, words]) => (words.test(kind) ? role : []));
  return { file: { format: "mmdb", kind, builtAtMs: buildEpoch.getTime(), reader }, roles };
}

async function openIp2(path: string): Promise<Opened> {
  const file = openIp2File(await readFile(path));
  if (!file) throw new Error("neither an mmdb file nor a BIN file of IP2Location or IP2Proxy, or incomplete");
  const kind = `${file.product} ${file.product === "IP2Proxy" ? "PX" : "DB"}${file.kind}`;
  return { file: { format: "ip2", kind, builtAtMs: file.builtAt.getTime(), file }, roles: IP2_ROLES[file.product] };
}

/**
 * Opens a file and detects its type.
 *
 * @throws Error if the file cannot be read, is incomplete, or does not have the required data
 */
export async function openOperatorFile(path: string, role: FileRole): Promise<OperatorFile> {
  const { file, roles } = await ((await isMmdb(path)) ? openMmdb(path) : openIp2(path));
  // A type without a known word is the operator's own and is accepted as configured.
  if (roles.length > 0 && !roles.includes(role)) throw new Error(`${file.kind} has no ${role} data`);
  return file;
}

/** Avoids looking up IPv6 addresses in an IPv4 file, which would return an unrelated record. */
const recordOf = (reader: Reader<Response>, canonical: string): unknown =>
  isIpv6(canonical) && reader.metadata.ipVersion === 4 ? undefined : reader.get(canonical);

export const placeIn = (file: OperatorFile, canonical: string, words: AddressWords): Place =>
  file.format === "mmdb" ? placeOf(recordOf(file.reader, canonical)) : placeInIp2(file.file, words);

export const ownerIn = (file: OperatorFile, canonical: string, words: AddressWords): NetworkOwner =>
  file.format === "mmdb" ? ownerOf(recordOf(file.reader, canonical)) : ownerInIp2(file.file, words);

export const usageIn = (file: OperatorFile, canonical: string, words: AddressWords): Usage | undefined =>
  file.format === "mmdb" ? usageOf(recordOf(file.reader, canonical)) : usageInIp2(file.file, words);

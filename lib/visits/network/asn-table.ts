import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import path from "node:path";
import { ASN_HEAD_BYTES, ASN_MAGIC, ASN_VERSION_AT_BYTE, buildAsnTable, encodeAsnTable } from "./encode-asn-table.mjs";
import { type AddressWords, findRange, type Ranges } from "./ranges";

export type Organisation = { asn: number; name: string };

/** Ranges of addresses, each with the index of its organisation. */
export type AsnTable = {
  /** Version of the package that it was made from. */
  version: string;
  v4: Ranges["v4"] & { organisation: Uint32Array };
  v6: Ranges["v6"] & { organisation: Uint32Array };
  organisations: [asn: number, name: string][];
};

/** The table in `bytes`, or `undefined` when they are not a whole table. Layout: `encode-asn-table.mjs`. */
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
    version: versionIn(bytes),
    v4: { start: take(n), end: take(n), organisation: take(n) },
    v6: { startHigh: take(m), startLow: take(m), endHigh: take(m), endLow: take(m), organisation: take(m) },
    organisations: JSON.parse(bytes.toString("utf8", jsonAt)) as AsnTable["organisations"],
  };
}

/** Who announces an address. */
export function findOrganisation(table: AsnTable, words: AddressWords): Organisation | undefined {
  const index = findRange(table, words);
  const organisation = words.length > 1 ? table.v6.organisation[index] : table.v4.organisation[index];
  const found = organisation === undefined ? undefined : table.organisations[organisation];
  return found && { asn: found[0], name: found[1] };
}

const versionIn = (head: Buffer): string =>
  head.toString("latin1", ASN_VERSION_AT_BYTE, ASN_HEAD_BYTES).replace(/\0+$/, "");

/** The version of the table in `file`, whose other bytes are not read. */
function versionOf(file: string): string | undefined {
  const head = Buffer.alloc(ASN_HEAD_BYTES);
  try {
    const handle = openSync(file, "r");
    try {
      readSync(handle, head, 0, ASN_HEAD_BYTES, 0);
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
  return versionIn(head);
}

function readTable(file: string): AsnTable | undefined {
  try {
    return decodeAsnTable(readFileSync(file));
  } catch {
    return undefined; // Absent, unreadable or damaged: it is rebuilt.
  }
}

type Place = {
  /** Folder of the package. */
  source: string;
  version: string;
  /** Where it is kept, built first when it is missing, damaged or of another version. */
  target: string;
  /** One that was made with the build, if any. */
  built?: string | undefined;
};

/**
 * The table of the installed package. Where the folder cannot be written, the table is built for this process alone
 * and `problem` says so.
 *
 * @throws Error when the package's own files cannot be read
 */
export function openAsnTable({ built, ...options }: Place): { table: AsnTable | undefined; problem?: string } {
  const { version, target } = options;
  for (const file of [built, target]) {
    const table = file !== undefined && versionOf(file) === version ? readTable(file) : undefined;
    if (table) return { table };
  }
  try {
    return { table: decodeAsnTable(buildAsnTable(options)) };
  } catch (cause) {
    const table = decodeAsnTable(encodeAsnTable(options));
    return { table, problem: `Every start builds it again: ${String(cause)}` };
  }
}

/** Builds the table on the disk when it is missing or of another version, for all processes of this machine. */
export function ensureAsnTable({ built, ...options }: Place): void {
  const { version, target } = options;
  if (![built, target].some((file) => file !== undefined && versionOf(file) === version)) buildAsnTable(options);
}

export const asnTableFile = (dataDir: string): string => path.join(dataDir, "ip", "asn.bin");

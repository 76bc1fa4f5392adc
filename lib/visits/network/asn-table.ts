import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import path from "node:path";
import { ASN_HEAD_BYTES, ASN_MAGIC, ASN_VERSION_AT_BYTE, buildAsnTable, encodeAsnTable } from "./encode-asn-table.mjs";
import { type AddressWords, findRange, type Ranges } from "./ranges";

export type Organisation = { asn: number; name: string };

/** Address ranges, each with the index of its organisation. */
export type AsnTable = {
  /** Version of the source package. */
  version: string;
  v4: Ranges["v4"] & { organisation: Uint32Array };
  v6: Ranges["v6"] & { organisation: Uint32Array };
  organisations: [asn: number, name: string][];
};

/** Decodes a table. Undefined if `bytes` is not a complete table. Layout: `encode-asn-table.mjs`. */
function decodeAsnTable(bytes: Buffer): AsnTable | undefined {
  if (bytes.length < ASN_HEAD_BYTES || bytes.toString("latin1", 0, ASN_MAGIC.length) !== ASN_MAGIC) return undefined;
  const [n, m, jsonBytes] = [bytes.readUInt32LE(4), bytes.readUInt32LE(8), bytes.readUInt32LE(12)];
  const words = 3 * n + 5 * m;
  const jsonAt = ASN_HEAD_BYTES + 4 * words;
  if (bytes.length !== jsonAt + jsonBytes) return undefined;
  // Copied, since a Uint32Array must be aligned and a Buffer need not be.
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

/** Finds the organisation that announces an address. */
export function findOrganisation(table: AsnTable, words: AddressWords): Organisation | undefined {
  const index = findRange(table, words);
  const organisation = words.length > 1 ? table.v6.organisation[index] : table.v4.organisation[index];
  const found = organisation === undefined ? undefined : table.organisations[organisation];
  return found && { asn: found[0], name: found[1] };
}

const versionIn = (head: Buffer): string =>
  head.toString("latin1", ASN_VERSION_AT_BYTE, ASN_HEAD_BYTES).replace(/\0+$/, "");

/** Version of the table in `file`, from its header only. */
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
    return undefined; // Missing, unreadable or damaged; it will be rebuilt.
  }
}

type Place = {
  /** Folder of the package. */
  source: string;
  version: string;
  /** Table file, rebuilt if it is missing, damaged or of another version. */
  target: string;
  /** Table created by the build, if any. */
  built?: string | undefined;
};

/**
 * Opens the table of the installed package. If the folder is not writable, the table is built for this process only and
 * `problem` says so.
 *
 * @throws Error if the package's own files cannot be read
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
    return { table, problem: `It is rebuilt at every start: ${String(cause)}` };
  }
}

/** Builds the table on disk for all processes of this machine, if it is missing or of another version. */
export function ensureAsnTable({ built, ...options }: Place): void {
  const { version, target } = options;
  if (![built, target].some((file) => file !== undefined && versionOf(file) === version)) buildAsnTable(options);
}

export const asnTableFile = (dataDir: string): string => path.join(dataDir, "ip", "asn.bin");

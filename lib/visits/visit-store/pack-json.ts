import { deflateRawSync, inflateRawSync } from "node:zlib";

import dictionaries from "./packing-dictionaries.json";

/** Kinds of packed JSON. Each has its own dictionary, as values of one kind resemble each other. */
export type Packed = "signals" | "evidence";

/**
 * Higher levels take twice as long to save 3 %. The defaults for memory are for texts a hundred times as long. Output
 * chunks of this size come from Node's pool of buffers; larger ones are allocated and collected one by one.
 */
const SETTINGS = { level: 3, memLevel: 6, chunkSize: 1024 };

/**
 * @param windowBits Window that holds the dictionary and the text of an ordinary visit. The memory of a larger one has
 *   to be cleared.
 */
const packer = (id: number, text: string, windowBits: number) => ({
  id: Buffer.of(id),
  options: { ...SETTINGS, windowBits, dictionary: Buffer.from(text) },
});

/**
 * Dictionaries never change, since data can only be unpacked with the dictionary that packed it. An improved dictionary
 * gets a new id, which is stored as the first byte of packed data.
 */
const CURRENT: Record<Packed | "evidenceWithoutFindings", ReturnType<typeof packer>> = {
  signals: packer(1, dictionaries.signals, 14),
  evidence: packer(2, dictionaries.evidence, 15),
  evidenceWithoutFindings: packer(3, dictionaries.evidenceWithoutFindings, 11),
};
const BY_ID = new Map(Object.values(CURRENT).map(({ id, options }) => [id[0], options.dictionary]));

/**
 * Longer JSON has at least one finding. For such short JSON, loading a full dictionary takes twice as long as packing.
 */
const MAX_WITHOUT_FINDINGS = 400;

/** Far more than a submission can contain. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Packs a value's JSON to about a tenth of its size. Takes as long as PostgreSQL's own compression, which only halves
 * it.
 */
export function packJson(kind: Packed, value: unknown): Buffer {
  const json = JSON.stringify(value);
  const isShort = kind === "evidence" && json.length <= MAX_WITHOUT_FINDINGS;
  const { id, options } = CURRENT[isShort ? "evidenceWithoutFindings" : kind];
  return Buffer.concat([id, deflateRawSync(json, options)]);
}

/**
 * @throws Error if the data is damaged or was packed with a dictionary that this version does not have
 */
export function unpackJson(packed: Uint8Array): unknown {
  const dictionary = BY_ID.get(packed[0] ?? 0);
  if (!dictionary) throw new Error(`packed with unknown dictionary ${packed[0] ?? "(empty)"}`);
  return JSON.parse(inflateRawSync(packed.subarray(1), { dictionary, maxOutputLength: MAX_BYTES }).toString());
}

/** A visit's evidence as stored: packed, or plain JSON from 0.1. */
export type StoredEvidence = { evidence: unknown; evidence_packed: Uint8Array | null };

export const evidenceOf = ({ evidence, evidence_packed: packed }: StoredEvidence): unknown =>
  packed === null ? evidence : unpackJson(packed);

import { deflateRawSync, inflateRawSync } from "node:zlib";

import dictionaries from "./packing-dictionaries.json";

/** What is packed: texts of one kind resemble each other, so each has a dictionary of what they usually say. */
export type Packed = "signals" | "evidence";

type Dictionary = { id: number; text: Buffer };

/**
 * A dictionary never changes, since what was packed with it can be read with it alone. A better one gets an id of its
 * own, which is the first byte of what it packs.
 */
const CURRENT: Record<Packed | "evidenceWithoutFindings", Dictionary> = {
  signals: { id: 1, text: Buffer.from(dictionaries.signals) },
  evidence: { id: 2, text: Buffer.from(dictionaries.evidence) },
  evidenceWithoutFindings: { id: 3, text: Buffer.from(dictionaries.evidenceWithoutFindings) },
};
const BY_ID = new Map(Object.values(CURRENT).map(({ id, text }) => [id, text]));

/** A finding takes more characters. Reading a whole dictionary takes twice the time of packing so short a text. */
const MAX_WITHOUT_FINDINGS = 400;

/** A higher one takes twice the time for 3 % less. */
const LEVEL = 3;

/** Far beyond what a submission may hold. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The JSON text of a value, about a tenth of its size. It costs as much time as PostgreSQL's own compression, which halves it. */
export function packJson(kind: Packed, value: unknown): Buffer {
  const json = JSON.stringify(value);
  const isShort = kind === "evidence" && json.length <= MAX_WITHOUT_FINDINGS;
  const { id, text } = CURRENT[isShort ? "evidenceWithoutFindings" : kind];
  const packed = deflateRawSync(json, { level: LEVEL, dictionary: text });
  return Buffer.concat([Buffer.of(id), packed]);
}

/** @throws Error when it was packed with a dictionary that this version does not have, or is damaged */
export function unpackJson(packed: Uint8Array): unknown {
  const dictionary = BY_ID.get(packed[0] ?? 0);
  if (!dictionary) throw new Error(`packed with the unknown dictionary ${packed[0] ?? "of nothing"}`);
  return JSON.parse(inflateRawSync(packed.subarray(1), { dictionary, maxOutputLength: MAX_BYTES }).toString());
}

/** A visit's evidence as the table has it: packed, or of 0.1. */
export type StoredEvidence = { evidence: unknown; evidence_packed: Uint8Array | null };

export const evidenceOf = ({ evidence, evidence_packed: packed }: StoredEvidence): unknown =>
  packed === null ? evidence : unpackJson(packed);

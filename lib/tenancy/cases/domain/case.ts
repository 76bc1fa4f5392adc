import { composeText } from "@/lib/platform/storable";

export const CASE_STATUSES = ["open", "in_progress", "closed"] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

export const ITEM_KINDS = ["visit", "device", "address", "account"] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** An object that belongs to a case, as stored. */
export type CaseItem = {
  kind: ItemKind;
  /** Imprint, device id, IP address or range, or account id. */
  value: string;
  /** Set for devices and visits. */
  deviceId: string | undefined;
};

export const MAX_CASES = 10_000;
export const MAX_ITEMS = 500;
export const MAX_ITEMS_AT_ONCE = 100;
export const MAX_COMMENT = 4_000;
export const MAX_NOTE = 300;

/** Control characters other than line breaks and tabs, and characters that change the text direction. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** The comment, trimmed; undefined if it is empty, too long or not printable. */
export function parseComment(text: string): string | undefined {
  const comment = composeText(text.replaceAll("\r\n", "\n"), MAX_COMMENT);
  return comment && !UNPRINTABLE.test(comment) ? comment : undefined;
}

/** The one-line note, trimmed, possibly empty; undefined if it is too long or not printable. */
export function parseNote(text: string): string | undefined {
  const note = composeText(text, MAX_NOTE);
  return note === undefined || UNPRINTABLE.test(note) || note.includes("\n") ? undefined : note;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/**
 * A PostgreSQL regular expression that matches any of the words, but not within a longer word; undefined if there are no
 * words.
 */
export function anyWord(words: readonly string[]): string | undefined {
  const known = words.filter((word) => word !== "").map(escaped);
  if (known.length === 0) return undefined;
  return `(?<![A-Za-z0-9_])(?:${known.join("|")})(?![A-Za-z0-9_])`;
}

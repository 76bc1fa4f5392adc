import { AppError } from "@/lib/contract/errors";

/** NUL, which PostgreSQL text types reject, and lone surrogates, which are neither valid UTF-8 nor valid in `jsonb`. */
const UNSTORABLE = /[\0\p{Cs}]/u;

const MAX_DEPTH = 50;

export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

/** Checks every string in a value, including field names. Values nested too deeply are not storable. */
export function isStorableValue(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value === "string") return isStorable(value);
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  const inner = Symbol.iterator in value ? [...(value as Iterable<unknown>)] : Object.entries(value);
  return inner.every((each) => isStorableValue(each, levels - 1));
}

/** Checks a request target, whose path and query have been decoded. */
export const isStorableTarget = (target: string): boolean => !target.includes("%00") && isStorable(target);

/** Whether parsing could produce unstorable text: only a `\u` escape can, and most JSON has none. */
export const mayHideUnstorable = (json: string): boolean => json.includes("\\u");

export const unstorable = (what: string): AppError =>
  new AppError("invalid_request", { message: `${what} contains a NUL or half of a surrogate pair` });

/** No character is composed of more UTF-16 code units. Source: Unicode Standard Annex #15, table 4. */
const MAX_COMPOSED_UNITS = 4;

/**
 * The composed form (NFC) of a text, without surrounding spaces; undefined if it has more than `max` characters. Longer
 * texts are not composed: that takes quadratic time for a run of combining marks, which is minutes for a megabyte.
 */
export function composeText(text: string, max: number): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_COMPOSED_UNITS * max) return undefined;
  const composed = trimmed.normalize("NFC");
  return composed.length <= max ? composed : undefined;
}

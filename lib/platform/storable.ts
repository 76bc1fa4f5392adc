import { AppError } from "@/lib/contract/errors";

/** NUL, which PostgreSQL's text types refuse, and a lone surrogate, which is no character of UTF-8 and no valid `jsonb`. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** Deeper than anything that is sent here. */
const MAX_DEPTH = 50;

/** Whether PostgreSQL can store a text as it is. */
export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

/** Whether PostgreSQL can store every text in a value that was sent, names of fields included. */
export function isStorableValue(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value === "string") return isStorable(value);
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  const inner = Symbol.iterator in value ? [...(value as Iterable<unknown>)] : Object.entries(value);
  return inner.every((each) => isStorableValue(each, levels - 1));
}

/** Whether the path and query of an address, decoded, can be stored. */
export const isStorableTarget = (target: string): boolean => !target.includes("%00") && isStorable(target);

/** Whether JSON may hold what cannot be stored once it is parsed: only an escape can write that, and most have none. */
export const mayHideUnstorable = (json: string): boolean => json.includes("\\u");

/** The refusal of what cannot be stored. */
export const unstorable = (what: string): AppError =>
  new AppError("invalid_request", { message: `${what} holds a NUL or half of a surrogate pair, which no text has` });

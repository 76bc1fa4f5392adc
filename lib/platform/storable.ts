import { AppError } from "@/lib/contract/errors";

/** NUL, which PostgreSQL's text types refuse, and a lone surrogate, which is no character of UTF-8 and no valid `jsonb`. */
const UNSTORABLE = /[\0\p{Cs}]/u;

const MAX_DEPTH = 50;

export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

/** Checks every text of a value, names of fields included. */
export function isStorableValue(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value === "string") return isStorable(value);
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  const inner = Symbol.iterator in value ? [...(value as Iterable<unknown>)] : Object.entries(value);
  return inner.every((each) => isStorableValue(each, levels - 1));
}

/** Checks the decoded path and query of an address. */
export const isStorableTarget = (target: string): boolean => !target.includes("%00") && isStorable(target);

/** Whether parsing could yield an unstorable text: only an escape can encode one, and most JSON has none. */
export const mayHideUnstorable = (json: string): boolean => json.includes("\\u");

export const unstorable = (what: string): AppError =>
  new AppError("invalid_request", { message: `${what} contains a NUL or half of a surrogate pair` });

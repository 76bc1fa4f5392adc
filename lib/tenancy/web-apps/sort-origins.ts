import { AppError } from "@/lib/contract/errors";
import { parseOrigin, type ParsedOrigin } from "./domain/origin";

export type RefusedOrigin = { text: string } & Extract<ParsedOrigin, { ok: false }>;

/** Separates valid origins, without duplicates, from invalid texts. */
export function sortOrigins(texts: readonly string[]): { origins: string[]; refused: RefusedOrigin[] } {
  const origins = new Set<string>();
  const refused: RefusedOrigin[] = [];
  for (const text of texts) {
    const parsed = parseOrigin(text);
    if (parsed.ok) origins.add(parsed.origin);
    else refused.push({ text, ...parsed });
  }
  return { origins: [...origins], refused };
}

const describe = ({ text, explanation, suggestion }: RefusedOrigin) =>
  `${JSON.stringify(text.slice(0, 100))}: ${explanation}${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`}`;

/**
 * Parses all texts as origins.
 *
 * @throws AppError `invalid_origin` if any is invalid; the message explains each
 */
export function requireOrigins(texts: readonly string[]): string[] {
  const { origins, refused } = sortOrigins(texts);
  if (refused.length > 0) throw new AppError("invalid_origin", { message: refused.map(describe).join("\n") });
  return origins;
}

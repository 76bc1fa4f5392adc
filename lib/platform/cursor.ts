import { AppError } from "@/lib/contract/errors";
import { type IdKind, idPattern } from "@/lib/contract/ids";
import { isTimestamp } from "./calendar";

/** Position in a list ordered by time: the database time to the microsecond, then the row id as tie-breaker. */
export type Position = { at: string; id: string };

const POSITION = /^(\S+ \S+) (\S+)$/;

export const encodeCursor = ({ at, id }: Position): string =>
  btoa(`${at} ${id}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Undefined for an invalid cursor. */
export function decodeCursor(kind: IdKind, cursor: string): Position | undefined {
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(cursor) || cursor.length % 4 === 1) return undefined;
  const [, at, id] = POSITION.exec(atob(cursor.replaceAll("-", "+").replaceAll("_", "/"))) ?? [];
  return at === undefined || id === undefined || !isTimestamp(at) || !idPattern(kind).test(id) ? undefined : { at, id };
}

/**
 * The position after which a page starts; undefined for the first page.
 *
 * @throws AppError `invalid_request`
 */
export function requirePosition(kind: IdKind, cursor: string | undefined, of: "list" | "log"): Position | undefined {
  const position = cursor === undefined ? undefined : decodeCursor(kind, cursor);
  if (cursor !== undefined && !position)
    throw new AppError("invalid_request", { message: `The cursor does not belong to this ${of}` });
  return position;
}

/** A requested page size, at least 1 and at most `max`. */
export const pageSize = (limit: number, max: number): number => Math.min(Math.max(1, Math.trunc(limit)), max);

/** The page of `rows`, of which one more than `size` were read if there is a next page, and the cursor of that. */
export function pageOf<Row>(rows: readonly Row[], size: number, positionOf: (row: Row) => Position) {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return { shown, nextCursor: rows.length > size && last ? encodeCursor(positionOf(last)) : undefined };
}

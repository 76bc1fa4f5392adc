import { isTimestamp } from "./calendar";
import { type IdKind, idPattern } from "@/lib/contract/ids";

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

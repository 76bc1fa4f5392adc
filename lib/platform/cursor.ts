import { isTimestamp } from "./calendar";
import { type IdKind, idPattern } from "@/lib/contract/ids";

/** Position in a list that goes by time: time to the microsecond as the database writes it, and the row's id. */
export type Position = { at: string; id: string };

const POSITION = /^(\S+ \S+) (\S+)$/;

export const encodeCursor = ({ at, id }: Position): string =>
  btoa(`${at} ${id}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** The position among rows of `kind` that a cursor stands for, or undefined for a text that is no cursor. */
export function decodeCursor(kind: IdKind, cursor: string): Position | undefined {
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(cursor) || cursor.length % 4 === 1) return undefined;
  const [, at, id] = POSITION.exec(atob(cursor.replaceAll("-", "+").replaceAll("_", "/"))) ?? [];
  return at === undefined || id === undefined || !isTimestamp(at) || !idPattern(kind).test(id) ? undefined : { at, id };
}

/** Position in the audit log: time to the microsecond as the database writes it, and the entry's id. */
export type AuditPosition = { at: string; auditId: string };

const POSITION = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00) (aud_[0-9a-f]{32})$/;

export const encodeCursor = ({ at, auditId }: AuditPosition): string =>
  btoa(`${at} ${auditId}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** The position that a cursor stands for, or nothing for a text that is no cursor. */
export function decodeCursor(cursor: string): AuditPosition | undefined {
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(cursor) || cursor.length % 4 === 1) return undefined;
  const [, at, auditId] = POSITION.exec(atob(cursor.replaceAll("-", "+").replaceAll("_", "/"))) ?? [];
  return at === undefined || auditId === undefined ? undefined : { at, auditId };
}

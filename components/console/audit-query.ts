import { type AuditFilter, endOfDay, startOfDay } from "@/lib/audit";

/** The filters of the audit log as they stand in the address. */
export type AuditQueryTexts = { action: string; actor: string; target: string; from: string; to: string };

export type AuditParameters = Record<string, string | string[] | undefined>;

const one = (value: string | string[] | undefined): string =>
  typeof value === "string" ? value.trim().slice(0, 120) : "";

export const readAuditQuery = (given: AuditParameters): AuditQueryTexts => ({
  action: one(given["action"]),
  actor: one(given["actor"]),
  target: one(given["target"]),
  from: one(given["from"]),
  to: one(given["to"]),
});

const given = (text: string) => (text === "" ? undefined : text);

/** Days are UTC; the last one is included. What is no date filters nothing. */
export const auditFilterOf = ({ action, actor, target, from, to }: AuditQueryTexts): AuditFilter => ({
  action: given(action),
  actor: given(actor),
  target: given(target),
  from: startOfDay(from),
  to: endOfDay(to),
});

/** The address of a page of the log, or of its export. */
export function auditAddress(path: string, query: AuditQueryTexts, more: Record<string, string> = {}): string {
  const set = Object.entries({ ...query, ...more }).filter(([, value]) => value !== "");
  const text = new URLSearchParams(set).toString();
  return text === "" ? path : `${path}?${text}`;
}

import { type AuditFilter, endOfDay, startOfDay } from "@/lib/platform/audit";
import { type FilterTexts, givenText, type RawQuery, readFilterTexts } from "@/components/ui/filter-texts";

const FILTERS = ["action", "actor", "target", "from", "to"] as const;

/** The filters of the audit log in the query string. */
export type AuditQueryTexts = FilterTexts<(typeof FILTERS)[number]>;

export const readAuditQuery = (given: RawQuery): AuditQueryTexts => readFilterTexts(FILTERS, given);

/** Days are UTC; the last one is included. An invalid date is ignored. */
export const auditFilterOf = ({ action, actor, target, from, to }: AuditQueryTexts): AuditFilter => ({
  action: givenText(action),
  actor: givenText(actor),
  target: givenText(target),
  from: startOfDay(from),
  to: endOfDay(to),
});

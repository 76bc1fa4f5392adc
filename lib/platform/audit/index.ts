export { endOfDay, startOfDay } from "./domain/day";
export type { AuditFilter } from "./domain/filter";
export { type AuditEntry, type AuditPage, type AuditQuery, readAuditPage } from "./read-audit-page";
export { actorId, recordAudit, SYSTEM_WORKSPACE_ID } from "./record-audit";

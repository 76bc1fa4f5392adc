export type { AuditDetail } from "./domain/detail";
export { type AuditEntry, type AuditPage, readAuditPage } from "./read-audit-page";
export { actorId, recordAudit, SYSTEM_WORKSPACE_ID } from "./record-audit";

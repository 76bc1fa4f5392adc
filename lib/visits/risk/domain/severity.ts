import { REPORT_STATUSES, type ReportStatus } from "@/lib/contract/report";

/** The most severe of `statuses`, or PASS if there are none. */
export const maxStatus = (statuses: readonly ReportStatus[]): ReportStatus =>
  REPORT_STATUSES.findLast((status) => statuses.includes(status)) ?? "PASS";

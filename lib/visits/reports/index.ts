export { completeReport, composeReport } from "./compose-report";
export { type AffectedVisits, countRecentVisits, countVisitsBeyond } from "./count-affected-visits";
export { countFurther, MAX_COUNTED_BY_DEVICE } from "./count-further";
export type { Facet } from "./count-by-slices";
export { countReports, type ReportCounts } from "./count-reports";
export { hashAcceptance } from "./hash-acceptance";
export { deliverReport, deliverReportUnbound } from "./deliver-report";
export type { ReportFilter } from "./domain/report-filter";
export { EXPORT_FORMATS, type ExportFormat, exportReports, MAX_EXPORTED } from "./export-reports";
export { findSubject, type Subject } from "./find-subject";
export { narrowBySlices } from "./narrow-by-slices";
export { listReports, type ReportListItem, type ReportPage } from "./list-reports";
export { readLiveReport } from "./read-live-report";
export {
  type ConsoleReport,
  type FindingDetail,
  readDeviceVisits,
  readReportForConsole,
  toDetail,
} from "./read-report-for-console";
export { type FirstVisit, watchFirstVisit } from "./watch-first-visit";

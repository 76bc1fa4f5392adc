export { type ComposedReport, composeReport } from "./compose-report";
export { countReports, type ReportCounts } from "./count-reports";
export { deliverReport } from "./deliver-report";
export { listReports, type ReportListItem, type ReportPage } from "./list-reports";
export { findKeyWithReport } from "./queries";
export { reportText } from "./queries-text";
export { type ConsoleReport, type FindingDetail, readReportForConsole } from "./read-report-for-console";
export { type FirstVisit, watchFirstVisit } from "./watch-first-visit";

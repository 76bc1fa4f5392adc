import { acceptImprint, type AcceptOptions, type Acceptance } from "./accept";
import type { History } from "./contract";
import { type HistoryOptions, readHistory } from "./history";
import { type ImprintServerOptions, parseOptions } from "./options";
import { readReport, type ReportOptions, type ReportRead } from "./report";

export type { Accepted, Acceptance, AcceptOptions } from "./accept";
export type {
  AccountMap,
  Activity,
  ActivityWindow,
  History,
  IdentityResult,
  Network,
  Reason,
  Report,
  ReportStatus,
  ServiceCode,
} from "./contract";
export { ImprintServerError, type ImprintServerErrorCode, isImprintServerError } from "./error";
export type { HistoryOptions } from "./history";
export type { ImprintServerOptions } from "./options";
export { imprintProxy } from "./proxy";
export type { ImprintProxy, ImprintProxyOptions, NodeRequest, NodeResponse, Visitor } from "./proxy-types";
export type { Refused, RefusalReason } from "./refusal";
export type { ReportOptions, ReportRead } from "./report";

export type ImprintServer = {
  /**
   * Whether an imprint is evidence for this action: made by a page of yours, for this action, just now, and used for
   * nothing else. Resolves always, also when Imprint does not answer. It recommends nothing: what the Report says is
   * yours to weigh.
   */
  acceptImprint: (imprint: unknown, options: AcceptOptions) => Promise<Acceptance>;
  /** Reads the Report. Rejects with an `ImprintServerError`. */
  report: (imprint: string, options?: ReportOptions) => Promise<ReportRead>;
  /** Reads the visits of the device behind an imprint (Pro and Enterprise). Rejects with an `ImprintServerError`. */
  history: (imprint: string, options?: HistoryOptions) => Promise<History>;
};

/**
 * A client of your Imprint service, to be made once. Its options are checked at once; the key stays inside.
 *
 * @throws TypeError that names a wrong option
 */
export function createImprintServer(options: ImprintServerOptions): ImprintServer {
  const settings = parseOptions(options);
  return Object.freeze({
    acceptImprint: (imprint: unknown, accept: AcceptOptions) => acceptImprint(settings, imprint, accept),
    report: (imprint: string, read?: ReportOptions) => readReport(settings, imprint, read),
    history: (imprint: string, read?: HistoryOptions) => readHistory(settings, imprint, read),
  });
}

import type { Report } from "./contract";
import type { ImprintServerError, ImprintServerErrorCode } from "./error";

/** Why an imprint is not accepted, with what a person can do about it. */
export const REFUSALS = {
  missing: "The request brought no imprint: the component was blocked, failed, or the form has no field for it",
  malformed: "The request brought something that is no imprint: visitors can send anything",
  not_found: "Imprint does not know this imprint: it was made up, belongs to another workspace, or was erased",
  wrong_surface: "The imprint was made for another action of the site",
  wrong_origin: "The imprint was made on a page of another origin",
  too_old: "The imprint was made too long ago: the page has to run the component when the form is sent",
  already_used: "The imprint was used before, for another action: the page has to make a new one each time",
  wrong_address: "The imprint was made from another network address than the one that sends it",
  account_conflict: "The imprint was used for another account before",
  quota_exhausted: "All report units or requests of this plan are used: see Usage in the Console",
  rate_limited: "Imprint refused for too many requests: see the limits of the plan",
  misconfigured: "Imprint cannot be asked like this: the endpoint, the key, the plan or an option has to be mended",
  unavailable: "Imprint did not answer in time: nothing is known of this visit",
} as const;

export type RefusalReason = keyof typeof REFUSALS;

export type Refused = {
  accepted: false;
  reason: RefusalReason;
  /** For your log: what happened and what to do about it. Not for the visitor. */
  message: string;
  /** With the reasons that come from the Report itself, e.g. `too_old`. */
  report?: Report | undefined;
  /** Of the call that failed, where one did. */
  code?: ImprintServerErrorCode | undefined;
};

type Detail = Pick<Refused, "report" | "code"> & { message?: string };

/** `detail.message` says more about this case than the reason alone. */
export const refuse = (reason: RefusalReason, { message, ...rest }: Detail = {}): Refused => ({
  accepted: false,
  reason,
  message: message === undefined ? REFUSALS[reason] : `${REFUSALS[reason]} (${message})`,
  ...rest,
});

/** What is not here is a fault on the way or of the service, and `unavailable`. */
export const REASON_BY_CODE: Partial<Record<ImprintServerErrorCode, RefusalReason>> = {
  report_not_found: "not_found",
  account_ref_conflict: "account_conflict",
  quota_exhausted: "quota_exhausted",
  request_limit_reached: "quota_exhausted",
  rate_limited: "rate_limited",
  auth_failed: "misconfigured",
  forbidden: "misconfigured",
  grant_expired: "misconfigured",
  grant_revoked: "misconfigured",
  account_map_not_allowed: "misconfigured",
  invalid_account_ref: "misconfigured",
  invalid_request: "misconfigured",
  not_found: "misconfigured",
  method_not_allowed: "misconfigured",
  headers_too_large: "misconfigured",
};

/** Some runtimes tell that there was a redirect, and not which. */
const HIDDEN_REDIRECT = 302;

/** A redirect, or a page in place of a refusal: whatever answers at the endpoint, it is not the service. */
const isWrongEndpoint = ({ code, status = HIDDEN_REDIRECT }: ImprintServerError) =>
  code === "bad_response" && status >= 300 && status < 500;

export function refuseFor(error: ImprintServerError): Refused {
  const { code, message } = error;
  const reason = isWrongEndpoint(error) ? "misconfigured" : (REASON_BY_CODE[code] ?? "unavailable");
  return refuse(reason, { code, message: `${code}: ${message}` });
}

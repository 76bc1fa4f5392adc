import { IMPRINT_PATTERN, type Report } from "./contract";
import { ImprintServerError } from "./error";
import type { Settings } from "./options";
import { type Answer, ask } from "./transport";

export type ReportOptions = {
  /**
   * Your immutable internal id of the account, 1 to 128 printable ASCII characters: never an e-mail address, a telephone
   * number or a name. The Report then has `account_map`. Needs Account Map in the plan.
   */
  accountRef?: string | undefined;
  /**
   * An id of your own choosing for the action that this imprint is accepted for, 1 to 128 visible ASCII characters without
   * spaces. The same id gets `first` again, so that a retry is safe; any other id gets `repeat`.
   */
  acceptance?: string | undefined;
  signal?: AbortSignal | undefined;
};

/** A Report, and what the headers beside it tell. One that is undefined was not sent. */
export type ReportRead = {
  report: Report;
  /** Whether this is the first delivery of this Report, or the first one to this `acceptance`. */
  delivery: "first" | "repeat" | undefined;
  /** What the page gave to `run({ surface })`. */
  surface: string | undefined;
  /** Origin of the page that made the imprint, as its browser said. */
  origin: string | undefined;
  /** Age of the imprint by the clock of the service. */
  ageSeconds: number | undefined;
  /** How the device was found. */
  recognition: "token" | "evidence" | "new" | undefined;
  /** With `evidence`: how sure that is, from 0 to 0.99. */
  confidence: number | undefined;
  /** Name of the automated agent that signed the visit's request, where that was verified. */
  agent: string | undefined;
};

const REPORT_PATH = "/api/v1/fingerprint/report/";

export const ACCEPTANCE_FORM = "1 to 128 visible ASCII characters without spaces";

/** What the service takes as an id of an action. */
export const isAcceptance = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7e]{1,128}$/.test(value);

const isAccountRef = (value: unknown) => typeof value === "string" && /^[\x20-\x7e]{1,128}$/.test(value);

/** @throws ImprintServerError as the service would answer, without asking it */
export function requireImprint(imprint: unknown): asserts imprint is string {
  if (typeof imprint !== "string" || !IMPRINT_PATTERN.test(imprint))
    throw new ImprintServerError("report_not_found", "That is not an imprint: imp_ and 32 lowercase hex digits", {
      status: 404,
    });
}

function headersOf({ accountRef, acceptance }: ReportOptions): Record<string, string> {
  if (accountRef !== undefined && accountRef !== "" && !isAccountRef(accountRef))
    throw new ImprintServerError("invalid_account_ref", "accountRef has to be 1 to 128 printable ASCII characters");
  if (acceptance !== undefined && !isAcceptance(acceptance))
    throw new ImprintServerError("invalid_request", `acceptance has to be ${ACCEPTANCE_FORM}`);
  return {
    ...(accountRef !== undefined && { "X-Account-Ref": accountRef }),
    ...(acceptance !== undefined && { "Imprint-Acceptance": acceptance }),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Whether a body is the Report of this imprint: what a site reads from it is there. */
function isReportOf(imprint: string, body: unknown): body is Report {
  if (!isRecord(body)) return false;
  const { device, risk, browser, operating_system: system, network } = body;
  return (
    body["imprint"] === imprint &&
    typeof body["created_at"] === "string" &&
    isRecord(device) &&
    typeof device["id"] === "string" &&
    isRecord(risk) &&
    typeof risk["status"] === "string" &&
    Array.isArray(risk["reasons"]) &&
    Array.isArray(risk["findings"]) &&
    [browser, system, network].every(isRecord)
  );
}

const oneOf = <const T extends string>(values: readonly T[], text: string | null): T | undefined =>
  values.find((value) => value === text);

const numberIn = (text: string | null, pattern: RegExp): number | undefined =>
  text !== null && pattern.test(text) ? Number(text) : undefined;

function describe(report: Report, { headers }: Answer): ReportRead {
  return {
    report,
    delivery: oneOf(["first", "repeat"], headers.get("Imprint-Delivery")),
    surface: headers.get("Imprint-Surface") ?? undefined,
    origin: headers.get("Imprint-Origin") ?? undefined,
    ageSeconds: numberIn(headers.get("Imprint-Age"), /^\d{1,12}$/),
    recognition: oneOf(["token", "evidence", "new"], headers.get("Imprint-Recognition")),
    confidence: numberIn(headers.get("Imprint-Confidence"), /^0\.\d{2}$/),
    agent: headers.get("Imprint-Agent") ?? undefined,
  };
}

/** @throws ImprintServerError */
export async function readReport(
  settings: Settings,
  imprint: string,
  options: ReportOptions = {},
): Promise<ReportRead> {
  requireImprint(imprint);
  const headers = headersOf(options);
  const answer = await ask(settings, { path: `${REPORT_PATH}${imprint}`, headers, signal: options.signal });
  if (isReportOf(imprint, answer.body)) return describe(answer.body, answer);
  throw new ImprintServerError("bad_response", "The endpoint answered with something other than this Report", {
    status: 200,
  });
}

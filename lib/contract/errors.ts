/**
 * Every error code that a client can receive, with its HTTP status and default text.
 * Codes are public and permanent: add one, never rename or reuse one.
 * Each has a page at `/docs/errors/CODE`.
 */
export const ERRORS = {
  settlement_pending: {
    status: 202,
    message: "The money may already have moved: ask the status URL, make no second intent and sign no second payment",
  },
  invalid_request: { status: 400, message: "The request is not valid" },
  invalid_origin: { status: 400, message: "The origin is not one exact http or https origin" },
  invalid_account_ref: { status: 400, message: "The account reference is not acceptable" },
  invalid_payment: { status: 400, message: "The payment payload is not valid for this intent" },
  challenge_expired: { status: 400, message: "The challenge is no longer valid; ask for a new one" },
  auth_failed: { status: 401, message: "Authentication failed" },
  forbidden: { status: 403, message: "Not permitted" },
  origin_not_allowed: { status: 403, message: "This origin is not on the list of allowed origins" },
  environment_disabled: { status: 403, message: "This environment does not accept submissions" },
  visitor_signature_invalid: {
    status: 403,
    message:
      "The signature of Imprint-Visitor does not fit: ask for the secret again, and sign the bytes that are sent",
  },
  visitor_signature_expired: {
    status: 403,
    message: "Imprint-Visitor was signed more than 60 seconds from now: sign each request again, with a correct clock",
  },
  visitor_key_refused: {
    status: 403,
    message:
      "The API key that signed Imprint-Visitor is revoked, expired or of another workspace: give the proxy a key of this environment's workspace",
  },
  trial_key_required: { status: 403, message: "This key was not issued by an Agent Trial" },
  grant_expired: { status: 403, message: "The trial has expired" },
  grant_revoked: { status: 403, message: "The trial was revoked" },
  history_not_allowed: { status: 403, message: "The plan of this key does not include History" },
  account_map_not_allowed: { status: 403, message: "The plan of this key does not include Account Map" },
  mcp_disabled: { status: 403, message: "The operator of this instance has switched MCP off" },
  not_found: { status: 404, message: "There is nothing at this address" },
  report_not_found: { status: 404, message: "There is no such report" },
  environment_not_found: { status: 404, message: "There is no such environment" },
  intent_not_found: { status: 404, message: "There is no such trial intent" },
  product_not_found: { status: 404, message: "There is no such product" },
  method_not_allowed: { status: 405, message: "This address does not answer that method" },
  request_timeout: { status: 408, message: "The request did not arrive in time" },
  challenge_used: { status: 409, message: "The challenge was already used for another submission" },
  account_ref_conflict: { status: 409, message: "Another account is already bound to this imprint" },
  product_unavailable: { status: 409, message: "The product is not on sale at present" },
  payment_already_used: { status: 409, message: "This payment was already presented" },
  intent_expired: { status: 409, message: "The trial intent has expired" },
  intent_revoked: { status: 409, message: "The trial intent was revoked" },
  conflict: { status: 409, message: "The change does not fit the present state" },
  payload_too_large: { status: 413, message: "The request body is too large" },
  headers_too_large: { status: 431, message: "The request headers are too many or too large" },
  rate_limited: { status: 429, message: "Too many requests; wait and try again" },
  quota_exhausted: { status: 429, message: "All report units of this period are used" },
  request_limit_reached: { status: 429, message: "The request limit of this trial is reached" },
  internal_error: { status: 500, message: "Something went wrong on our side" },
  facilitator_error: {
    status: 502,
    message: "The payment facilitator could not verify the payment; this request submitted nothing",
  },
  payment_unavailable: {
    status: 503,
    message: "Payments are not available at present; this request submitted nothing",
  },
  service_unavailable: { status: 503, message: "The service is not available at present; try again shortly" },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

const BRAND = Symbol.for("imprint.AppError");

type AppErrorOptions = {
  message?: string;
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
  cause?: unknown;
};

/**
 * An expected failure that may be shown to the client. Any other thrown value becomes `internal_error`.
 * Test for it with `isAppError`, never with `instanceof`: two bundles with this module share one process.
 */
export class AppError extends Error {
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  /** Response headers in addition to those of every error, e.g. `Allow`. */
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }
}

export const isAppError = (error: unknown): error is AppError =>
  typeof error === "object" && error !== null && BRAND in error;

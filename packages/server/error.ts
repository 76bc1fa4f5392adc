import type { ServiceCode } from "./contract";

/**
 * `network`: no connection, or one that broke. `timeout`: no answer within `timeoutMs`. `aborted`: your `signal` ended
 * the call. `bad_response`: an answer that is not the service's. The others are the service's own.
 */
export type ImprintServerErrorCode = ServiceCode | "network" | "timeout" | "aborted" | "bad_response";

export type ImprintServerErrorDetails = {
  /** HTTP status of the answer, if there was one. */
  status?: number | undefined;
  /** How long the service asks to wait before the next request. */
  retryAfterSeconds?: number | undefined;
  /** What to quote to the operator of the service. */
  requestId?: string | undefined;
};

const BRAND: unique symbol = Symbol.for("imprint.ImprintServerError");

/** Why a call failed. Branch on `code`, never on the text. */
export class ImprintServerError extends Error {
  readonly code: ImprintServerErrorCode;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;

  constructor(code: ImprintServerErrorCode, message: string, details: ImprintServerErrorDetails = {}) {
    super(message);
    this.name = "ImprintServerError";
    this.code = code;
    this.status = details.status;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.requestId = details.requestId;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Recognises the errors of this package, also those of another copy of it in the same process. */
export const isImprintServerError = (error: unknown): error is ImprintServerError =>
  typeof error === "object" && error !== null && BRAND in error;

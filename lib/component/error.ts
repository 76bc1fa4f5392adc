import type { ImprintError, ImprintErrorCode } from "./api";

const RETRYABLE = /^(network|timeout|rate_|server_|challenge_)/;

export const createError = (
  code: ImprintErrorCode,
  message: string,
  requestId: string | null = null,
  retryable = RETRYABLE.test(code),
): ImprintError =>
  // Defined, as it cannot be assigned where the page has frozen `Error.prototype`. So it is what the type says.
  Object.defineProperty(Object.assign(new Error(message), { code, requestId, retryable }), "name", {
    value: "ImprintError",
    enumerable: true,
  }) as ImprintError;

/** Recognises errors of this component, also across two copies of it on one page. */
export const isImprintError = (error: unknown): error is ImprintError =>
  error instanceof Error && error.name === "ImprintError" && "code" in error;

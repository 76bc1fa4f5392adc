import type { ImprintError, ImprintErrorCode } from "./api";

const RETRYABLE = /^(network|timeout|rate_|server_|challenge_)/;

export const createError = (
  code: ImprintErrorCode,
  message: string,
  requestId: string | null = null,
  retryable = RETRYABLE.test(code),
): ImprintError => Object.assign(new Error(message), { name: "ImprintError" as const, code, requestId, retryable });

/** Recognises errors of this component, also across two copies of it on one page. */
export const isImprintError = (error: unknown): error is ImprintError =>
  error instanceof Error && error.name === "ImprintError" && "code" in error;

import { isDatabaseUnavailable } from "@/db/client";
import { failedStatement } from "@/db/statement-name";
import { AppError, ERRORS, isAppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";
import type { Answer } from "./exchange";

const JSON_TYPE = "application/json";

export const NO_STORE = "private, no-store";

/** A JSON answer from serialised text. */
export const jsonAnswer = (status: number, text: string, headers: Record<string, string>): Answer => ({
  status,
  text,
  headers: { "Content-Type": JSON_TYPE, "Cache-Control": NO_STORE, ...headers },
});

/** The error to send to the client: internal errors are replaced by a generic code, with the cause kept for the log. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  return new AppError(isDatabaseUnavailable(error) ? "service_unavailable" : "internal_error", { cause: error });
}

/** The requested operation and its start time, for the log. */
export type Asked = { operation: string; startedAt?: number | undefined };

/** Logs a failed request without its URL, which can contain a secret. */
function logFailure(failure: AppError, requestId: string, asked: Asked | undefined): void {
  const { code } = failure;
  const error = failure.cause ?? failure;
  log.error(
    {
      err: error,
      code,
      operation: asked?.operation,
      status: ERRORS[code].status,
      durationMs: asked?.startedAt === undefined ? undefined : Math.round(performance.now() - asked.startedAt),
      statement: failedStatement(error),
      requestId,
    },
    "request failed",
  );
}

/** The contract's error envelope: not cacheable, without a stack trace, with a link to the error code's page. */
export function errorAnswer(
  error: unknown,
  requestId: string,
  headers: Record<string, string> = {},
  asked?: Asked,
): Answer {
  const known = toAppError(error);
  const { code } = known;
  const { status } = ERRORS[code];
  if (status >= 500) logFailure(known, requestId, asked);
  const retry = known.retryAfterSeconds ?? (code === "service_unavailable" ? 1 : undefined);
  const answer = jsonAnswer(status, JSON.stringify({ error: { code, message: known.message } }), {
    "X-Request-Id": requestId,
    Link: `</docs/errors/${code}>; rel="help"`,
    ...headers,
    ...known.headers,
    ...(retry === undefined ? {} : { "Retry-After": String(retry) }),
  });
  return { code, ...answer };
}

/** Converts an answer to a web `Response`, for Next and for handlers of other protocols. */
export const toResponse = ({ status, headers, text }: Answer): Response =>
  new Response(status === 204 ? null : text, { status, headers });

/** The error envelope as a web response. */
export const errorResponse = (
  error: unknown,
  requestId: string,
  headers: Record<string, string>,
  asked: Asked,
): Response => toResponse(errorAnswer(error, requestId, headers, asked));

import { isDatabaseUnavailable } from "@/db/client";
import { failedStatement } from "@/db/statement-name";
import { AppError, ERRORS, isAppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";
import type { Answer } from "./exchange";

const JSON_TYPE = "application/json";

export const NO_STORE = "private, no-store";

/** A JSON answer from text that is already serialised. */
export const jsonAnswer = (status: number, text: string, headers: Record<string, string>): Answer => ({
  status,
  text,
  headers: { "Content-Type": JSON_TYPE, "Cache-Control": NO_STORE, ...headers },
});

/** What a client may be told of a failure. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  return new AppError(isDatabaseUnavailable(error) ? "service_unavailable" : "internal_error", { cause: error });
}

/** What was asked for and when, for the log. */
export type Asked = { operation: string; startedAt?: number | undefined };

/** A failed request's line: without the address, which can hold a secret. */
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

/**
 * The error envelope of the contract: never cached, never a stack, with a link to the page of its code.
 */
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

/** The web form of an answer, for Next and for handlers of other protocols. */
export const toResponse = ({ status, headers, text }: Answer): Response =>
  new Response(status === 204 ? null : text, { status, headers });

/** The error envelope as a web response. */
export const errorResponse = (
  error: unknown,
  requestId: string,
  headers: Record<string, string>,
  asked: Asked,
): Response => toResponse(errorAnswer(error, requestId, headers, asked));

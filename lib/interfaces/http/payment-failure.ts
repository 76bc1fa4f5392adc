import { AppError, ERRORS } from "@/lib/contract/errors";
import { askStatus, callAgain } from "@/lib/trials";
import { toAppError } from "./response";

const RETRY_SECONDS = 2;

/**
 * A failure of an operation by which payments are made. Whoever meets it cannot know whether a call before it submitted
 * one, so a failure of ours says how to find out.
 *
 * @param intentId of the purchase, once its holder is known
 */
export function adviseOnPayment(error: unknown, intentId: string | undefined): unknown {
  const failure = toAppError(error);
  const { code, message, headers, cause, retryAfterSeconds = RETRY_SECONDS } = failure;
  if (ERRORS[code].status < 500) return failure;
  const advice = intentId === undefined ? callAgain() : askStatus(intentId);
  return new AppError(code, { message: `${message}. ${advice}`, headers, cause: cause ?? failure, retryAfterSeconds });
}

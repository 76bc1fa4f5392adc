import { AppError, ERRORS } from "@/lib/contract/errors";
import { askStatus, callAgain } from "@/lib/trials";
import { toAppError } from "./response";

const RETRY_SECONDS = 2;

/**
 * Adds advice to a server error of an operation that takes payments: the caller cannot know whether an earlier call
 * already submitted the payment, so the message says how to find out.
 *
 * @param intentId id of the purchase, once its holder is known
 */
export function adviseOnPayment(error: unknown, intentId: string | undefined): unknown {
  const failure = toAppError(error);
  const { code, message, headers, cause, retryAfterSeconds = RETRY_SECONDS } = failure;
  if (ERRORS[code].status < 500) return failure;
  const advice = intentId === undefined ? callAgain() : askStatus(intentId);
  return new AppError(code, { message: `${message}. ${advice}`, headers, cause: cause ?? failure, retryAfterSeconds });
}

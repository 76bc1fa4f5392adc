import { AppError } from "@/lib/contract/errors";

const LONGEST = 300;

/**
 * What an operator wrote beside a decision: one line without control characters; nothing when it is empty.
 *
 * @throws AppError `invalid_request` when it is longer than 300 characters
 */
export function requireReason(text: string | undefined): string | undefined {
  const line = (text ?? "").replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  if (line.length > LONGEST)
    throw new AppError("invalid_request", { message: `A reason has at most ${LONGEST} characters` });
  return line === "" ? undefined : line;
}

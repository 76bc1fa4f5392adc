import { AppError } from "@/lib/contract/errors";

const MAX_CHARACTERS = 300;

/**
 * An operator's reason as one line without characters that control it or its direction; undefined if it is empty.
 *
 * @throws AppError `invalid_request` if it is longer than 300 characters
 */
export function requireReason(text: string | undefined): string | undefined {
  const line = (text ?? "").replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, " ").trim();
  if (line.length > MAX_CHARACTERS)
    throw new AppError("invalid_request", { message: `A reason can have at most ${MAX_CHARACTERS} characters` });
  return line === "" ? undefined : line;
}

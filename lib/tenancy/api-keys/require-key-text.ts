import { AppError } from "@/lib/contract/errors";
import { isWellFormedKey } from "./domain/key-format";

/**
 * Validates a secret generated earlier by `drawKey`. The error message does not contain it.
 *
 * @throws AppError `invalid_request`
 */
export function requireKeyText(text: string): string {
  if (isWellFormedKey(text) && text.startsWith("svc_live_")) return text;
  throw new AppError("invalid_request", {
    message: "Not a valid key: expected svc_live_, 32 characters and a checksum",
  });
}

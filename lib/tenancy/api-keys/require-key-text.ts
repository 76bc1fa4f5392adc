import { AppError } from "@/lib/contract/errors";
import { isWellFormedKey } from "./domain/key-format";

/**
 * Validates a secret that `drawKey` generated before. The error does not repeat the text.
 *
 * @throws AppError `invalid_request`
 */
export function requireKeyText(text: string): string {
  if (isWellFormedKey(text) && text.startsWith("svc_live_")) return text;
  throw new AppError("invalid_request", { message: "That is not a key: svc_live_, 32 characters and their checksum" });
}

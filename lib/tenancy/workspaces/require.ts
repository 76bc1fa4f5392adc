import { AppError } from "@/lib/contract/errors";
import { type IdKind, idPattern } from "@/lib/contract/ids";
import { parseEmail } from "./domain/email";
import { parseName } from "./domain/name";

/**
 * Validates a name and returns its stored form.
 *
 * @throws AppError `invalid_request`
 */
export function requireName(text: string): string {
  const name = parseName(text);
  if (name === undefined) {
    throw new AppError("invalid_request", {
      message:
        "A name must have 1 to 80 characters, at least one of them visible, and no control or invisible characters",
    });
  }
  return name;
}

/**
 * Validates an e-mail address and returns it in lower case.
 *
 * @throws AppError `invalid_request`
 */
export function requireEmail(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) {
    throw new AppError("invalid_request", { message: "That is not a plain e-mail address such as ada@example.com" });
  }
  return email;
}

/**
 * Validates the format of an identifier. A malformed one cannot match a stored row, hence `not_found`.
 *
 * @throws AppError `not_found`
 */
export function requireId(kind: IdKind, id: string, message: string): string {
  if (!idPattern(kind).test(id)) throw new AppError("not_found", { message });
  return id;
}

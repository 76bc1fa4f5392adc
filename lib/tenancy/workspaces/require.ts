import { AppError } from "@/lib/contract/errors";
import { type IdKind, idPattern } from "@/lib/contract/ids";
import { parseEmail } from "./domain/email";
import { parseName } from "./domain/name";

/**
 * The name as it is stored.
 *
 * @throws AppError `invalid_request`
 */
export function requireName(text: string): string {
  const name = parseName(text);
  if (name === undefined) {
    throw new AppError("invalid_request", {
      message: "A name has 1 to 80 characters, some of them visible, and no control characters",
    });
  }
  return name;
}

/**
 * The address in lower case.
 *
 * @throws AppError `invalid_request`
 */
export function requireEmail(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) {
    throw new AppError("invalid_request", { message: "That is not one plain e-mail address such as ada@example.com" });
  }
  return email;
}

/**
 * The identifier, when it has the form of its kind: anything else cannot name a stored row.
 *
 * @throws AppError `not_found`
 */
export function requireId(kind: IdKind, id: string, message: string): string {
  if (!idPattern(kind).test(id)) throw new AppError("not_found", { message });
  return id;
}

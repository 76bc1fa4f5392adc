import { AppError } from "@/lib/contract/errors";

/**
 * The error for a missing or invalid Bearer credential, with the challenge that clients expect. Without a credential there
 * is no error code. Source: RFC 6750, section 3.
 */
export const refuseBearer = (authorization: string): AppError =>
  new AppError("auth_failed", {
    headers: { "WWW-Authenticate": `Bearer realm="imprint"${authorization === "" ? "" : ', error="invalid_token"'}` },
  });

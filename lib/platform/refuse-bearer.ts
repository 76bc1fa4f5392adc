import { AppError } from "@/lib/contract/errors";

/**
 * The refusal of a Bearer credential, with the challenge that clients look for. Source: RFC 6750, section 3; a request
 * without a credential gets no error code.
 */
export const refuseBearer = (authorization: string): AppError =>
  new AppError("auth_failed", {
    headers: { "WWW-Authenticate": `Bearer realm="imprint"${authorization === "" ? "" : ', error="invalid_token"'}` },
  });

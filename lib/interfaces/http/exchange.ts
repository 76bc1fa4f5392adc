import type { IncomingHttpHeaders } from "node:http";

import type { ErrorCode } from "@/lib/contract/errors";

/** A request to an operation, in the one form that the socket and Next's routes both bring it into. */
export type ApiRequest = {
  method: string;
  /** Path as sent, without percent-decoding. */
  pathname: string;
  /** Query as sent with its `?`, or empty. */
  search: string;
  /** By lower-case name. */
  headers: IncomingHttpHeaders;
  /**
   * The body as text, empty where the method has none.
   *
   * @throws AppError payload_too_large beyond `limitBytes`; invalid_request when it breaks off or is no UTF-8
   */
  readBody: (limitBytes: number) => string | Promise<string>;
  /** Canonical address of the client; absent when it can't be known. */
  address: string | undefined;
  requestId: string;
  /** When it came, of the monotonic clock in milliseconds. */
  startedAt?: number | undefined;
};

/** The answer of an operation, before it is given to a socket or to Next. */
export type Answer = {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Of a refusal. */
  code?: ErrorCode;
};

/** A header's value; several of one name as one list. Source: RFC 9110, section 5.3. */
export function headerOf({ headers }: Pick<ApiRequest, "headers">, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

import type { IncomingHttpHeaders } from "node:http";

import type { ErrorCode } from "@/lib/contract/errors";

/** A request to an operation, in a form common to the socket and Next's routes. */
export type ApiRequest = {
  method: string;
  /** Path as sent, without percent-decoding. */
  pathname: string;
  /** Query as sent with its `?`, or empty. */
  search: string;
  /** Keyed by lower-case name. */
  headers: IncomingHttpHeaders;
  /** Names and values alternately, as sent, if the request came from the socket: `headers` joins those of one name. */
  rawHeaders?: readonly string[];
  /**
   * Reads the body as text; empty for methods without one.
   *
   * @throws AppError `payload_too_large` beyond `limitBytes`; `invalid_request` when the body ends early or is not
   * UTF-8
   */
  readBody: (limitBytes: number) => string | Promise<string>;
  /** Canonical address of the client; absent when it can't be known. */
  address: string | undefined;
  requestId: string;
  /** Arrival time, in milliseconds of the monotonic clock. */
  startedAt?: number | undefined;
};

/** The answer of an operation, before it is written to a socket or passed to Next. */
export type Answer = {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Error code, if the request was refused. */
  code?: ErrorCode;
};

/** A header's value; repeated headers are joined into one list. Source: RFC 9110, section 5.3. */
export function headerOf({ headers }: Pick<ApiRequest, "headers">, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Whether a header was sent more than once, as far as is known. */
export const isRepeated = ({ rawHeaders = [] }: Pick<ApiRequest, "rawHeaders">, name: string): boolean =>
  rawHeaders.filter((sent, index) => index % 2 === 0 && sent.toLowerCase() === name).length > 1;

import { now } from "@/lib/platform/clock";
import { type ApiRequest, headerOf } from "../exchange";

/** A request as it came. */
export type SentRequest = {
  /** A header by its lower-case name. */
  requestHeader: (name: string) => string | undefined;
  /** Names of the headers, lower case, in the order of arrival where the socket told it. */
  headerNames: readonly string[];
  /** Canonical address of the client, when it can be known. */
  address: string | undefined;
  /** The body's bytes as text, by which a repeated one is recognised. */
  rawBody: string;
  now: Date;
};

/** @throws AppError payload_too_large, invalid_request */
export async function readRequest(request: ApiRequest, bodyLimitBytes: number): Promise<SentRequest> {
  const body = request.readBody(bodyLimitBytes);
  // Awaiting a string would cost a turn of the event loop.
  const rawBody = typeof body === "string" ? body : await body;
  return {
    requestHeader: (name) => headerOf(request, name),
    headerNames: Object.keys(request.headers),
    address: request.address,
    rawBody,
    now: now(),
  };
}

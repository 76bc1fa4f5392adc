import type { Operation } from "@/lib/contract/operation";
import { VISITOR_HEADER } from "@/lib/contract/visitor-text";
import { now } from "@/lib/platform/clock";
import { openVisitor, type SignedVisitor } from "@/lib/visits/submissions";
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
  /** For whom a proxy of the site forwards the request, where one does: address and headers are the visitor's then. */
  visitor: SignedVisitor | undefined;
  now: Date;
};

type Asked = Pick<Operation, "security" | "path" | "bodyLimitBytes">;

/** For whom a proxy of the site forwards a request of a browser, by its signature; nothing is asked of the database. */
function visitorOf({ security, path }: Asked, request: ApiRequest, rawBody: string, at: Date) {
  const header = security === "origin" ? headerOf(request, VISITOR_HEADER) : undefined;
  return header === undefined ? undefined : openVisitor({ header, path, rawBody, now: at });
}

/** @throws AppError payload_too_large, invalid_request, visitor_signature_invalid, visitor_signature_expired */
export async function readRequest(operation: Asked, request: ApiRequest): Promise<SentRequest> {
  const body = request.readBody(operation.bodyLimitBytes);
  // Awaiting a string would cost a turn of the event loop.
  const rawBody = typeof body === "string" ? body : await body;
  const at = now();
  const visitor = visitorOf(operation, request, rawBody, at);
  const signed = visitor?.headers;
  return {
    requestHeader: signed ? (name) => signed.get(name) : (name) => headerOf(request, name),
    headerNames: signed ? [...signed.keys()] : Object.keys(request.headers),
    address: visitor ? visitor.address : request.address,
    rawBody,
    visitor,
    now: at,
  };
}

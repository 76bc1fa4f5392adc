import type { Operation } from "@/lib/contract/operation";
import { VISITOR_HEADER } from "@/lib/contract/visitor-text";
import { now } from "@/lib/platform/clock";
import { openVisitor, type SignedVisitor } from "@/lib/visits/submissions";
import { type ApiRequest, headerOf } from "../exchange";

/** A request as received. */
export type SentRequest = {
  /** Reads a header by its lower-case name. */
  requestHeader: (name: string) => string | undefined;
  /** Lower-case header names, in order of arrival if the request came from the socket. */
  headerNames: readonly string[];
  /** Canonical client address, if known. */
  address: string | undefined;
  /** The body as text, used to recognise replays. */
  rawBody: string;
  /**
   * The visitor for whom the site's proxy forwards the request, if it does. Address and headers above are then the
   * visitor's.
   */
  visitor: SignedVisitor | undefined;
  now: Date;
};

type Asked = Pick<Operation, "security" | "path" | "bodyLimitBytes">;

/** The visitor for whom the site's proxy forwards a browser's request, by its signature; without a database query. */
function visitorOf({ security, path }: Asked, request: ApiRequest, rawBody: string, at: Date) {
  const header = security === "origin" ? headerOf(request, VISITOR_HEADER) : undefined;
  return header === undefined ? undefined : openVisitor({ header, path, rawBody, now: at });
}

/** @throws AppError `payload_too_large`, `invalid_request`, `visitor_signature_invalid`, `visitor_signature_expired` */
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

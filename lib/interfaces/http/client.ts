import { env } from "@/lib/platform/env";
import { newId } from "@/lib/contract/ids";
import { addressFromPlatformHeader } from "@/lib/platform/addresses";
import { sharedValue } from "@/lib/platform/shared-state";
import type { ApiRequest } from "./exchange";
import { readBody } from "./read-body";

/** The connection behind a request, as seen by the server entry. */
export type Client = {
  /** Canonical address of the client; absent when it can't be known. */
  address?: string;
  requestId: string;
  /** Arrival time, in milliseconds of the monotonic clock. */
  startedAt?: number;
};

/** Header that carries the client address from the server entry to the pages. It is removed from incoming requests. */
export const CLIENT_ADDRESS_HEADER = "x-imprint-client-address";

/** Header that carries the operation name to the pages, for the log. */
export const OPERATION_HEADER = "x-imprint-operation";

/** Header that carries the requested path and query to the pages. */
export const PAGE_PATH_HEADER = "x-imprint-path";

const clients = sharedValue("clients", () => new WeakMap<Request, Client>());

export function setClient(request: Request, client: Client): void {
  clients.set(request, client);
}

/** The connection behind a request; undefined when the request did not come through the server entry. */
export const clientOf = (request: Request): Client | undefined => clients.get(request);

/**
 * Canonical client address. Without the server entry, it is known only from the header of a platform that owns the
 * socket.
 */
export function addressOf(request: Request): string | undefined {
  const client = clientOf(request);
  if (client) return client.address;
  const header = env.CLIENT_IP_HEADER;
  return header === undefined ? undefined : addressFromPlatformHeader(request.headers.get(header));
}

/** Converts a web request, as Next passes it. */
export function fromWebRequest(request: Request): ApiRequest {
  const { pathname, search } = new URL(request.url);
  const client = clientOf(request);
  return {
    method: request.method,
    pathname,
    search,
    headers: Object.fromEntries(request.headers),
    readBody: (limitBytes) => readBody(request, limitBytes),
    address: addressOf(request),
    requestId: client?.requestId ?? newId("request"),
    startedAt: client?.startedAt,
  };
}

import { env } from "@/lib/platform/env";
import { newId } from "@/lib/contract/ids";
import { addressFromPlatformHeader } from "@/lib/platform/addresses";
import type { ApiRequest } from "./exchange";
import { readBody } from "./read-body";

/** What the server entry knows of the connection behind a request. */
export type Client = {
  /** Canonical address of the client; absent when it can't be known. */
  address?: string;
  requestId: string;
  /** When the request came, of the monotonic clock in milliseconds. */
  startedAt?: number;
};

/** Header in which the server entry tells pages the client's address; one from outside never reaches them. */
export const CLIENT_ADDRESS_HEADER = "x-imprint-client-address";

/** Header in which the server entry tells pages what was asked for, for the log. */
export const OPERATION_HEADER = "x-imprint-operation";

/** Header in which the server entry tells pages their own address below the origin, with its query. */
export const PAGE_PATH_HEADER = "x-imprint-path";

const HOLDER = Symbol.for("imprint.clients");

/** A WeakMap is data: it may be shared by the two module graphs of one process. */
function clients(): WeakMap<Request, Client> {
  const holder = globalThis as { [HOLDER]?: WeakMap<Request, Client> | undefined };
  const known = holder[HOLDER] ?? new WeakMap<Request, Client>();
  holder[HOLDER] = known;
  return known;
}

export function setClient(request: Request, client: Client): void {
  clients().set(request, client);
}

/** Facts of the connection, or nothing when the request did not come through the server entry. */
export const clientOf = (request: Request): Client | undefined => clients().get(request);

/** Canonical address of the client. Without the server entry only a platform that owns the socket can tell it. */
export function addressOf(request: Request): string | undefined {
  const client = clientOf(request);
  if (client) return client.address;
  const header = env.CLIENT_IP_HEADER;
  return header === undefined ? undefined : addressFromPlatformHeader(request.headers.get(header));
}

/** A web request to an operation, as Next brings it. */
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

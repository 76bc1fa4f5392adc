import { AppError } from "@/lib/errors";
import { type Client, setClient } from "./client";
import { preflightHeaders } from "./cors";
import type { Route } from "./define-route";
import { errorResponse } from "./response";

type RouteProps = { params: Promise<Record<string, string>> };
type Handler = (request: Request, props: RouteProps) => Promise<Response>;
type Entry = {
  segments: readonly string[];
  routes: ReadonlyMap<string, Handler>;
  /** Whether pages of other origins call it: then a preflight is answered. */
  isCalledByBrowsers: boolean;
};
export type ApiTable = readonly Entry[];

/** The routes by path. Segments in braces match any one segment; the operation's schema judges the value. */
export function createApiTable(routes: readonly Route[]): ApiTable {
  const byPath = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const { path, method } = route.operation;
    const methods = byPath.get(path) ?? new Map<string, Route>();
    if (methods.has(method)) throw new Error(`${method} ${path} is routed twice`);
    byPath.set(path, methods.set(method, route));
  }
  return [...byPath].map(([path, methods]) => ({
    segments: path.split("/"),
    routes: methods,
    isCalledByBrowsers: [...methods.values()].some((route) => route.operation.security === "origin"),
  }));
}

/** Handlers of other protocols than the API's, by path and method. What they throw becomes the envelope. */
export function mountHandlers(handlers: Record<string, Record<string, Handler>>): ApiTable {
  return Object.entries(handlers).map(([path, methods]) => ({
    segments: path.split("/"),
    routes: new Map(Object.entries(methods)),
    isCalledByBrowsers: false,
  }));
}

type Match = { entry: Entry; params: Record<string, string> };

function matchEntry(entry: Entry, segments: readonly string[]): Match | undefined {
  if (entry.segments.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, pattern] of entry.segments.entries()) {
    const segment = segments[index] ?? "";
    if (pattern.startsWith("{")) {
      if (segment === "") return undefined;
      params[pattern.slice(1, -1)] = segment;
    } else if (pattern !== segment) return undefined;
  }
  return { entry, params };
}

function findMatch(table: ApiTable, pathname: string): Match | undefined {
  const segments = pathname.split("/");
  for (const entry of table) {
    const match = matchEntry(entry, segments);
    if (match) return match;
  }
  return undefined;
}

/**
 * Answers one request under `/api` from the table: unknown paths and methods get the envelope too.
 * Paths are matched as sent, without percent-decoding: no operation has a path that needs it.
 */
export async function handleApiRequest(table: ApiTable, request: Request, client: Client): Promise<Response> {
  setClient(request, client);
  const { pathname } = new URL(request.url);
  const match = findMatch(table, pathname);
  if (!match) return errorResponse(new AppError("not_found"), client.requestId);
  const { entry, params } = match;
  const route = entry.routes.get(request.method);
  if (route) {
    try {
      return await route(request, { params: Promise.resolve(params) });
    } catch (error) {
      return errorResponse(error, client.requestId);
    }
  }
  const methods = [...entry.routes.keys()];
  if (request.method === "OPTIONS" && entry.isCalledByBrowsers && request.headers.has("origin")) {
    return new Response(null, {
      status: 204,
      headers: { ...preflightHeaders(request), "X-Request-Id": client.requestId, "Cache-Control": "private, no-store" },
    });
  }
  return errorResponse(
    new AppError("method_not_allowed", { headers: { Allow: methods.join(", ") } }),
    client.requestId,
  );
}

import { AppError } from "@/lib/contract/errors";
import { type Client, fromWebRequest, setClient } from "./client";
import { preflightHeaders } from "./cors";
import type { Route } from "./define-route";
import type { Answer, ApiRequest } from "./exchange";
import { errorAnswer, NO_STORE, toResponse } from "./response";

type Params = Record<string, string>;
type Handler = (request: Request, props: { params: Promise<Params> }) => Promise<Response>;
type Entry = {
  segments: readonly string[];
  operations: ReadonlyMap<string, Route>;
  handlers: ReadonlyMap<string, Handler>;
  /** Of the `Allow` header of a 405. */
  methods: string;
  /** Whether pages of other origins call it: then a preflight is answered. */
  isCalledByBrowsers: boolean;
};
export type ApiTable = readonly Entry[];

/** The routes by path. Segments in braces match any one segment; the operation's schema checks the value. */
export function createApiTable(routes: readonly Route[]): ApiTable {
  const byPath = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const { path, method } = route.operation;
    const methods = byPath.get(path) ?? new Map<string, Route>();
    if (methods.has(method)) throw new Error(`${method} ${path} is routed twice`);
    byPath.set(path, methods.set(method, route));
  }
  return [...byPath].map(([path, operations]) => ({
    segments: path.split("/"),
    operations,
    handlers: new Map(),
    methods: [...operations.keys()].join(", "),
    isCalledByBrowsers: [...operations.values()].some((route) => route.operation.security === "origin"),
  }));
}

/** Handlers of other protocols than the API's, by path and method. What they throw becomes the envelope. */
export function mountHandlers(handlers: Record<string, Record<string, Handler>>): ApiTable {
  return Object.entries(handlers).map(([path, methods]) => ({
    segments: path.split("/"),
    operations: new Map(),
    handlers: new Map(Object.entries(methods)),
    methods: Object.keys(methods).join(", "),
    isCalledByBrowsers: false,
  }));
}

type Match = { entry: Entry; params: Params };

function matchEntry(entry: Entry, segments: readonly string[]): Match | undefined {
  if (entry.segments.length !== segments.length) return undefined;
  const params: Params = {};
  // From the end: paths differ there, and begin alike.
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    const [pattern = "", segment = ""] = [entry.segments[index], segments[index]];
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

/** The answer to a method that the path does not have. */
function refuseMethod(entry: Entry, request: ApiRequest): Answer {
  const { requestId } = request;
  if (request.method === "OPTIONS" && entry.isCalledByBrowsers && request.headers["origin"] !== undefined) {
    const headers = { ...preflightHeaders(request), "X-Request-Id": requestId, "Cache-Control": NO_STORE };
    return { status: 204, headers, text: "" };
  }
  return errorAnswer(new AppError("method_not_allowed", { headers: { Allow: entry.methods } }), requestId);
}

/**
 * Answers one request from the table: unknown paths and methods get the envelope too. Paths are matched as sent,
 * without percent-decoding: no operation has a path that needs it.
 *
 * @param toWeb makes the web form of the request, for handlers of other protocols
 */
export async function answerFromTable(
  table: ApiTable,
  request: ApiRequest,
  toWeb: () => Request,
): Promise<Answer | Response> {
  const match = findMatch(table, request.pathname);
  if (!match) return errorAnswer(new AppError("not_found"), request.requestId);
  const { entry, params } = match;
  try {
    const operation = entry.operations.get(request.method);
    if (operation) return await operation.answer(request, params);
    const handle = entry.handlers.get(request.method);
    if (handle) return await handle(toWeb(), { params: Promise.resolve(params) });
  } catch (error) {
    return errorAnswer(error, request.requestId, {}, `${request.method} ${entry.segments.join("/")}`);
  }
  return refuseMethod(entry, request);
}

/** `answerFromTable` for a web request. */
export async function handleApiRequest(table: ApiTable, request: Request, client: Client): Promise<Response> {
  setClient(request, client);
  const answer = await answerFromTable(table, fromWebRequest(request), () => request);
  return answer instanceof Response ? answer : toResponse(answer);
}

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
  /** Value of the `Allow` header in a 405. */
  methods: string;
  /** Whether pages of other origins call this path, so that preflights are answered. */
  isCalledByBrowsers: boolean;
  /** CORS headers that let the calling page read a 405. */
  pageHeaders: PageHeaders;
};
type PageHeaders = (request: ApiRequest) => Record<string, string>;
export type ApiTable = readonly Entry[];

/** An answer, and the name of what it answers: an operation of the table, or `none`. */
export type Served = { answer: Answer | Response; operation: string };

const NONE = "none";

/** Name of an operation or handler in logs, metrics and traces. */
const nameOf = ({ segments, operations }: Entry, method: string): string =>
  operations.get(method)?.operation.id ?? `${method} ${segments.join("/")}`;

/** All names that `answerFromTable` can return. */
export const operationNames = (table: ApiTable): string[] => [
  NONE,
  ...new Set(
    table.flatMap((entry) =>
      [...entry.operations.keys(), ...entry.handlers.keys()].map((method) => nameOf(entry, method)),
    ),
  ),
];

/** The routes by path. Segments in braces match any one segment; the operation's schema checks the value. */
export function createApiTable(routes: readonly Route[]): ApiTable {
  const byPath = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const { path, method } = route.operation;
    const methods = byPath.get(path) ?? new Map<string, Route>();
    if (methods.has(method)) throw new Error(`${method} ${path} is routed twice`);
    byPath.set(path, methods.set(method, route));
    // Source: RFC 9110, section 9.3.2.
    if (method === "GET" && !route.operation.hasEffects) methods.set("HEAD", route);
  }
  return [...byPath].map(([path, operations]) => ({
    segments: path.split("/"),
    operations,
    handlers: new Map(),
    methods: [...operations.keys()].join(", "),
    pageHeaders: () => ({}),
    isCalledByBrowsers: [...operations.values()].some((route) => route.operation.security === "origin"),
  }));
}

/**
 * Handlers of protocols other than the API's, by path and method. An error thrown by one is answered with the error
 * envelope.
 *
 * @param pageHeaders CORS headers for the 405 of paths that answer preflights
 */
export function mountHandlers(
  handlers: Record<string, Record<string, Handler>>,
  pageHeaders: PageHeaders = () => ({}),
): ApiTable {
  return Object.entries(handlers).map(([path, methods]) => ({
    segments: path.split("/"),
    operations: new Map(),
    handlers: new Map(Object.entries(methods)),
    methods: Object.keys(methods).join(", "),
    isCalledByBrowsers: false,
    pageHeaders: "OPTIONS" in methods ? pageHeaders : () => ({}),
  }));
}

type Match = { entry: Entry; params: Params };

function matchEntry(entry: Entry, segments: readonly string[]): Match | undefined {
  if (entry.segments.length !== segments.length) return undefined;
  const params: Params = {};
  // Compared from the end: most paths share their first segments and differ in the last.
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

/** Answers a method that the path does not support. */
function refuseMethod(entry: Entry, request: ApiRequest): Answer {
  const { requestId } = request;
  if (request.method === "OPTIONS" && entry.isCalledByBrowsers && request.headers["origin"] !== undefined) {
    const headers = { ...preflightHeaders(request), "X-Request-Id": requestId, "Cache-Control": NO_STORE };
    return { status: 204, headers, text: "" };
  }
  const refusal = new AppError("method_not_allowed", { headers: { Allow: entry.methods } });
  return errorAnswer(refusal, requestId, entry.pageHeaders(request));
}

/**
 * Answers one request from the table; unknown paths and methods get the error envelope as well. Paths are matched as
 * sent, without percent-decoding: no operation's path needs it.
 *
 * @param toWeb builds the web `Request` for handlers of other protocols
 */
export async function answerFromTable(table: ApiTable, request: ApiRequest, toWeb: () => Request): Promise<Served> {
  const { requestId, method } = request;
  const match = findMatch(table, request.pathname);
  if (!match) return { answer: errorAnswer(new AppError("not_found"), requestId), operation: NONE };
  const { entry, params } = match;
  const operation = nameOf(entry, method);
  try {
    const route = entry.operations.get(method);
    if (route) return { answer: await route.answer(request, params), operation };
    const handle = entry.handlers.get(method);
    if (handle) return { answer: await handle(toWeb(), { params: Promise.resolve(params) }), operation };
    return { answer: refuseMethod(entry, request), operation: NONE };
  } catch (error) {
    return { answer: errorAnswer(error, requestId, {}, { operation, startedAt: request.startedAt }), operation };
  }
}

/** `answerFromTable` for a web request. */
export async function handleApiRequest(table: ApiTable, request: Request, client?: Client): Promise<Response> {
  if (client) setClient(request, client);
  const { answer } = await answerFromTable(table, fromWebRequest(request), () => request);
  return answer instanceof Response ? answer : toResponse(answer);
}

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { tracer } from "@/lib/platform/tracing";
import { answerFromTable, type ApiTable, operationNames } from "../api-table";
import { type Client, CLIENT_ADDRESS_HEADER, OPERATION_HEADER, PAGE_PATH_HEADER, setClient } from "../client";
import { errorAnswer } from "../response";
import { fromSocket, sendAnswer, sendJson, sendResponse, sendText, toWebRequest } from "./answers";
import { endWithClient } from "./end-with-client";
import { failRequest } from "./fail-request";
import { sendSharedFile } from "./component-files";
import type { ReadDocument } from "./documents";
import { answerMarkdown } from "./markdown";
import { recordRequest } from "./record-request";
import { markOwnRequest } from "./own-request";
import { commonHeaders, protectDocument, setCommonHeaders } from "./page-headers";
import type { ReadinessReport } from "./readiness";
import { pageRefusal } from "./refuse-page";
import { hasNoAddress, parseTarget, type Surface, SURFACES, surfaceOf, type Target } from "./target";

/** What the listener needs from the process. */
export type Site = {
  /** Public URL of the service, without a trailing slash. */
  baseUrl: string;
  /**
   * Identifies the client behind a request: its address, whether it runs on this machine, and a copy of the headers
   * without those that only a trusted proxy may set.
   */
  identify: (req: IncomingMessage) => {
    address: string | undefined;
    isLocal: boolean;
    headers: IncomingHttpHeaders;
  };
  /** Routes that are answered before pages are considered: operations, and the other protocols. */
  table: ApiTable;
  /** Serves a built file of the browser component; false for any other path. */
  componentFiles: (req: IncomingMessage, res: ServerResponse, path: string) => boolean;
  /** Documents served from memory, by path. */
  documents: Readonly<Record<string, ReadDocument>>;
  /** Pages that are also available as Markdown, by path. */
  markdown: Readonly<Record<string, ReadDocument>>;
  /** Called for each operation, if pages are throttled while operations are served. */
  noteOperation?: () => void;
  /** Renders a page, in this process or another. */
  pages: (req: IncomingMessage, res: ServerResponse, address: string | undefined) => Promise<void>;
  /** Serves a static file of the pages; false for any other path. */
  staticFiles: (req: IncomingMessage, res: ServerResponse, path: string) => Promise<boolean>;
  readiness: () => Promise<ReadinessReport>;
};

/** Next answers this path with its not-found page. */
const NOT_FOUND_PAGE = "/_not-found";
const PAGE_METHODS = ["GET", "HEAD", "POST"];
const SESSION_API_METHODS = [...PAGE_METHODS, "PUT", "PATCH", "DELETE"];
const LOOPBACK_HOST = /^(127\.0\.0\.1|\[::1\])(:\d+)?$/;
/** A path segment that may be one of our page names. */
const PAGE_NAME = /^[a-z][a-z-]{0,29}$/;
/** Headers that control Next's router; from outside they would be forged. */
const INTERNAL_HEADERS = /^x-(middleware|nextjs|invoke|matched)-/;

function allow(methods: readonly string[], req: IncomingMessage, res: ServerResponse): boolean {
  if (methods.includes(req.method ?? "")) return true;
  const headers = { Allow: methods.join(", ") };
  if (req.method === "OPTIONS") {
    res.writeHead(204, headers);
    res.end();
  } else sendText(res, 405, "This address does not answer that method.\n", headers);
  return false;
}

/**
 * Redirects from a loopback address to BASE_URL: sign-in sets its cookie on the host of BASE_URL, and a page opened by
 * loopback address would lose it, because Next writes `localhost` into every link.
 */
function redirectToBase(req: IncomingMessage, res: ServerResponse, baseUrl: string): boolean {
  const { host } = req.headers;
  if (host === undefined || !LOOPBACK_HOST.test(host) || host === new URL(baseUrl).host) return false;
  res.writeHead(307, { Location: baseUrl + (req.url ?? "/"), "Cache-Control": "no-store" });
  res.end();
  return true;
}

/**
 * A request's method and path for the log. Unknown segments are masked, because they can contain anything, including a
 * token.
 */
const operationOf = ({ req, target }: Pick<Exchange, "req" | "target">) =>
  `${req.method ?? ""} ${target.pathname.replaceAll(/[^/]+/g, (part) => (PAGE_NAME.test(part) ? part : "*"))}`;

function prepareForPages(exchange: Exchange, baseUrl: string): void {
  const {
    req,
    client: { address },
  } = exchange;
  req.headers[OPERATION_HEADER] = operationOf(exchange);
  req.headers[PAGE_PATH_HEADER] = req.url;
  Object.assign(req.headers, tracer()?.outgoing());
  Reflect.deleteProperty(req.headers, CLIENT_ADDRESS_HEADER);
  if (address !== undefined) req.headers[CLIENT_ADDRESS_HEADER] = address;
  for (const name of Object.keys(req.headers)) {
    if (INTERNAL_HEADERS.test(name)) Reflect.deleteProperty(req.headers, name);
  }
  markOwnRequest(req.headers);
  const { host, protocol } = new URL(baseUrl);
  // Links and sign-in URLs are built from these, so a forged Host cannot end up in a mail.
  req.headers["x-forwarded-host"] = host;
  req.headers["x-forwarded-proto"] = protocol.slice(0, -1);
}

type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  target: Target;
  client: Client & { startedAt: number };
  isLocal: boolean;
  isHttps: boolean;
  /** The request's name (from a closed list), its error code, and whether its failure is already logged. */
  noted: { operation: string; code?: string | undefined; isLogged: boolean };
};

/** Renders the answer with the pages. */
async function answerByPages(site: Site, exchange: Exchange): Promise<void> {
  prepareForPages(exchange, site.baseUrl);
  endWithClient(exchange.req, exchange.res);
  await site.pages(exchange.req, exchange.res, exchange.client.address);
}

const HANDLERS: Record<Surface, (site: Site, exchange: Exchange) => Promise<void> | void> = {
  health(_site, { req, res }) {
    if (allow(["GET", "HEAD"], req, res)) sendJson(res, 200, { status: "ok" });
  },
  async readiness(site, { req, res, isLocal }) {
    if (!allow(["GET", "HEAD"], req, res)) return;
    const report = await site.readiness();
    const { status } = report;
    // Only local clients may see the version and the failing check.
    sendJson(res, status === "ready" ? 200 : 503, isLocal ? report : { status });
  },
  async api({ table, baseUrl, noteOperation }, { req, res, target, client, isHttps, noted }) {
    noteOperation?.();
    const { answer, operation } = await answerFromTable(table, fromSocket(req, target, client), () => {
      const request = toWebRequest(req, res, baseUrl, target.url);
      setClient(request, client);
      return request;
    });
    noted.operation = operation;
    if (!(answer instanceof Response)) {
      noted.code = answer.code;
      noted.isLogged = true;
      sendAnswer(req, res, answer, commonHeaders(isHttps));
      return;
    }
    setCommonHeaders(res, client.requestId, isHttps);
    protectDocument(res, target.pathname, answer.headers);
    await sendResponse(req, res, answer);
  },
  async sessionApi(site, exchange) {
    if (allow(SESSION_API_METHODS, exchange.req, exchange.res)) await answerByPages(site, exchange);
  },
  async page(site, exchange) {
    const { req, res, target } = exchange;
    if (!allow(PAGE_METHODS, req, res)) return;
    if (await answerMarkdown(site.markdown, req, res, target.pathname)) return;
    if (redirectToBase(req, res, site.baseUrl)) return;
    await answerByPages(site, exchange);
  },
  async file(site, exchange) {
    const { req, res, target } = exchange;
    const readDocument = site.documents[target.pathname];
    if (readDocument) {
      if (allow(["GET", "HEAD"], req, res)) sendSharedFile(req, res, await readDocument());
      return;
    }
    if (!allow(PAGE_METHODS, req, res) || site.componentFiles(req, res, target.pathname)) return;
    if (await site.staticFiles(req, res, target.pathname)) return;
    if (await answerMarkdown(site.markdown, req, res, target.pathname)) return;
    await answerByPages(site, exchange);
  },
  unreadable(_site, { res }) {
    sendText(res, 400, "The path is not valid percent-encoding.\n");
  },
};

/**
 * Refuses a request with more than one Host header, which the socket has joined with a comma. Source: RFC 9112, section
 * 3.2.
 */
function refuseSecondHost(
  req: IncomingMessage,
  res: ServerResponse,
  { surface, requestId, isHttps }: { surface: Surface; requestId: string; isHttps: boolean },
): void {
  const message = "The request has more than one Host";
  if (surface === "api") {
    const refusal = new AppError("invalid_request", { message });
    sendAnswer(req, res, errorAnswer(refusal, requestId), commonHeaders(isHttps));
  } else sendText(res, 400, `${message}.\n`);
}

const REFUSED = "refused";

/** All names that a request can have in logs, metrics and traces. */
export const requestNames = (table: ApiTable): string[] => [REFUSED, ...SURFACES, ...operationNames(table)];

const EVENT_STREAM = "text/event-stream";

const codeOf = ({ res, noted }: Exchange): string => noted.code ?? (res.statusCode < 400 ? "ok" : "other");

function recordEnd(exchange: Exchange): void {
  const { res, client, noted } = exchange;
  const type = res.getHeader("content-type");
  recordRequest({
    operation: noted.operation,
    status: res.statusCode,
    code: codeOf(exchange),
    requestId: client.requestId,
    durationMs: performance.now() - client.startedAt,
    isStream: typeof type === "string" && type.startsWith(EVENT_STREAM),
    isLogged: noted.isLogged,
  });
}

/** Records a request that was refused before it was routed. */
function recordRefusal(res: ServerResponse, requestId: string, startedAt: number): void {
  const durationMs = performance.now() - startedAt;
  const ended = { operation: REFUSED, status: res.statusCode, code: "invalid_request", requestId, durationMs };
  recordRequest({ isStream: false, isLogged: false, ...ended });
}

/** Answers with the surface's handler and records the outcome. */
async function answer(site: Site, surface: Surface, exchange: Exchange): Promise<void> {
  try {
    await HANDLERS[surface](site, exchange);
  } catch (error) {
    const { requestId, startedAt } = exchange.client;
    const operation = operationOf(exchange);
    exchange.noted.isLogged = true;
    failRequest(exchange.res, error, { operation, requestId, isHttps: exchange.isHttps, startedAt });
  }
  recordEnd(exchange);
}

/** `answer`, in a span if tracing is on. */
function answerTraced(site: Site, surface: Surface, exchange: Exchange): Promise<void> {
  const work = () => answer(site, surface, exchange);
  return (
    tracer()?.request(exchange.req.headers, work, () => ({
      operation: exchange.noted.operation,
      status: exchange.res.statusCode,
      code: codeOf(exchange),
      requestId: exchange.client.requestId,
    })) ?? work()
  );
}

/** Creates the function that answers every request of the socket. */
export function createListener(site: Site): (req: IncomingMessage, res: ServerResponse) => void {
  const isHttps = site.baseUrl.startsWith("https:");
  return (req, res) => {
    const startedAt = performance.now();
    const requestId = newId("request");
    const target = parseTarget(req.url ?? "");
    const surface = target && surfaceOf(target);
    // Operations send these headers in one list with their own.
    if (surface !== "api") setCommonHeaders(res, requestId, isHttps);
    if (!target || !surface) {
      sendText(res, 400, "The request target is not a path.\n");
      recordRefusal(res, requestId, startedAt);
      return;
    }
    if (req.headers.host?.includes(",")) {
      refuseSecondHost(req, res, { surface, requestId, isHttps });
      recordRefusal(res, requestId, startedAt);
      return;
    }
    const { address, isLocal, headers } = site.identify(req);
    headers["x-request-id"] = requestId;
    req.headers = headers;
    req.url = hasNoAddress(target) ? NOT_FOUND_PAGE : target.url;
    const refusal = pageRefusal(surface, req, target, site.baseUrl);
    if (refusal) {
      sendText(res, refusal.status, refusal.text);
      recordRefusal(res, requestId, startedAt);
      return;
    }
    const client = { requestId, startedAt, ...(address !== undefined && { address }) };
    const noted = { operation: surface, isLogged: false };
    void answerTraced(site, surface, { req, res, target, client, isLocal, isHttps, noted });
  };
}

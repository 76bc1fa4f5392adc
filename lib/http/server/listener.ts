import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { answerFromTable, type ApiTable } from "../api-table";
import { type Client, CLIENT_ADDRESS_HEADER, setClient } from "../client";
import { fromSocket, sendAnswer, sendJson, sendResponse, sendText, toWebRequest } from "./answers";
import { commonHeaders, setCommonHeaders, setPageHeaders } from "./page-headers";
import type { ReadinessReport } from "./readiness";
import { isUnder, parseTarget, type Surface, surfaceOf, type Target } from "./target";

/** What the server entry gives to the router. */
export type Site = {
  /** Address under which people reach the service, without a trailing slash. */
  baseUrl: string;
  isDevelopment: boolean;
  /** The client behind a request, and a copy of the headers without what only a trusted proxy may say. */
  identify: (req: IncomingMessage) => { address: string | undefined; headers: IncomingHttpHeaders };
  /** What answers ahead of the pages: the operations, and the protocols beside them. */
  table: ApiTable;
  /** Serves a built file of the browser component; false for any other path. */
  componentFiles: (req: IncomingMessage, res: ServerResponse, path: string) => boolean;
  /** Next. */
  pages: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  readiness: () => Promise<ReadinessReport>;
};

const PAGE_METHODS = ["GET", "HEAD", "POST"];
const SESSION_API_METHODS = [...PAGE_METHODS, "PUT", "PATCH", "DELETE"];
const LOOPBACK_HOST = /^(127\.0\.0\.1|\[::1\])(:\d+)?$/;
/** Headers that steer Next's own router; from outside they would be forgeries. */
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
 * Sign-in sets its cookie on the host of BASE_URL. A page that is opened by loopback address would lose it,
 * because Next writes `localhost` into every link.
 */
function redirectToBase(req: IncomingMessage, res: ServerResponse, baseUrl: string): boolean {
  const { host } = req.headers;
  if (host === undefined || !LOOPBACK_HOST.test(host) || host === new URL(baseUrl).host) return false;
  res.writeHead(307, { Location: baseUrl + (req.url ?? "/"), "Cache-Control": "no-store" });
  res.end();
  return true;
}

function prepareForNext(req: IncomingMessage, baseUrl: string, { address }: Client): void {
  Reflect.deleteProperty(req.headers, CLIENT_ADDRESS_HEADER);
  if (address !== undefined) req.headers[CLIENT_ADDRESS_HEADER] = address;
  for (const name of Object.keys(req.headers)) {
    if (INTERNAL_HEADERS.test(name)) Reflect.deleteProperty(req.headers, name);
  }
  const { host, protocol } = new URL(baseUrl);
  // Links and sign-in are built from these, so a forged Host cannot reach a mail.
  req.headers["x-forwarded-host"] = host;
  req.headers["x-forwarded-proto"] = protocol.slice(0, -1);
}

type Exchange = { req: IncomingMessage; res: ServerResponse; target: Target; client: Client; isHttps: boolean };

const HANDLERS: Record<Surface, (site: Site, exchange: Exchange) => Promise<void> | void> = {
  health(_site, { req, res }) {
    if (allow(["GET", "HEAD"], req, res)) sendJson(res, 200, { status: "ok" });
  },
  async readiness(site, { req, res }) {
    if (!allow(["GET", "HEAD"], req, res)) return;
    const report = await site.readiness();
    sendJson(res, report.status === "ready" ? 200 : 503, report);
  },
  async api({ table, baseUrl }, { req, res, target, client, isHttps }) {
    const answer = await answerFromTable(table, fromSocket(req, target, client), () => {
      const request = toWebRequest(req, res, baseUrl, target.url);
      setClient(request, client);
      return request;
    });
    if (!(answer instanceof Response)) {
      sendAnswer(req, res, answer, commonHeaders(isHttps));
      return;
    }
    setCommonHeaders(res, client.requestId, isHttps);
    await sendResponse(req, res, answer);
  },
  async sessionApi(site, { req, res, client }) {
    if (!allow(SESSION_API_METHODS, req, res)) return;
    prepareForNext(req, site.baseUrl, client);
    await site.pages(req, res);
  },
  async page(site, { req, res, target, client }) {
    if (!allow(PAGE_METHODS, req, res) || redirectToBase(req, res, site.baseUrl)) return;
    setPageHeaders(req, res, site.isDevelopment);
    // Clients that open the consent page in a window of theirs wait there for its end.
    if (isUnder(target.pathname, "/oauth")) res.setHeader("Cross-Origin-Opener-Policy", "unsafe-none");
    prepareForNext(req, site.baseUrl, client);
    await site.pages(req, res);
  },
  async file(site, { req, res, target, client }) {
    if (!allow(PAGE_METHODS, req, res) || site.componentFiles(req, res, target.pathname)) return;
    prepareForNext(req, site.baseUrl, client);
    await site.pages(req, res);
  },
  unreadable(_site, { res }) {
    sendText(res, 400, "The path is not valid percent-encoding.\n");
  },
};

function fail({ res, client, isHttps }: Exchange, error: unknown): void {
  if (res.destroyed || res.writableFinished) return; // the client went away
  const { requestId } = client;
  log.error({ err: error, requestId }, "request failed");
  if (res.headersSent) {
    res.destroy();
    return;
  }
  setCommonHeaders(res, requestId, isHttps);
  sendText(res, 500, `Something went wrong on our side. Request ${requestId}.\n`);
}

/** The function that answers every request of the socket. */
export function createListener(site: Site): (req: IncomingMessage, res: ServerResponse) => void {
  const isHttps = site.baseUrl.startsWith("https:");
  return (req, res) => {
    const requestId = newId("request");
    const target = parseTarget(req.url ?? "");
    const surface = target && surfaceOf(target);
    // Operations send these in one list with their own.
    if (surface !== "api") setCommonHeaders(res, requestId, isHttps);
    if (!target || !surface) {
      sendText(res, 400, "The request target is not a path.\n");
      return;
    }
    const { address, headers } = site.identify(req);
    headers["x-request-id"] = requestId;
    req.headers = headers;
    req.url = target.url;
    const exchange = { req, res, target, client: { requestId, ...(address !== undefined && { address }) }, isHttps };
    Promise.resolve(HANDLERS[surface](site, exchange)).catch((error: unknown) => {
      fail(exchange, error);
    });
  };
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

import type { Client } from "../client";
import type { Answer, ApiRequest } from "../exchange";
import { readSocketBody } from "../read-body";
import { endWithClient } from "./end-with-client";
import type { Target } from "./target";

export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "Content-Length": Buffer.byteLength(text),
  });
  res.end(text);
}

export function sendText(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Length": Buffer.byteLength(text),
    ...headers,
  });
  res.end(text);
}

/** Converts a request from the socket without building web `Request` objects. */
export const fromSocket = (req: IncomingMessage, { pathname, url }: Target, client: Client): ApiRequest => ({
  method: req.method ?? "GET",
  pathname,
  search: url.slice(pathname.length),
  headers: req.headers,
  rawHeaders: req.rawHeaders,
  readBody: (limitBytes) => readSocketBody(req, limitBytes),
  address: client.address,
  requestId: client.requestId,
  startedAt: client.startedAt,
});

/** Closes the connection after an unread body: the rest of it would be parsed as the next request. */
function endAfterUnread(req: IncomingMessage, res: ServerResponse): void {
  if (!req.complete) res.shouldKeepAlive = false;
}

/** Alternating names and values, as `writeHead` takes them; `headers` override `common`. */
function headerLines(common: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>): string[] {
  const lines: string[] = [];
  for (const name in common) if (!(name in headers)) lines.push(name, common[name] ?? "");
  for (const name in headers) lines.push(name, headers[name] ?? "");
  return lines;
}

/** Sends an operation's answer in one write, with the headers that all answers share. */
export function sendAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, text }: Answer,
  common: Readonly<Record<string, string>>,
): void {
  endAfterUnread(req, res);
  if (status === 204) {
    res.writeHead(status, headerLines(common, headers));
    res.end();
    return;
  }
  res.writeHead(status, [...headerLines(common, headers), "Content-Length", String(Buffer.byteLength(text))]);
  if (req.method === "HEAD") {
    res.end();
    return;
  }
  // Node writes a string body in one piece with the head, encoding both as UTF-8, which would change the bytes of an
  // echoed Origin. A buffer keeps the head in Latin-1.
  res.end("Access-Control-Allow-Origin" in headers ? Buffer.from(text) : text);
}

/** Node's `Request` rejects these methods; under any other unknown name they get the same 405 from the table. */
const FORBIDDEN_METHODS = new Set(["TRACE", "TRACK", "CONNECT"]);

/**
 * Converts a request to a web `Request` with a streaming body. It is aborted when the client disconnects before the
 * answer is complete.
 */
export function toWebRequest(req: IncomingMessage, res: ServerResponse, baseUrl: string, url: string): Request {
  // A HEAD is answered as a GET, whose body `sendResponse` leaves out.
  const method = req.method === "HEAD" ? "GET" : (req.method ?? "GET");
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  const disconnected = new AbortController();
  endWithClient(req, res);
  res.once("close", () => {
    if (!res.writableFinished) disconnected.abort();
  });
  const hasBody = method !== "GET";
  const init: RequestInit & { duplex?: "half" } = {
    method: FORBIDDEN_METHODS.has(method) ? `X-${method}` : method,
    headers,
    signal: disconnected.signal,
    ...(hasBody ? { body: Readable.toWeb(req) as globalThis.ReadableStream, duplex: "half" } : {}),
  };
  return new Request(baseUrl + url, init);
}

const EVENT_STREAM = "text/event-stream";

/** Sends a web response over the socket: buffered, since answers are small, except for event streams. */
export async function sendResponse(req: IncomingMessage, res: ServerResponse, response: Response): Promise<void> {
  res.statusCode = response.status;
  for (const [name, value] of response.headers) if (name !== "set-cookie") res.setHeader(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) res.setHeader("Set-Cookie", cookies);
  endAfterUnread(req, res);
  if (!response.body) {
    res.end();
    return;
  }
  if (response.headers.get("content-type")?.startsWith(EVENT_STREAM)) {
    await pipeline(Readable.fromWeb(response.body as ReadableStream), res);
    return;
  }
  const body = Buffer.from(await response.arrayBuffer());
  res.setHeader("Content-Length", body.length);
  res.end(req.method === "HEAD" ? undefined : body);
}

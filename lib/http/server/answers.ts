import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

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

/** Node's `Request` refuses these; any unknown method gets the same 405 from the table. */
const FORBIDDEN_METHODS = new Set(["TRACE", "TRACK", "CONNECT"]);

/** The web form of a request, its body as a stream. Aborted when the client goes away before the answer. */
export function toWebRequest(req: IncomingMessage, res: ServerResponse, baseUrl: string, url: string): Request {
  const method = req.method ?? "GET";
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort();
  });
  const hasBody = method !== "GET" && method !== "HEAD";
  const init: RequestInit & { duplex?: "half" } = {
    method: FORBIDDEN_METHODS.has(method) ? `X-${method}` : method,
    headers,
    signal: gone.signal,
    ...(hasBody ? { body: Readable.toWeb(req) as globalThis.ReadableStream, duplex: "half" } : {}),
  };
  return new Request(baseUrl + url, init);
}

const EVENT_STREAM = "text/event-stream";

/** Sends a web response over the socket: whole, since answers are small, but for event streams. */
export async function sendResponse(req: IncomingMessage, res: ServerResponse, response: Response): Promise<void> {
  res.statusCode = response.status;
  for (const [name, value] of response.headers) if (name !== "set-cookie") res.setHeader(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) res.setHeader("Set-Cookie", cookies);
  // The rest of a body that nobody reads would be taken for the next request of the connection.
  if (!req.complete) res.shouldKeepAlive = false;
  if (!response.body || req.method === "HEAD") {
    res.end();
    return;
  }
  if (response.headers.get("content-type")?.startsWith(EVENT_STREAM)) {
    await pipeline(Readable.fromWeb(response.body as ReadableStream), res);
    return;
  }
  const body = Buffer.from(await response.arrayBuffer());
  res.setHeader("Content-Length", body.length);
  res.end(body);
}

import { createServer, type IncomingMessage, type RequestListener, type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

import { AppError, type ErrorCode } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { env } from "@/lib/platform/env";
import { errorAnswer } from "../response";
import { sendAnswer } from "./answers";
import type { ConnectionLimits } from "./connection";
import { type Capacity, createCapacity } from "./capacity";
import { CONNECTION_LIMITS, trackConnections } from "./connections";
import { commonHeaders } from "./page-headers";

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 200;
/**
 * No limit, since beyond one Node drops headers silently, including those that a proxy has added. `MAX_HEADERS` is
 * checked instead.
 */
const KEEP_ALL_HEADERS = 0;
const SWEEP_MS = 50;

const TIMED_OUT = "ERR_HTTP_REQUEST_TIMEOUT";
const REFUSALS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  [TIMED_OUT]: "request_timeout",
};
/** Messages for parse errors of Node's HTTP parser. */
const OBSTACLES: Record<string, string> = {
  // `fetch` sends `patch` in lower case: it upper-cases only some methods, such as `get` and `post`.
  HPE_INVALID_METHOD: "This is not HTTP/1.1, or its method is unknown: methods are written in capitals",
};

function refusalOf(reason: string): AppError {
  const code = REFUSALS[reason];
  if (code) return new AppError(code);
  return new AppError("invalid_request", { message: OBSTACLES[reason] ?? "This is not HTTP/1.1" });
}

/** Answers input that is not HTTP, too large or too slow with the error envelope, and closes the connection. */
function sendRefusal(reason: string, socket: Socket, isHead: boolean): void {
  const { status, headers, text } = errorAnswer(refusalOf(reason), newId("request"));
  const fields = {
    ...commonHeaders(false),
    ...headers,
    Connection: "close",
    "Content-Length": String(Buffer.byteLength(text)),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${isHead ? "" : text}`);
}

export type HttpSocket = {
  server: Server;
  /** Serves a connection that was accepted here or in another process. */
  take: (connection: Socket) => void;
  /**
   * Resolves when all requests in flight have been answered, or cut off after the timeout. Call it once nothing new is
   * accepted. Idle connections are closed at once, which can reset a request that is just arriving; with `isGentle`
   * they stay open until their keep-alive timeout.
   */
  drain: (timeoutMs: number, options?: { isGentle: boolean }) => Promise<void>;
};

function headObstacle({ rawHeaders, httpVersion, headers }: IncomingMessage): AppError | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS) return new AppError("headers_too_large");
  // Source: RFC 9112, section 3.2. Node's own refusal has no body.
  if (httpVersion === "1.1" && headers.host === undefined)
    return new AppError("invalid_request", { message: "The request has no Host" });
  return undefined;
}

/** Refuses requests with too many headers, or without a required one, before any are interpreted. */
const checkHead =
  (listener: RequestListener): RequestListener =>
  (req, res) => {
    const obstacle = headObstacle(req);
    if (obstacle) {
      res.shouldKeepAlive = false;
      sendAnswer(req, res, errorAnswer(obstacle, newId("request")), commonHeaders(false));
      return;
    }
    // No other protocol is supported. RFC 9110, section 7.8, lets a server ignore the header.
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    listener(req, res);
  };

function createHttpServer(connections: ReturnType<typeof trackConnections>): Server {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: env.KEEP_ALIVE_SECONDS * 1000,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
      // Otherwise repeats of some headers, such as `Host` and `Authorization`, are silently dropped.
      joinDuplicateHeaders: true,
      connectionsCheckingInterval: 1_000,
    },
    connections.request,
  );
  // A half-closed client still gets its answer; `endWithClient` says which ones do not. Node's types lack the property.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.maxHeadersCount = KEEP_ALL_HEADERS;
  server.on("connection", connections.open);
  server.on("connect", connections.tunnel);
  // An unknown expectation may be ignored. Source: RFC 9110, section 10.1.1. Node's own refusal has no body.
  server.on("checkExpectation", connections.request);
  return server;
}

/** An HTTP server for accepted connections, with limits against slow, greedy and oversized clients. */
export function openSocket(
  listener: RequestListener,
  limits: ConnectionLimits = CONNECTION_LIMITS,
  { hasRoom }: Capacity = createCapacity(undefined),
): HttpSocket {
  let open = 0;
  const connections = trackConnections(checkHead(listener), limits);
  const server = createHttpServer(connections);
  server.on("clientError", (error: Error & { code?: string; rawPacket?: Buffer }, socket: Socket) => {
    const refuse = () => {
      const isHead = error.rawPacket?.subarray(0, 5).toString("latin1") === "HEAD ";
      sendRefusal(error.code ?? "", socket, isHead);
    };
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else if (error.code === TIMED_OUT) connections.expire(socket, refuse);
    else connections.refuse(socket, refuse);
  });
  // This server never listens itself, and only starts its timeout checks on this event.
  server.emit("listening");
  return {
    server,
    take(connection) {
      if (!hasRoom(open)) {
        connection.destroy();
        return;
      }
      open += 1;
      connection.once("close", () => (open -= 1));
      connection.allowHalfOpen = true;
      server.emit("connection", connection);
    },
    async drain(timeoutMs, { isGentle } = { isGentle: false }) {
      const drained = connections.drain();
      if (!isGentle) connections.endIdle();
      const sweep = isGentle ? undefined : setInterval(connections.endIdle, SWEEP_MS);
      const cut = setTimeout(connections.endAll, timeoutMs);
      await drained;
      connections.stopChecking();
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

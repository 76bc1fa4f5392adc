import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, Server as TcpServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 5_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 100;
const LOCALHOST = "localhost";

const REFUSALS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Input that is not HTTP, too large or too slow: one plain line, then the connection ends. */
function refuse(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = REFUSALS[error.code ?? ""] ?? "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n`);
}

export type HttpSocket = {
  server: Server;
  listen: (port: number, host: string) => Promise<void>;
  /**
   * Accepts nothing new and resolves when all requests in flight are answered, or cut after the time. Connections
   * without a request are closed at once, which can meet a request on its way; gently, they live out their time.
   */
  drain: (timeoutMs: number, options?: { isGentle: boolean }) => Promise<void>;
};

/** The listening socket, with limits against slow and oversized clients. */
export function openSocket(listener: RequestListener): HttpSocket {
  const inFlight = new Set<ServerResponse>();
  let isDraining = false;
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: 1_000,
    },
    (req, res) => {
      inFlight.add(res);
      res.once("close", () => inFlight.delete(res));
      if (isDraining) res.shouldKeepAlive = false;
      listener(req, res);
    },
  );
  // `localhost` means either loopback address, and clients differ in which they try.
  const sixth = createTcpServer((socket) => server.emit("connection", socket));
  server.maxHeadersCount = MAX_HEADERS;
  server.on("clientError", refuse);
  return {
    server,
    async listen(port, host) {
      await listenOn(server, port, host === LOCALHOST ? "127.0.0.1" : host);
      if (host !== LOCALHOST) return;
      await listenOn(sixth, port, "::1").catch((error: unknown) => {
        if (isIpv6Available()) throw error;
      });
    },
    async drain(timeoutMs, { isGentle } = { isGentle: false }) {
      isDraining = true;
      sixth.close();
      for (const res of inFlight) res.shouldKeepAlive = false;
      const closed = new Promise<void>((resolve) => {
        const done = () => {
          resolve();
        };
        // That of HTTP closes connections without a request first.
        if (isGentle) TcpServer.prototype.close.call(server, done);
        else server.close(done);
      });
      const sweep = isGentle
        ? undefined
        : setInterval(() => {
            server.closeIdleConnections();
          }, 50);
      const cut = setTimeout(() => {
        server.closeAllConnections();
      }, timeoutMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

const isIpv6Available = () =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === "::1"));

function listenOn(server: TcpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? portInUse(port) : error);
    });
    server.listen(port, host, () => {
      resolve();
    });
  });
}

const portInUse = (port: number) =>
  new Error(`Port ${port} is used by another program. Choose another one: PORT=${port + 1} npm start`);

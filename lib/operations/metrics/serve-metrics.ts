import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { oncePerRun } from "@/lib/platform/share-runs";

/** Time limit of a request, whose answer waits for the database and for workers. */
const TIMEOUT_MS = 8_000;
const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

type Options = { port: number; host: string; read: () => Promise<string> };

/** Serves `GET /metrics`. Concurrent scrapes share one answer. */
export async function serveMetrics({
  port,
  host,
  read,
}: Options): Promise<{ url: string; close: () => Promise<void> }> {
  const share = oncePerRun(read);
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (req, res) => {
    const isRead = req.method === "GET" || req.method === "HEAD";
    if (!isRead || req.url?.split("?")[0] !== "/metrics") {
      res.writeHead(404, { "Content-Type": "text/plain" }).end("Only GET /metrics is answered here.\n");
      return;
    }
    share().then(
      (text) => res.writeHead(200, { "Content-Type": CONTENT_TYPE, "Cache-Control": "no-store" }).end(text),
      () => res.writeHead(503, { "Content-Type": "text/plain" }).end("The metrics could not be read.\n"),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(new Error(`METRICS_PORT ${port} cannot be used (${error.code ?? error.message})`));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo; // safe: it listens on a port
  const shown = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    url: `http://${shown}:${address.port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

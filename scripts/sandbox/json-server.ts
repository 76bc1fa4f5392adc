import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A handler's answer: a status and JSON, no response at all, or a closed connection. */
export type Answer = { status: number; body: unknown } | "silence" | "disconnect";

type Handler = (request: { path: string; headers: IncomingMessage["headers"]; body: unknown }) => Promise<Answer>;

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

async function answer(handle: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readJson(request);
  const result = await handle({ path: request.url ?? "/", headers: request.headers, body });
  if (result === "silence") return;
  if (result === "disconnect") {
    response.destroy();
    return;
  }
  response.writeHead(result.status, { "content-type": "application/json" });
  response.end(JSON.stringify(result.body));
}

/** Starts a JSON service on a loopback port. */
export async function startJsonServer(handle: Handler, port = 0) {
  const server = createServer((request, response) => {
    answer(handle, request, response).catch((error: unknown) => {
      // The client has disconnected.
      if (response.headersSent || response.destroyed) return;
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: error instanceof Error ? error.message : "failure" }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    disconnectAll: () => {
      server.closeAllConnections();
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

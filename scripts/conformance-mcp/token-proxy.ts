import http from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

import type { CleanUp } from "../common/command";
import { listenHttp } from "../common/processes";

const MAX_WAIT_SECONDS = 5;

const send = (url: URL, options: http.RequestOptions, body: Buffer) =>
  new Promise<http.IncomingMessage>((resolve, reject) => {
    http.request(url, options, resolve).once("error", reject).end(body);
  });

async function forward(request: http.IncomingMessage, response: http.ServerResponse, target: string, token: string) {
  const body = await buffer(request);
  const { "transfer-encoding": _encoding, ...headers } = request.headers;
  const options = {
    method: request.method,
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      ...(body.length > 0 && { "content-length": String(body.length) }),
    },
  };
  const url = new URL(request.url ?? "/", target);
  let answer = await send(url, options, body);
  while (answer.statusCode === 429) {
    answer.resume();
    await delay(1000 * Math.min(MAX_WAIT_SECONDS, Number(answer.headers["retry-after"] ?? 1)));
    answer = await send(url, options, body);
  }
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(response);
}

/**
 * The suite cannot authenticate, so this proxy adds the token to its requests and leaves everything else unchanged,
 * including Host. Rate-limited requests are retried, since the suite sends faster than a client may. Returns its URL.
 */
export async function openTokenProxy(target: string, token: string, cleanUp: CleanUp): Promise<string> {
  const server = http.createServer((request, response) => {
    forward(request, response, target, token).catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  return (await listenHttp(server, { cleanUp })).url;
}

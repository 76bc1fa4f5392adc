import type { IncomingMessage, ServerResponse } from "node:http";

import inject from "light-my-request";
import type Provider from "oidc-provider";

import { isHopByHop } from "@/lib/interfaces/http/hop-by-hop";
import { baseUrl } from "@/lib/platform/env";
import { oauthProvider } from "./provider";

/** Headers with which a client could forge its address. */
const FORWARDING = /^(host|forwarded|x-forwarded-.*|x-real-ip)$/;
/** Hop-by-hop headers and Content-Length: the body is buffered and its length computed again. */
const isOfMessage = (name: string) => isHopByHop(name) || name === "content-length";
const WITHOUT_BODY = new Set([101, 204, 205, 304]);

/** The library builds its URLs from the configured address, not from the request's. */
const publicHeaders = () => {
  const { host, protocol } = new URL(baseUrl());
  return { host, "x-forwarded-proto": protocol.slice(0, -1) };
};

function headersOf(request: Request): Record<string, string> {
  const kept = [...request.headers].filter(([name]) => !FORWARDING.test(name) && !isOfMessage(name));
  return { ...Object.fromEntries(kept), ...publicHeaders() };
}

function responseHeaders(headers: Record<string, unknown>): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || isOfMessage(name)) continue;
    for (const each of Array.isArray(value) ? value : [value]) result.append(name, String(each));
  }
  return result;
}

export type Exchange = {
  request: Request;
  /** Path and query passed to the library. */
  target: string;
  cookie: string | undefined;
  body: string | undefined;
};

/** Answers a web request with the library, which needs Node's streams. */
export async function runProvider({ request, target, cookie, body }: Exchange): Promise<Response> {
  const provider = await oauthProvider();
  const respond = provider.callback();
  const listener = (req: IncomingMessage, res: ServerResponse) => {
    void respond(req, res);
  };
  const answer = await inject(listener, {
    method: request.method as "GET" | "POST",
    url: target,
    headers: { ...headersOf(request), cookie: cookie ?? "" },
    ...(body === undefined ? {} : { payload: body }),
  });
  const isBodiless = WITHOUT_BODY.has(answer.statusCode);
  return new Response(isBodiless ? null : new Uint8Array(answer.rawPayload), {
    status: answer.statusCode,
    headers: responseHeaders(answer.headers),
  });
}

/** Runs `work` with the path and cookies that the library uses to find the browser's pending request. */
export async function withExchange<T>(
  { path, cookie }: { path: string; cookie: string },
  work: (provider: Provider, req: IncomingMessage, res: ServerResponse) => Promise<T>,
): Promise<T> {
  const provider = await oauthProvider();
  return new Promise<T>((resolve, reject) => {
    const run: (req: IncomingMessage, res: ServerResponse) => void = (req, res) => {
      work(provider, req, res)
        .then(resolve, reject)
        .finally(() => {
          res.end();
        });
    };
    inject(run, { method: "GET", url: path, headers: { cookie, ...publicHeaders() } }).catch(reject);
  });
}

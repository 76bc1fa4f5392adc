import { createReporter, ProxyFailure, unavailable } from "./proxy-failure";
import { createFiles, notFound, wrongMethod } from "./proxy-files";
import { forward, type Forwarding } from "./proxy-forward";
import { createKeyHolder } from "./proxy-key";
import { nodeHeaders, readNodeBody, sendNode } from "./proxy-node";
import { parseProxyOptions } from "./proxy-options";
import type { ImprintProxy, ImprintProxyOptions, Incoming, NodeRequest, Outgoing, Visitor } from "./proxy-types";

const challenge = { path: "/api/v1/imprints/challenge", bodyLimitBytes: 2048 };
const submission = { path: "/api/v1/imprints", bodyLimitBytes: 16 * 1024 };

/** The names that the component asks for, in short where its own file came from the proxy. */
const FORWARDED: ReadonlyMap<string, Forwarding> = new Map([
  ["a", { ...challenge, isTokenLeft: true }],
  ["b", { ...submission, isTokenLeft: true }],
  // Of a page that names the service's own layout, such as one with an older component: its token stays with it.
  ["api/v1/imprints/challenge", { ...challenge, isTokenLeft: false }],
  ["api/v1/imprints", { ...submission, isTokenLeft: false }],
]);

/** The file at the service that a name stands for: scripts may be called as the site likes. */
function fileOf(name: string, component: string): string | undefined {
  if (name === "p" || name === "v1/probe.mjs") return "probe.mjs";
  const ending = /^(?:v1\/)?[\w.-]{1,100}\.(m?js)$/.exec(name)?.[1];
  return ending === undefined ? undefined : `${component}.${ending}`;
}

async function readWebBody(request: Request, limitBytes: number): Promise<Uint8Array | undefined> {
  if (request.bodyUsed || request.body?.locked === true)
    throw new ProxyFailure("something has read the body of the request. Hand the request to the proxy before");
  if (Number(request.headers.get("Content-Length") ?? 0) > limitBytes) return undefined;
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: number[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Uint8Array.from(chunks);
    if (chunks.length + value.byteLength > limitBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(...value);
  }
}

/** Headers of a web request, `Host` among them: some runtimes tell it in the address alone. */
function webHeaders({ headers, url }: Request): [string, string][] {
  const pairs = [...headers];
  return headers.has("host") ? pairs : [["host", new URL(url).host], ...pairs];
}

const toResponse = ({ status, headers, body }: Outgoing): Response =>
  new Response(status === 304 ? null : (body as BodyInit), { status, headers });

/** The web form of a Node request without its body, for `clientAddress`. */
const toRequest = (node: NodeRequest, url: string): Request => {
  const headers = new Headers();
  for (const [name, value] of nodeHeaders(node)) if (!name.startsWith(":")) headers.append(name, value);
  return new Request(new URL(url, "http://localhost"), { headers });
};

/**
 * Serves the browser component below a path of your own site, and forwards what it sends to your Imprint service: with
 * the visitor's address and headers, signed by your key, and with the token of the visitor's browser in a cookie of your
 * site's server.
 *
 * @throws TypeError that names a wrong option
 */
export function imprintProxy(options: ImprintProxyOptions): ImprintProxy {
  const settings = parseProxyOptions(options);
  const report = createReporter(settings);
  const keys = createKeyHolder(settings, report);
  const sendFile = createFiles(settings, report);

  /** The part of a path below that of the proxy. */
  const nameOf = (pathname: string): string | undefined =>
    pathname.startsWith(`${settings.path}/`) ? pathname.slice(settings.path.length + 1) : undefined;

  const answer = async (incoming: Incoming): Promise<Outgoing> => {
    const { method } = incoming;
    const name = incoming.name.replace(/\/$/, "");
    const forwarding = FORWARDED.get(name);
    if (forwarding) {
      if (method !== "POST") return wrongMethod("POST");
      return forward(settings, keys, incoming, forwarding, report);
    }
    const file = fileOf(name, settings.component);
    if (file === undefined) return notFound();
    return method === "GET" || method === "HEAD" ? sendFile(incoming, file) : wrongMethod("GET, HEAD");
  };

  const handle = async (request: Request, visitor: Visitor = {}): Promise<Response | undefined> => {
    const name = nameOf(new URL(request.url).pathname);
    if (name === undefined) return undefined;
    const readAddress = () => (settings.clientAddress ? settings.clientAddress(request, undefined) : visitor.address);
    const readBody = (limitBytes: number) => readWebBody(request, limitBytes);
    return toResponse(
      await answer({ method: request.method, name, headers: webHeaders(request), readBody, readAddress }),
    );
  };

  const node: ImprintProxy["node"] = (request, response, next) => {
    const url = request.originalUrl ?? request.url ?? "/";
    const name = nameOf(url.split("?", 1)[0] ?? "/");
    if (name === undefined) {
      if (next) next();
      else sendNode(response, notFound());
      return;
    }
    const readAddress = () =>
      settings.clientAddress
        ? settings.clientAddress(toRequest(request, url), request)
        : (request.ip ?? request.socket.remoteAddress);
    const readBody = (limitBytes: number) => readNodeBody(request, limitBytes);
    answer({ method: request.method ?? "GET", name, headers: nodeHeaders(request), readBody, readAddress }).then(
      (outgoing) => {
        sendNode(response, outgoing);
      },
      (error: unknown) => {
        report(error as Error);
        sendNode(response, unavailable());
      },
    );
  };

  return Object.assign(handle, { node });
}

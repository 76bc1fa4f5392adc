import { ProxyFailure } from "./proxy-failure";
import type { NodeRequest, NodeResponse, Outgoing } from "./proxy-types";

/** Names and values of a request in the order of arrival. HTTP/2 has `:authority` in place of `Host`. */
export function nodeHeaders({ rawHeaders }: NodeRequest): [string, string][] {
  const pairs = rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""]] : [],
  );
  const hasHost = pairs.some(([name]) => name.toLowerCase() === "host");
  return pairs.map(([name, value]) => [name === ":authority" && !hasHost ? "host" : name, value]);
}

const concat = (chunks: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(chunks.reduce((size, { byteLength }) => size + byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
};

/** What is left of a body that something in front of the proxy has read: the very text, or nothing that helps. */
function parsedBody(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string") return new TextEncoder().encode(body);
  throw new ProxyFailure("a body parser has read the request. Mount the proxy before it");
}

/** The body, counted while it arrives; undefined beyond the limit, the rest unread. */
export async function readNodeBody(request: NodeRequest, limitBytes: number): Promise<Uint8Array | undefined> {
  if (request.readableEnded === true) {
    const body = parsedBody(request.body);
    return body.byteLength > limitBytes ? undefined : body;
  }
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    request.on("data", (chunk) => {
      size += chunk.byteLength;
      if (size <= limitBytes) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      resolve(undefined);
    });
    request.on("end", () => {
      resolve(concat(chunks));
    });
    request.on("error", reject);
    request.on("close", () => {
      reject(new Error("imprintProxy: the request broke off"));
    });
  });
}

/** A header beside those of its name that the site has set: cookies alone stand side by side. */
function addHeader(response: NodeResponse, name: string, value: string): void {
  const before = name === "Set-Cookie" ? response.getHeader?.(name) : undefined;
  response.setHeader(name, before === undefined ? value : [before, value].flat().map(String));
}

export function sendNode(response: NodeResponse, { status, headers, body }: Outgoing): void {
  if (response.headersSent) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) addHeader(response, name, value);
  // The rest of a body that nobody reads would be taken for the next request of the connection.
  if (status === 413) response.setHeader("Connection", "close");
  response.end(body);
}

import http from "node:http";

export type Pairs = [string, string][];
export type WireRequest = { method: string; path: string; headers: Pairs; body?: Buffer | undefined };
export type WireAnswer = {
  /** 0 if the connection ended without an answer. */
  status: number;
  headers: Headers;
  text: string;
  milliseconds: number;
  /** Why there was no answer. */
  failure?: string;
};

const ANSWER_TIMEOUT_MS = 20_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Answers may repeat a long path in their headers. */
const MAX_HEADER_BYTES = 256 * 1024;

/** A header value as UTF-8 bytes, without characters that no HTTP client can send. */
export const headerText = (text: string): string =>
  Buffer.from(text)
    .toString("latin1")
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, "");

/** A path as bytes, without characters that would end the request line. */
export const pathText = (path: string): string =>
  Buffer.from(path)
    .toString("latin1")
    .replace(/[^\x21-\xff]/g, (character) => encodeURIComponent(character));

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index < raw.length; index += 2) headers.append(raw[index] ?? "", raw[index + 1] ?? "");
  return headers;
}

/** Sends requests byte for byte over a few keep-alive connections. Redirects are not followed. */
export function openWire(base: string, connections: number) {
  const { hostname, port, host } = new URL(base);
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const flatten = ({ method, headers, body }: WireRequest): string[] => {
    const hasHost = headers.some(([name]) => name.toLowerCase() === "host");
    const isFramed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
    const length = body === undefined && method === "GET" ? [] : ["Content-Length", String(body?.length ?? 0)];
    return [...(hasHost ? [] : ["Host", host]), ...headers.flat(), ...(isFramed ? [] : length)];
  };
  return {
    close: () => {
      agent.destroy();
    },
    send: (request: WireRequest): Promise<WireAnswer> =>
      new Promise((resolve) => {
        const startedAt = performance.now();
        const fail = (failure: string) => {
          const milliseconds = performance.now() - startedAt;
          resolve({ status: 0, headers: new Headers(), text: "", milliseconds, failure });
        };
        const { method, path, body } = request;
        const options = { agent, hostname, port, method, path, headers: flatten(request) };
        const bounds = { maxHeaderSize: MAX_HEADER_BYTES, timeout: ANSWER_TIMEOUT_MS };
        const outgoing = http.request({ ...options, ...bounds }, (incoming) => {
          const chunks: Buffer[] = [];
          let size = 0;
          incoming.on("data", (chunk: Buffer) => {
            size += chunk.length;
            if (size <= MAX_BYTES) chunks.push(chunk);
          });
          incoming.once("error", ({ message }) => {
            fail(message);
          });
          incoming.once("end", () => {
            const text = Buffer.concat(chunks).toString();
            const headers = headersOf(incoming.rawHeaders);
            resolve({ status: incoming.statusCode ?? 0, headers, text, milliseconds: performance.now() - startedAt });
          });
        });
        outgoing.once("timeout", () => outgoing.destroy(new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`)));
        outgoing.once("error", ({ message }) => {
          fail(message);
        });
        outgoing.end(body);
      }),
  };
}

export type Wire = ReturnType<typeof openWire>;

/** Quotes arbitrary bytes as a word of a shell command. */
function quote(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  if (/^[\w./:=@,;+-]+$/.test(text)) return text;
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes("'")) return `'${text}'`;
  const escaped = text.replace(/[^\x20-\x7e]|['\\]/g, (at) => `\\x${at.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `$'${escaped}'`;
}

/** The request as a curl command that resends it. */
export function asCurl(base: string, { method, path, headers, body }: WireRequest): string {
  const words = [`curl -i --path-as-is -X ${method}`];
  for (const [name, value] of headers) words.push("-H", quote(Buffer.from(`${name}: ${value}`, "latin1")));
  if (body !== undefined) words.push("--data-binary", quote(body));
  return [...words, quote(Buffer.from(base + path, "latin1"))].join(" ");
}

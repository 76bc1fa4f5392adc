import { request as requestHttp } from "node:http";
import { type ClientRequest, type IncomingHttpHeaders, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { text } from "node:stream/consumers";
import { connect, type PeerCertificate } from "node:tls";

const TIMEOUT_MS = 10_000;

export type Reach = {
  /** Additional trusted certificates. Default: only the system's. */
  ca?: string | undefined;
};
export type Answered = { status: number; headers: IncomingHttpHeaders; body: string };
type Asked = { method?: string; headers?: Record<string, string>; body?: string };

/** Sends one request as a client would. @throws the system's or TLS's error */
export function ask(url: URL, { method = "GET", headers = {}, body }: Asked, { ca }: Reach): Promise<Answered> {
  const options: RequestOptions & { ca?: string } = {
    method,
    headers: { "User-Agent": "imprint-doctor", ...headers },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(ca === undefined ? {} : { ca }),
  };
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options, (response) => {
      text(response).then((read) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read });
      }, reject);
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

export type Handshake = {
  protocol: string | undefined;
  /** `h2` if HTTP/2 is offered. */
  alpn: string | undefined;
  daysLeft: number;
};

const daysUntil = ({ valid_to: end }: PeerCertificate, nowMs: number) => (Date.parse(end) - nowMs) / 86_400_000;

/**
 * Connects as a client that supports HTTP/2 and returns what the server offers. @throws Error if the certificate is not
 * trusted
 */
export function shakeHands({ hostname, port }: URL, nowMs: number, { ca }: Reach): Promise<Handshake> {
  return new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, "");
    const socket = connect(
      {
        host,
        port: Number(port) || 443,
        servername: /^[\d.]+$|:/.test(host) ? "" : host,
        ALPNProtocols: ["h2", "http/1.1"],
        ...(ca === undefined ? {} : { ca }),
      },
      () => {
        const { alpnProtocol } = socket;
        const daysLeft = daysUntil(socket.getPeerCertificate(), nowMs);
        const protocol = socket.getProtocol() ?? undefined;
        socket.destroy();
        resolve({ protocol, alpn: alpnProtocol === false ? undefined : (alpnProtocol ?? undefined), daysLeft });
      },
    );
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error("no answer in time")));
    socket.once("error", reject);
  });
}

import http from "node:http";
import { buffer } from "node:stream/consumers";

import type { z } from "zod";

import type { SubmissionBody } from "@/lib/contract/submission";
import { listenHttp, textsOf } from "../../common/processes";

/** Headers that only the proxy itself may set, since they say where a visit comes from. */
const FORWARDING = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "x-real-ip"];

export type Submission = z.infer<typeof SubmissionBody>;

/** What a visit sent, and the token that its browser has now. Headers are in order of arrival. */
export type Capture = {
  signals: Submission["signals"];
  headers: Readonly<Record<string, string>>;
  submission: Submission;
  token: string | undefined;
};

const joined = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")]));

export type ProxyOptions = {
  /** Host to listen on. */
  address: string;
  servicePort: number;
  /** Pages that the proxy serves itself. */
  pageOf: (path: string) => string | undefined;
  /** Client IP to claim for visits, instead of the real one. */
  visitorAddress: () => string | undefined;
  onVisit: (imprint: string, capture: Capture) => void;
};

/** Forwards a request, and captures it if it was a submission. */
async function forward(
  { servicePort, visitorAddress, onVisit }: ProxyOptions,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const { method, url: path = "/" } = request;
  const body = await buffer(request);
  const address = visitorAddress() ?? request.socket.remoteAddress ?? "";
  const kept = Object.entries(request.headers).filter(([name]) => !FORWARDING.includes(name));
  const headers = { ...Object.fromEntries(kept), "x-forwarded-for": address };
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const upstream = http.request({ host: "localhost", port: servicePort, method, path, headers }, resolve);
    upstream.once("error", reject).end(body);
  });
  const text = await buffer(answer);
  response.writeHead(answer.statusCode ?? 502, answer.rawHeaders).end(text);
  if (path !== "/api/v1/imprints" || answer.statusCode !== 201) return;
  const submission = JSON.parse(body.toString()) as Submission; // safe: the service has accepted it
  const answered: unknown = JSON.parse(text.toString());
  const { token = submission.token } = answered as { token?: string }; // safe: by the contract
  const { signals } = submission;
  onVisit(textsOf(answered, "imprint").imprint, { signals, headers: joined(request.headers), submission, token });
}

/** A load balancer in front of the service that forwards everything unchanged and captures what each visit sent. */
export function openCaptureProxy(options: ProxyOptions) {
  const server = http.createServer((request, response) => {
    const page = request.method === "GET" ? options.pageOf(request.url ?? "/") : undefined;
    if (page !== undefined) response.writeHead(200, { "Content-Type": "text/html" }).end(page);
    else forward(options, request, response).catch(() => response.writeHead(502).end());
  });
  return listenHttp(server, { host: options.address });
}

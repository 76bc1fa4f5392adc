import http from "node:http";

import { SAMPLES } from "./samples";

const PREFIX = "/visit-from/";
/** Headers that only this proxy may set: it is the service's only trusted proxy. */
const FORWARDING = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-real-ip",
  "forwarded",
];

/** Maps `/visit-from/home/api/v1/…` to `/api/v1/…` with the sample address `home`. */
function readTarget(target: string) {
  if (!target.startsWith(PREFIX)) return { path: target, address: undefined };
  const end = target.indexOf("/", PREFIX.length);
  const id = target.slice(PREFIX.length, end === -1 ? undefined : end);
  const sample = SAMPLES.find((known) => known.id === id);
  return { path: !sample || end === -1 ? target : target.slice(end), address: sample?.address };
}

/** URL at which a page reaches the service as a visitor with a sample address. */
export const sampleEndpoint = (proxyUrl: string, id: string): string => `${proxyUrl}${PREFIX}${id}`;

/**
 * A loopback proxy in front of the service at `port`, in the role of a load balancer: it sets the client IP in
 * `X-Forwarded-For`, here to one of the samples.
 */
export function createVisitProxy(servicePort: number): http.Server {
  return http.createServer((req, res) => {
    const { path, address } = readTarget(req.url ?? "/");
    const headers = { ...req.headers };
    for (const name of FORWARDING) Reflect.deleteProperty(headers, name);
    if (address !== undefined) headers["x-forwarded-for"] = address;
    const upstream = http.request({ host: "localhost", port: servicePort, method: req.method, path, headers });
    upstream.once("response", (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(res);
    });
    upstream.once("error", () => {
      if (res.headersSent) {
        res.destroy();
        return;
      }
      res.writeHead(502, { "Content-Type": "text/plain", Connection: "close" });
      res.end("The service behind the demonstration's proxy does not answer.\n");
    });
    res.once("close", () => upstream.destroy());
    req.pipe(upstream);
  });
}

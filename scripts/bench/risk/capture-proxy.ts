import { once } from "node:events";
import http from "node:http";

/** Only the gate itself may say where a visit comes from. */
const FORWARDING = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "x-real-ip"];

async function bytesOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What a visit sent, and the token that its browser holds now. */
function captureOf(body, headers, answer) {
  const submission = JSON.parse(body);
  return { signals: submission.signals, headers, submission, token: answer.token ?? submission.token };
}

/**
 * A load balancer in front of the service, which passes everything on as it came and keeps what each visit sent.
 *
 * @param {object} options
 * @param {string} options.address where it listens
 * @param {() => number} options.servicePort
 * @param {(path: string) => string | undefined} [options.pageOf] pages that it answers itself
 * @param {() => string | undefined} [options.visitorAddress] where visits seem to come from, instead of where they do
 * @param {(imprint: string, capture: object) => void} options.onVisit
 */
export async function openGate({
  address,
  servicePort,
  pageOf = () => undefined,
  visitorAddress = () => undefined,
  onVisit,
}) {
  const server = http.createServer(async (request, response) => {
    const target = request.url ?? "/";
    const page = request.method === "GET" ? pageOf(target) : undefined;
    if (page !== undefined) return void response.writeHead(200, { "Content-Type": "text/html" }).end(page);
    const body = await bytesOf(request);
    const headers = { ...request.headers };
    for (const name of FORWARDING) delete headers[name];
    headers["x-forwarded-for"] = visitorAddress() ?? request.socket.remoteAddress;
    const { method } = request;
    const upstream = http.request({ host: "localhost", port: servicePort(), method, path: target, headers });
    upstream.once("error", () => response.writeHead(502).end());
    upstream.once("response", async (answer) => {
      const text = await bytesOf(answer);
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders).end(text);
      if (target !== "/api/v1/imprints" || answer.statusCode !== 201) return;
      const answered = JSON.parse(text);
      onVisit(answered.imprint, captureOf(body, request.headers, answered));
    });
    upstream.end(body);
  });
  server.listen(0, address);
  await once(server, "listening");
  return {
    port: server.address().port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

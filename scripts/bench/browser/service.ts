import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

import { listenHttp } from "../../common/processes";
import type { Timed } from "./main-thread";

const PAGE = "<!doctype html><meta charset=utf-8><title>Bench</title><body><p>Bench</p></body>";

/**
 * Starts a loopback site for the browser bench. It serves pages and bundles (path to JavaScript), and implements the
 * wire protocol of the component's two endpoints, so that a whole run is timed rather than only the collection.
 */
export async function startSite(
  bundles: Readonly<Record<string, string>>,
  pages: Readonly<Record<string, string>> = {},
) {
  let lastBody = "";
  let onMeasured: (timed: Timed) => void = () => undefined;
  const answers: Readonly<Record<string, (body: string) => [status: number, answer: object]>> = {
    "/api/v1/imprints/challenge": () => [
      200,
      {
        challenge: randomBytes(48).toString("base64url"),
        expires_at: "2030-01-01T00:00:00Z",
        token: randomBytes(96).toString("base64url"),
      },
    ],
    "/api/v1/imprints": (body) => {
      lastBody = body;
      return [201, { imprint: `imp_${randomBytes(16).toString("hex")}` }];
    },
  };
  const server = createServer((request, response) => {
    if (request.url === "/measured") {
      response.end();
      void text(request).then((body) => {
        onMeasured(JSON.parse(body) as Timed); // safe: the measuring script sent it
      });
      return;
    }
    const answer = answers[request.url ?? ""];
    if (request.method === "POST" && answer) {
      void text(request).then((body) => {
        const [status, result] = answer(body);
        response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(result));
      });
      return;
    }
    const script = bundles[request.url ?? ""];
    response.writeHead(200, { "Content-Type": script === undefined ? "text/html" : "text/javascript" });
    response.end(script ?? pages[request.url ?? ""] ?? PAGE);
  });
  const { url, close } = await listenHttp(server);
  return {
    origin: url,
    close,
    /** Resolves when a page reports that it has measured. */
    nextMeasured: () =>
      new Promise<Timed>((resolve) => {
        onMeasured = resolve;
      }),
    /** The last submission as sent. */
    lastBody: () => lastBody,
    /** Size of the last submission, and the time the component took to prepare it. */
    lastSubmission() {
      const { timings } = JSON.parse(lastBody) as { timings: { total: number } }; // safe: the component sent it
      return { bytes: Buffer.byteLength(lastBody), readyMs: timings.total };
    },
  };
}

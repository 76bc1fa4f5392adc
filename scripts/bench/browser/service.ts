/**
 * A loopback site for the browser bench: pages, bundles, and the component's two endpoints answered by its wire
 * protocol, so that a whole run is timed and not its collection alone.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

const PAGE = "<!doctype html><meta charset=utf-8><title>Bench</title><body><p>Bench</p></body>";

const readBody = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/**
 * Starts the site; `bundles` maps a path to JavaScript. `lastBody()` is the last submission as sent, `lastSubmission()` has the size of the last submission, and
 * how long it took the component to have it ready.
 */
export const startService = async (bundles) => {
  let last = { bytes: 0, readyMs: 0 };
  let lastBody = "";
  const answers = {
    "/api/v1/imprints/challenge": () => ({
      challenge: randomBytes(48).toString("base64url"),
      expires_at: "2030-01-01T00:00:00Z",
      token: randomBytes(96).toString("base64url"),
    }),
    "/api/v1/imprints": (body) => {
      lastBody = body.toString();
      last = { bytes: body.length, readyMs: JSON.parse(body).timings.total };
      return { imprint: `imp_${randomBytes(16).toString("hex")}` };
    },
  };
  const server = createServer(async (request, response) => {
    const answer = answers[request.url];
    if (request.method === "POST" && answer) {
      const result = answer(await readBody(request));
      response.writeHead(result.imprint ? 201 : 200, { "Content-Type": "application/json" });
      response.end(JSON.stringify(result));
      return;
    }
    const script = bundles[request.url];
    response.writeHead(200, { "Content-Type": script ? "text/javascript" : "text/html" });
    response.end(script ?? PAGE);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://localhost:${server.address().port}`,
    lastSubmission: () => last,
    lastBody: () => lastBody,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

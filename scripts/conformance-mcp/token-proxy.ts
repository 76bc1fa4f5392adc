import { once } from "node:events";
import http from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const LONGEST_WAIT_S = 5;

function send(target, { method, url, headers }, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(new URL(url, target), { method, headers }, resolve);
    request.once("error", reject);
    request.end(body);
  });
}

/**
 * The suite cannot authenticate: this adds the token to its requests and leaves everything else, the Host too, as it
 * is. What is refused for its rate is sent again, since the suite asks faster than a client may.
 */
export async function openTokenProxy(target, token) {
  const server = http.createServer(async (req, res) => {
    try {
      const chunks = [];
      for await (const chunk of req) chunks.push(chunk);
      const headers = { ...req.headers, authorization: `Bearer ${token}` };
      delete headers["transfer-encoding"];
      const body = Buffer.concat(chunks);
      if (body.length > 0) headers["content-length"] = String(body.length);
      let answer = await send(target, { method: req.method, url: req.url, headers }, body);
      while (answer.statusCode === 429) {
        answer.resume();
        await delay(1000 * Math.min(LONGEST_WAIT_S, Number(answer.headers["retry-after"] ?? 1)));
        answer = await send(target, { method: req.method, url: req.url, headers }, body);
      }
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    } catch (error) {
      res.writeHead(502).end(String(error));
    }
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  return {
    url: `http://localhost:${server.address().port}/mcp`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

import { mkdtempSync, rmSync } from "node:fs";
import { createServer, get, type IncomingMessage, request, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { afterEach, expect, test } from "vitest";

import { openPageGateway } from "./page-gateway";

const folder = mkdtempSync(join(tmpdir(), "imprint-gateway-"));
const socketPath = join(folder, "socket");
const servers: Server[] = [];
const listening = (server: Server, at: string | number) =>
  new Promise<void>((resolve) => {
    servers.push(server);
    server.listen(...((typeof at === "string" ? [at] : [at, "127.0.0.1"]) as [string]), resolve);
  });

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(socketPath, { force: true });
});

/** Starts a gateway in front of pages answered by `listener`; returns the gateway's address. */
async function open(listener: RequestListener | undefined, options?: Parameters<typeof openPageGateway>[1]) {
  if (listener) await listening(createServer(listener), socketPath);
  const gateway = openPageGateway(socketPath, options);
  const front = createServer((req, res) => {
    res.setHeader("X-Request-Id", "req_1");
    void gateway(req, res, req.headers["x-from"]?.toString());
  });
  await listening(front, 0);
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

const ask = (url: string, headers: Record<string, string> = {}) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false, headers }, resolve).once("error", reject);
  });

test("an answer is forwarded unchanged: status, repeated headers and chunks as they arrive, without hop-by-hop headers", async () => {
  let next: (() => void) | undefined;
  const url = await open((req, res) => {
    res.writeHead(418, [
      ...["Set-Cookie", "a=1", "Set-Cookie", "b=2", "X-Path", req.url ?? "", "X-Inner", req.headers.connection ?? ""],
      ...["Keep-Alive", "timeout=99"],
    ]);
    res.write("first ");
    next = () => res.end("second");
  });
  const answer = await ask(`${url}/w/a%20b?c=%C3%A9&d`);
  expect(answer.statusCode).toBe(418);
  expect(answer.headers).toMatchObject({
    "set-cookie": ["a=1", "b=2"],
    "x-path": "/w/a%20b?c=%C3%A9&d",
    "x-request-id": "req_1",
  });
  expect(answer.headers["keep-alive"]).not.toBe("timeout=99");
  const first = await new Promise<string>((resolve) => {
    answer.once("data", (chunk: Buffer) => {
      resolve(chunk.toString());
    });
  });
  expect(first).toBe("first ");
  next?.();
  expect(await text(answer)).toBe("second");
});

test("a body reaches the page whole, chunked or not", async () => {
  const url = await open((req, res) => {
    void text(req).then((body) => res.end(`${req.method} ${body.length}`));
  });
  for (const headers of [{}, { "Content-Length": "300000" }]) {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(`${url}/form`, { method: "POST", agent: false, headers }, resolve).once("error", reject);
      sent.end("x".repeat(300_000));
    });
    expect(await text(answer)).toBe("POST 300000");
  }
});

test("a form without scripts from a page of an older build gets a page that links back, a script call gets what Next answered", async () => {
  const url = await open((req, res) => {
    req.resume();
    res.writeHead(409, { "X-Nextjs-Action-Not-Found": "1", "Content-Type": "text/plain", ETag: '"a"' });
    res.end("Server Action unavailable.");
  });
  const send = (headers: Record<string, string>) =>
    fetch(`${url}/join?token=a&b="`, { method: "POST", body: "a=b", headers });
  const shown = await send({});
  expect([shown.status, shown.headers.get("etag")]).toEqual([409, null]);
  expect(shown.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(shown.headers.get("content-security-policy")).toContain("default-src 'none'; style-src 'sha256-");
  const html = await shown.text();
  expect(html).toContain("Nothing was done");
  expect(html).toContain('href="/join?token=a&amp;b=%22"');
  const called = await send({ "Next-Action": "x" });
  expect([called.status, called.headers.get("content-type"), await called.text()]).toEqual([
    409,
    "text/plain",
    "Server Action unavailable.",
  ]);
});

test("while the pages process is down the answer is 503, and if it dies during an answer the connection is cut", async () => {
  const away = await ask(`${await open(undefined)}/docs`);
  expect([away.statusCode, away.headers["retry-after"]]).toEqual([503, "2"]);
  const url = await open((_req, res) => {
    res.write("half", () => res.destroy());
  });
  const answer = await ask(`${url}/docs`);
  await expect(text(answer)).rejects.toThrow("aborted");
});

test("a page request is retried when the pages process is replaced; a form is sent only once", async () => {
  let asked = 0;
  const url = await open((req, res) => {
    asked += 1;
    // After the whole request has been forwarded.
    if (asked % 2 === 1 || req.method === "POST") req.resume().once("end", () => res.destroy());
    else res.end("page");
  });
  expect(await text(await ask(`${url}/docs`))).toBe("page");
  const withBody = await new Promise<IncomingMessage>((resolve) => {
    request(`${url}/docs`, { method: "GET", agent: false, headers: { "Content-Length": "5" } }, resolve).end("12345");
  });
  expect([await text(withBody), withBody.headers.connection, asked]).toEqual(["page", "close", 4]);
  const form = await new Promise<IncomingMessage>((resolve) => {
    request(`${url}/form`, { method: "POST", agent: false }, resolve).end("x");
  });
  expect([form.statusCode, asked]).toEqual([503, 5]);
});

test("a disconnected client's page is aborted, and a client with too many requests is refused while another is served", async () => {
  let ended = 0;
  const begun: (() => void)[] = [];
  const limits = { maxActive: 2, maxActivePerClient: 1, maxWaiting: 2, maxWaitingPerClient: 1 };
  const url = await open(
    (req, res) => {
      res.once("close", () => (ended += 1));
      if (req.url === "/fast") res.end("fast");
      else begun.push(() => res.end("slow"));
    },
    { limits, refusalDelayMs: { client: 20, everybody: 20 } },
  );
  const greedy = { "X-From": "198.51.100.1" };
  const first = get(`${url}/slow`, { agent: false, headers: greedy }).on("error", () => undefined);
  await expect.poll(() => begun.length).toBe(1);
  const second = ask(`${url}/fast`, greedy);
  await expect.poll(async () => (await ask(`${url}/fast`, greedy)).statusCode).toBe(429);
  expect(await text(await ask(`${url}/fast`, { "X-From": "198.51.100.2" }))).toBe("fast");
  first.destroy();
  expect(await text(await second)).toBe("fast");
  await expect.poll(() => ended).toBe(3);
});

test("an answer arrives even if the pages do not read the body, however large it is", async () => {
  const url = await open((_req, res) => {
    res.writeHead(303, { location: "/" }).end();
  });
  const send = (bytes: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(url, { method: "POST", agent: false, headers: { "content-length": bytes } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.once("error", reject);
      for (let at = 0; at < bytes; at += 10_000) sent.write(Buffer.alloc(Math.min(10_000, bytes - at)));
      sent.end();
    });
  for (let round = 0; round < 40; round += 1) {
    const statuses = await Promise.all([100, 70_000, 400_000].map(send));
    expect(statuses).toEqual([303, 303, 303]);
  }
});

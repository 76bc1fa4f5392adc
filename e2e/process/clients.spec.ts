import { connect, type Socket } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { TEST_SECRETS } from "../service";
import {
  databaseUrlOf,
  makeDataDir,
  removeDataDir,
  type Service,
  startService,
  statusOf,
  stopService,
} from "./service";

let dataDir: string;
let service: Service;
beforeAll(async () => {
  dataDir = makeDataDir();
  service = await startService({ dataDir, environment: TEST_SECRETS });
});
afterAll(async () => {
  await stopService(service);
  removeDataDir(dataDir);
});

/** Sends bytes and collects what comes back until the connection ends. */
function talk(port: number, text: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  const received: string[] = [];
  socket.on("data", (chunk) => received.push(chunk.toString()));
  socket.on("error", () => undefined); // a reset is an end too
  const answer = new Promise<string>((done) => {
    socket.once("close", () => {
      done(received.join(""));
    });
  });
  return { socket, answer };
}

/** Permits left to the address that the service takes this client for. */
async function permitsLeft(url: string, forwardedFor: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/fingerprint/report/imp_${"0".repeat(32)}`, {
    headers: { "X-Forwarded-For": forwardedFor, "X-Real-IP": forwardedFor, Forwarded: `for=${forwardedFor}` },
  });
  expect(response.status).toBe(401);
  return Number(/;r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]);
}

test("100 clients that send their headers slowly are cut, and the service answers others meanwhile", async () => {
  const startedAt = performance.now();
  const slow = Array.from({ length: 100 }, () => talk(service.port, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "));
  const drip = setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write("a");
  }, 500);
  expect(await statusOf(`${service.url}/readyz`)).toBe(200);
  const answers = await Promise.all(slow.map(({ answer }) => answer));
  clearInterval(drip);
  expect(new Set(answers.map((answer) => answer.split("\r\n")[0]))).toEqual(new Set(["HTTP/1.1 408 Request Timeout"]));
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(await statusOf(`${service.url}/healthz`)).toBe(200);
});

test.each([
  ["what is not HTTP", "HELLO\r\n\r\n", "HTTP/1.1 400 Bad Request"],
  [
    "two body lengths",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
    "HTTP/1.1 400 Bad Request",
  ],
  [
    "headers beyond 16 KiB",
    `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${"a".repeat(17 * 1024)}\r\n\r\n`,
    "HTTP/1.1 431 Request Header Fields Too Large",
  ],
  ["no Host", "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 Bad Request"],
])("%s is refused and the connection closed", async (_name, text, line) => {
  expect((await talk(service.port, text).answer).split("\r\n")[0]).toBe(line);
});

test("an address that a client forges changes nothing unless its peer is a trusted proxy", async () => {
  const first = await permitsLeft(service.url, "1.2.3.4");
  expect(await permitsLeft(service.url, "5.6.7.8")).toBe(first - 1);
  const otherDir = makeDataDir();
  const behindProxy = await startService({
    dataDir: otherDir,
    environment: { ...TEST_SECRETS, DATABASE_URL: databaseUrlOf(dataDir), TRUSTED_PROXIES: "loopback" },
  });
  const known = await permitsLeft(behindProxy.url, "1.2.3.4");
  expect(await permitsLeft(behindProxy.url, "5.6.7.8")).toBe(known);
  expect(await permitsLeft(behindProxy.url, "1.2.3.4")).toBe(known - 1);
  await stopService(behindProxy);
  removeDataDir(otherDir);
});

test.each([
  ["GET", "/api/v1/nothing", 404, "not_found"],
  ["GET", "//api/v1/fingerprint/report/x", 404, "not_found"],
  ["GET", "/%61pi/v1/imprints", 404, "not_found"],
  ["PATCH", "/api/v1/imprints", 405, "method_not_allowed"],
  ["TRACE", "/api/v1/imprints", 405, "method_not_allowed"],
])("%s %s gets the error envelope", async (method, path, status, code) => {
  const { answer } = talk(service.port, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const [head = "", body = ""] = (await answer).split("\r\n\r\n");
  expect(head.split("\r\n")[0]).toContain(` ${status} `);
  expect(head.toLowerCase()).toContain("cache-control: private, no-store");
  expect(head).toMatch(/^x-request-id: req_[0-9a-f]{32}$/im);
  expect(JSON.parse(body)).toMatchObject({ error: { code } });
});

test("pages carry a fresh nonce policy, and a loopback host is sent to the base address", async () => {
  const policies = await Promise.all([fetch(service.url), fetch(service.url)]).then((answers) =>
    answers.map((answer) => answer.headers.get("content-security-policy") ?? ""),
  );
  expect(new Set(policies).size).toBe(2);
  for (const policy of policies) expect(policy).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic'/);
  const byAddress = await fetch(`http://127.0.0.1:${service.port}/docs?a=1`, { redirect: "manual" });
  expect(byAddress.status).toBe(307);
  expect(byAddress.headers.get("location")).toBe(`${service.url}/docs?a=1`);
});

test("the two page methods that read work, odd ones get 405 with Allow, broken encoding 400", async () => {
  const head = await fetch(service.url, { method: "HEAD" });
  expect(head.status).toBe(200);
  const odd = await fetch(service.url, { method: "DELETE" });
  expect(odd.status).toBe(405);
  expect(odd.headers.get("allow")).toBe("GET, HEAD, POST");
  expect(await statusOf(`${service.url}/%E0%A4%A`)).toBe(400);
});

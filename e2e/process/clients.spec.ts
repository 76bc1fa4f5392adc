import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { constants } from "node:os";

import { afterAll, beforeAll, expect, test } from "vitest";

import { rawHead, sendRaw } from "../raw-request";
import { TEST_SECRETS } from "../service";
import { onlyProcessOf, pagesProcessOf, prioritiesOf } from "./processes";
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

/** Sends bytes and collects the response until the connection ends. */
function talk(port: number, text: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  const received: string[] = [];
  socket.on("data", (chunk) => received.push(chunk.toString()));
  socket.on("error", () => undefined); // a reset counts as an end
  const answer = new Promise<string>((done) => {
    socket.once("close", () => {
      done(received.join(""));
    });
  });
  return { socket, answer };
}

/** Remaining permits of the client IP that the service assigns to this client. */
async function permitsLeft(url: string, forwardedFor: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/fingerprint/report/imp_${"0".repeat(32)}`, {
    headers: { "X-Forwarded-For": forwardedFor, "X-Real-IP": forwardedFor, Forwarded: `for=${forwardedFor}` },
  });
  expect(response.status).toBe(401);
  return Number(/;r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]);
}

test("100 clients with slow headers get an error and are disconnected, silent ones are disconnected, and others are served meanwhile", async () => {
  const startedAt = performance.now();
  const slow = Array.from({ length: 100 }, () => talk(service.port, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "));
  const silent = Array.from({ length: 100 }, () => talk(service.port, ""));
  const drip = setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write("a");
  }, 500);
  expect(await statusOf(`${service.url}/readyz`)).toBe(200);
  const answers = await Promise.all(slow.map(({ answer }) => answer));
  clearInterval(drip);
  expect(new Set(answers.map((answer) => answer.split("\r\n")[0]))).toEqual(new Set(["HTTP/1.1 408 Request Timeout"]));
  expect(new Set(await Promise.all(silent.map(({ answer }) => answer)))).toEqual(new Set([""]));
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
  [
    "two Hosts for a page",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
    "HTTP/1.1 400 Bad Request",
  ],
  [
    "two Hosts for an operation",
    "GET /api/v1/agent/products HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
    "HTTP/1.1 400 Bad Request",
  ],
])("%s is refused and the connection closed", async (_name, text, line) => {
  expect((await talk(service.port, text).answer).split("\r\n")[0]).toBe(line);
});

test("a forged client IP has no effect unless the peer is a trusted proxy", async () => {
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

  // Headers sent by the client must not push out those added by the proxy.
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`X-Filler-${index}`, "a"]));
  const hidden = await sendRaw(
    behindProxy.port,
    rawHead("GET", `/api/v1/fingerprint/report/imp_${"0".repeat(32)}`, { ...many, "X-Forwarded-For": "1.2.3.4" }),
  );
  expect(hidden.status).toBe(401);
  expect(Number(/;r=(\d+)/.exec(hidden.headers["ratelimit"] ?? "")?.[1])).toBe(known - 2);

  // The operator's own machine gets details of the state; clients behind a proxy do not.
  const check = async (headers: Record<string, string>) =>
    Object.keys((await (await fetch(`${behindProxy.url}/readyz`, { headers })).json()) as object);
  expect(await check({})).toEqual(["status", "version", "checks"]);
  for (const header of ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "CF-Connecting-IP"])
    expect(await check({ [header]: "1.2.3.4" })).toEqual(["status"]);
  const named = await sendRaw(behindProxy.port, rawHead("GET", "/readyz", { Host: "imprint.example" }));
  expect(JSON.parse(named.body)).toEqual({ status: "ready" });
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

const READABLE = [
  "/api/v1/agent/products",
  "/oauth/jwks",
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
  "/.well-known/oauth-protected-resource/mcp",
];
test.each(READABLE)("HEAD %s is answered with the headers of GET, without its body", async (path) => {
  const asked = (method: string) => sendRaw(service.port, rawHead(method, path, {}));
  const [get, head] = [await asked("GET"), await asked("HEAD")];
  expect([get.status, head.status, head.body]).toEqual([200, 200, ""]);
  expect(Object.keys(head.headers).sort()).toEqual(Object.keys(get.headers).sort());
  expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
  const refused = await sendRaw(service.port, rawHead("PATCH", path, {}));
  expect([refused.status, refused.headers["allow"]]).toEqual([405, expect.stringMatching(/^GET, HEAD\b/)]);
});

const REPORT = `/api/v1/fingerprint/report/imp_${"0".repeat(32)}`;
const INNER = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
test.each([
  ["GET", REPORT, [401, 200], "Content-Length: 0\r\n\r\n"],
  ["GET", REPORT, [413], `Content-Length: ${INNER.length}\r\n\r\n${INNER}`],
  [
    "GET",
    REPORT,
    [401, 200],
    `Transfer-Encoding: chunked\r\n\r\n${INNER.length.toString(16)}\r\n${INNER}\r\n0\r\n\r\n`,
  ],
  ["HEAD", "/api/v1/agent/products", [413], `Content-Length: ${INNER.length}\r\n\r\n${INNER}`],
  ["GET", "/oauth/jwks", [200, 200], `Content-Length: ${INNER.length}\r\n\r\n${INNER}`],
  ["GET", "/docs", [200, 200], `Content-Length: ${INNER.length}\r\n\r\n${INNER}`],
])("a body sent with %s %s is never read as a request: %j", async (method, path, expected, rest) => {
  const next = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  const { answer } = talk(service.port, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${rest}${next}`);
  const statuses = [...(await answer).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code]) => Number(code));
  expect(statuses).toEqual(expected);
  expect(await answer).not.toContain('{"status":"ok"}');
});

test("pages have a CSP with a fresh nonce, and a loopback host is redirected to the base URL", async () => {
  const policies = await Promise.all([fetch(service.url), fetch(service.url)]).then((answers) =>
    answers.map((answer) => answer.headers.get("content-security-policy") ?? ""),
  );
  expect(new Set(policies).size).toBe(2);
  for (const policy of policies) expect(policy).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic'/);
  const byAddress = await fetch(`http://127.0.0.1:${service.port}/docs?a=1`, { redirect: "manual" });
  expect(byAddress.status).toBe(307);
  expect(byAddress.headers.get("location")).toBe(`${service.url}/docs?a=1`);
});

test("pages accept GET and HEAD, other methods get 405 with Allow, broken encoding gets 400", async () => {
  const head = await fetch(service.url, { method: "HEAD" });
  expect(head.status).toBe(200);
  const odd = await fetch(service.url, { method: "DELETE" });
  expect(odd.status).toBe(405);
  expect(odd.headers.get("allow")).toBe("GET, HEAD, POST");
  expect(await statusOf(`${service.url}/%E0%A4%A`)).toBe(400);
});

const DOCUMENT_HEADERS = {
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": /^(same-origin|unsafe-none)$/,
  "permissions-policy": /camera=\(\)/,
  "x-content-type-options": "nosniff",
};

test.each([
  ...["/", "/sign-in", "/docs/api", "/nothing", "/nothing.html", "/w/ws_x/devices/x.html", "/docs/nothing.md"],
  ...["/.well-known/nothing", "/_next/nothing.html", "/v1/nothing.js", "/oauth/consent/nothing", "/oauth/consent/a.b"],
  ...[
    "/api/auth/signin",
    "/api/auth/error",
    "/api/auth/nothing",
    "/oauth/authorize?client_id=none",
    "/SKILL.md/x.html",
  ],
])("every document returned for %s has security headers, including for its forms", async (path) => {
  const response = await fetch(service.url + path, { headers: { Accept: "text/html" } });
  const body = await response.text();
  if (!/html/i.test(response.headers.get("content-type") ?? "")) {
    expect(body).not.toMatch(/<(html|script|body)/i);
    return;
  }
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/default-src '(self|none)'/);
  expect(policy).toContain("frame-ancestors 'none'");
  const scripts = [...body.matchAll(/<script(?![^>]*application\/ld)[^>]*>/g)].map(([tag]) => tag);
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  for (const tag of scripts) expect(tag).toContain(`nonce="${nonce ?? "none"}"`);
  // The consent form redirects to the client's own address.
  if (!path.startsWith("/oauth/consent")) expect(policy).toMatch(/form-action '(self|none)'(;|$)/);
  for (const [name, value] of Object.entries(DOCUMENT_HEADERS)) expect(response.headers.get(name)).toMatch(value);
});

const descriptorsOf = (id: number) => readdirSync(`/proc/${id}/fd`).length;
const serverOf = () => onlyProcessOf(service);

test("upgrade and CONNECT requests get a response and are closed on every path, also after Next has served pages", async () => {
  expect(await statusOf(service.url)).toBe(200);
  const before = descriptorsOf(serverOf());
  const upgrade = (path: string, protocol: string) =>
    talk(
      service.port,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`,
    );
  const cases: [string, string, number][] = [
    ["/x", "websocket", 404],
    ["/docs", "websocket", 200],
    ["/_next/webpack-hmr", "websocket", 404],
    ["/healthz", "h2c", 200],
    ["/api/v1/agent/products", "h2c", 200],
    ["/api/v1/nothing", "websocket", 404],
  ];
  const answers = await Promise.all(cases.map(([path, protocol]) => upgrade(path, protocol).answer));
  expect(answers.map((answer) => Number(answer.slice(9, 12)))).toEqual(cases.map(([, , status]) => status));
  const many = await Promise.all(Array.from({ length: 300 }, () => upgrade("/healthz", "websocket").answer));
  expect(new Set(many.map((answer) => answer.slice(9, 12)))).toEqual(new Set(["200"]));
  for (const target of ["example.com:443", "/", "/api/v1/agent/products"]) {
    const { answer } = talk(service.port, `CONNECT ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(["400", "405"]).toContain((await answer).slice(9, 12));
  }
  await expect.poll(() => descriptorsOf(serverOf()), { timeout: 10_000 }).toBeLessThan(before + 20);
});

/** The longest response time of `count` health checks, in milliseconds. */
async function slowestOf(count: number): Promise<number> {
  let slowest = 0;
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    expect(await statusOf(`${service.url}/healthz`)).toBe(200);
    slowest = Math.max(slowest, performance.now() - startedAt);
  }
  return slowest;
}

test("200 clients that pipeline 60 requests for the OpenAPI document and read slowly do not delay others", async () => {
  const requests = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(60);
  const clients = Array.from({ length: 200 }, () => {
    const { socket } = talk(service.port, requests);
    socket.pause();
    return socket;
  });
  expect(await slowestOf(200)).toBeLessThan(5_000);
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${serverOf()}/status`, "utf8"))?.[1]);
  expect(kilobytes / 1024).toBeLessThan(700);
  for (const socket of clients) socket.destroy();
  const first = await fetch(`${service.url}/openapi.json`);
  const etag = first.headers.get("etag") ?? "";
  expect(first.headers.get("access-control-allow-origin")).toBe("*");
  expect(((await first.json()) as { openapi: string }).openapi).toBe("3.1.0");
  expect((await fetch(`${service.url}/openapi.json`, { headers: { "If-None-Match": etag } })).status).toBe(304);
});

test("while pages are flooded from many connections, operations are as fast as before", async () => {
  const times: number[] = [];
  let pages = 0;
  const isEnough = () => pages >= 60 && times.length >= 60;
  const hammer = async () => {
    while (!isEnough()) {
      expect(await statusOf(`${service.url}/docs/api`)).toBe(200);
      pages += 1;
    }
  };
  const hammering = Promise.all(Array.from({ length: 30 }, hammer));
  // Before pages had a separate process, each of these waited for 30 pages.
  while (!isEnough()) {
    const startedAt = performance.now();
    expect(await statusOf(`${service.url}/api/v1/agent/products`)).toBeGreaterThan(0);
    times.push(performance.now() - startedAt);
  }
  await hammering;
  expect(times.sort((a, b) => a - b)[times.length >> 1]).toBeLessThan(100);
});

test("a killed pages process is replaced, operations are served meanwhile, and every thread of each has a lower priority", async () => {
  const lower = new Set([constants.priority.PRIORITY_BELOW_NORMAL]);
  const killed = pagesProcessOf(service);
  expect(prioritiesOf(killed)).toEqual(lower);
  process.kill(killed, "SIGKILL");
  expect(await statusOf(`${service.url}/readyz`)).toBe(200);
  await expect.poll(() => statusOf(`${service.url}/docs`), { timeout: 30_000, interval: 100 }).toBe(200);
  expect(pagesProcessOf(service)).not.toBe(killed);
  expect(prioritiesOf(pagesProcessOf(service))).toEqual(lower);
});

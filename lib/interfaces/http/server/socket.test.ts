import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

import { afterEach, expect, onTestFinished, test, vi } from "vitest";

import { log } from "@/lib/platform/log";
import { type Capacity, createCapacity } from "./capacity";
import { CONNECTION_LIMITS } from "./connections";
import { listen } from "./listen";
import { type HttpSocket, openSocket } from "./socket";

const LARGE = Buffer.alloc(32 * 1024 * 1024, "a");
const PIECE_BYTES = 256 * 1024;
function* pieces() {
  for (let at = 0; at < LARGE.length; at += PIECE_BYTES) yield LARGE.subarray(at, at + PIECE_BYTES);
}
type Service = Pick<HttpSocket, "drain"> & { port: number; connections: () => number };
const opened: Service[] = [];
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  for (const socket of opened.splice(0)) await socket.drain(0);
});

async function serve(listener: RequestListener, limits = CONNECTION_LIMITS, capacity?: Capacity): Promise<Service> {
  const { take, drain } = openSocket(listener, limits, capacity);
  let connections = 0;
  const listening = await listen({ port: 0, host: "localhost" }, (connection) => {
    connections += 1;
    connection.once("close", () => (connections -= 1));
    take(connection);
  });
  const service: Service = {
    port: listening.port,
    connections: () => connections,
    drain(timeoutMs) {
      listening.close();
      return drain(timeoutMs);
    },
  };
  opened.push(service);
  return service;
}

/** A client that sends text and reads on demand; `ended` resolves with everything received when the connection ends. */
function talk(port: number, text: string, { reads = true } = {}) {
  const chunks: Buffer[] = [];
  const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => client.write(text));
  clients.push(client);
  client.on("error", () => undefined); // a reset also ends the connection
  client.on("data", (chunk) => chunks.push(chunk));
  client.once("end", () => client.destroy());
  if (!reads) client.pause();
  const received = () => Buffer.concat(chunks).toString();
  const ended = new Promise<string>((resolve) => {
    client.once("close", () => {
      resolve(received());
    });
  });
  return { client, received, ended };
}

const get = (path = "/", headers = "") => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const LAST = "Connection: close\r\n";
const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
const bodyOf = (text: string) => text.split("\r\n\r\n")[1] ?? "";
const soon = { timeout: 10_000, interval: 20 };
const answerPath: RequestListener = (req, res) => res.end(`<${req.url ?? ""}>`);

test("pipelined requests are answered one at a time and in order, even after a slow one", async () => {
  let [running, most] = [0, 0];
  const { port } = await serve((req, res) => {
    most = Math.max(most, (running += 1));
    setImmediate(() => {
      running -= 1;
      res.end(`<${req.url ?? ""}>`);
    });
  });
  const paths = Array.from({ length: 60 }, (_, index) => `/${index}`);
  const text = await talk(port, paths.map((path) => get(path)).join("") + get("/last", LAST)).ended;
  expect([...text.matchAll(/<(.*?)>/g)].map(([, path]) => path)).toEqual([...paths, "/last"]);
  expect(most).toBe(1);
});

test("other clients get a turn between two answers to one client", async () => {
  const turns: number[] = [];
  const { port } = await serve((_req, res) => {
    setImmediate(() => turns.push(turns.length));
    res.end("ok");
    begunBefore.push(turns.length);
  });
  const begunBefore: number[] = [];
  await talk(port, get().repeat(20) + get("/", LAST)).ended;
  // Each request started only after everything else that was due when the previous one was answered.
  expect(begunBefore).toEqual(Array.from({ length: 21 }, (_, index) => index));
});

test("each pipelined request gets its own body", async () => {
  const { port } = await serve((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => res.end(`<${Buffer.concat(chunks).length}>`));
  });
  const post = (bytes: number, headers = "") =>
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n${headers}\r\n${"b".repeat(bytes)}`;
  const sizes = [10, 200_000, 0, 70_000, 1];
  const text = await talk(port, sizes.map((size) => post(size)).join("") + post(5, LAST)).ended;
  expect([...text.matchAll(/<(\d+)>/g)].map(([, size]) => Number(size))).toEqual([...sizes, 5]);
});

test("of 60 pipelined requests from a client that does not read, only one is started and one answer buffered", async () => {
  let begun = 0;
  const { port, connections } = await serve((_req, res) => {
    begun += 1;
    res.end(LARGE);
  });
  talk(port, get().repeat(60), { reads: false });
  await expect.poll(() => begun, soon).toBe(1);
  const other = talk(port, get("/", LAST));
  expect(statusesOf(await other.ended)).toEqual([200]);
  expect(begun).toBe(2);
  expect(connections()).toBe(1);
});

test("a connection with too many pipelined requests is closed, others are not", async () => {
  const { port } = await serve((req, res) => {
    if (req.url !== "/slow") res.end("ok");
  });
  expect(
    statusesOf(await talk(port, get("/slow") + get().repeat(CONNECTION_LIMITS.maxPipelinedRequests + 1)).ended),
  ).toEqual([]);
  expect(statusesOf(await talk(port, get("/", LAST)).ended)).toEqual([200]);
});

test("a client that does not read is closed; a slow reader gets the whole answer, and an idle stream stays open", async () => {
  const limits = { ...CONNECTION_LIMITS, stallMs: 1_000, minBytesPerSecond: 64 * 1024 * 1024 };
  const stream: { write: (text: string) => boolean; isClosed: boolean } = { write: () => false, isClosed: false };
  let isStillClosed = false;
  const { port } = await serve((req, res) => {
    if (req.url === "/still") res.once("close", () => (isStillClosed = true));
    if (req.url === "/slow") Readable.from(pieces()).pipe(res);
    if (req.url === "/still") res.end(LARGE);
    if (req.url !== "/stream") return;
    res.writeHead(200, { "Content-Type": "text/event-stream" });
    stream.write = (text) => res.write(text);
    res.once("close", () => (stream.isClosed = true));
    stream.write("first\n\n");
  }, limits);
  const listening = talk(port, get("/stream"));
  await expect.poll(() => listening.received(), soon).toContain("first");
  const slow = talk(port, get("/slow", LAST), { reads: false });
  const still = talk(port, get("/still"), { reads: false });
  let pause: NodeJS.Immediate | undefined;
  const steps = setInterval(() => {
    slow.client.resume();
    pause = setImmediate(() => slow.client.pause());
  }, 20);
  await expect.poll(() => isStillClosed, soon).toBe(true);
  clearInterval(steps);
  clearImmediate(pause); // may be due: both timers can end in one turn of the event loop
  slow.client.resume();
  still.client.resume();
  expect(bodyOf(await still.ended).length).toBeLessThan(LARGE.length);
  expect((await slow.ended).length).toBeGreaterThan(LARGE.length);
  stream.write("second\n\n");
  await expect.poll(() => listening.received(), soon).toContain("second");
  expect(stream.isClosed).toBe(false);
});

test.each([
  ["an upgrade to a protocol that is not spoken", get("/x", "Connection: Upgrade\r\nUpgrade: websocket\r\n"), [200]],
  [
    "an upgrade to HTTP/2",
    get("/x", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"),
    [200],
  ],
  ["HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]],
  ["a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n", [405]],
  ["a tunnel behind a request", `${get("/x")}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nmore`, [200, 405]],
  ["garbage behind a request", `${get("/x")}garbage\r\n\r\n`, [200, 400]],
])("%s is answered and the connection closed", async (_name, text, statuses) => {
  const { port, connections } = await serve((req, res) => {
    setImmediate(() => {
      if (req.method === "CONNECT") res.statusCode = 405;
      res.end();
    });
  });
  const { ended } = talk(port, text);
  expect(statusesOf(await ended)).toEqual(statuses);
  await expect.poll(connections, soon).toBe(0);
});

test("no header is dropped: neither the last of 180 nor a repeated one", async () => {
  const { port } = await serve((req, res) => {
    res.end(JSON.stringify([req.headers["x-forwarded-for"], req.headers.host, req.headers.authorization]));
  });
  const many = Array.from({ length: 180 }, (_, index) => `X-${index}: a\r\n`).join("");
  const twice = "Authorization: one\r\nAuthorization: two\r\nHost: b\r\nX-Forwarded-For: 192.0.2.1\r\n";
  const text = await talk(port, get("/", `${many}${twice}X-Forwarded-For: 192.0.2.2\r\n${LAST}`)).ended;
  expect(JSON.parse(bodyOf(text))).toEqual(["192.0.2.1, 192.0.2.2", "a, b", "one, two"]);
});

test("more than 16 KiB or 200 headers are refused with the error envelope", async () => {
  const { port } = await serve(answerPath);
  for (const headers of [`X-Big: ${"a".repeat(17 * 1024)}\r\n`, "X: a\r\n".repeat(200)]) {
    const text = await talk(port, get("/", headers)).ended;
    expect(statusesOf(text)).toEqual([431]);
    expect(JSON.parse(bodyOf(text))).toMatchObject({ error: { code: "headers_too_large" } });
    expect(text).toMatch(/^x-request-id: req_[0-9a-f]{32}\r$/im);
  }
});

test("input that is not HTTP is refused with the error envelope and the common headers; without a body for HEAD", async () => {
  const { port } = await serve(answerPath);
  const text = await talk(port, "GET /\u00e9 HTTP/9.9\r\n\r\n").ended;
  expect(statusesOf(text)).toEqual([400]);
  expect(JSON.parse(bodyOf(text))).toMatchObject({ error: { code: "invalid_request" } });
  expect(text).toContain("X-Content-Type-Options: nosniff\r\n");
  const head = await talk(port, "HEAD /\u00e9 HTTP/9.9\r\n\r\n").ended;
  expect([statusesOf(head), bodyOf(head)]).toEqual([[400], ""]);
});

test("a request without Host is refused with the error envelope, also behind another one; HTTP/1.0 needs none", async () => {
  const { port } = await serve(answerPath);
  const text = await talk(port, `${get("/x")}GET /y HTTP/1.1\r\n\r\n`).ended;
  expect(statusesOf(text)).toEqual([200, 400]);
  expect(text).toContain('{"error":{"code":"invalid_request","message":"The request has no Host"}}');
  expect(text).toMatch(/^cache-control: private, no-store\r$/im);
  expect(statusesOf(await talk(port, "GET /z HTTP/1.0\r\n\r\n").ended)).toEqual([200]);
});

test("an unknown expectation is ignored", async () => {
  const { port } = await serve(answerPath);
  const text = await talk(port, get("/x", "Expect: tomorrow\r\n") + get("/last", LAST)).ended;
  expect([statusesOf(text), text.match(/<.*?>/g)]).toEqual([
    [200, 200],
    ["</x>", "</last>"],
  ]);
});

test.each(["patch", "Get", "FETCH"])("the method %s is refused with an explanation", async (method) => {
  const { port } = await serve(answerPath);
  const text = await talk(port, `${method} / HTTP/1.1\r\nHost: a\r\n\r\n`).ended;
  expect(statusesOf(text)).toEqual([400]);
  expect(bodyOf(text)).toContain("methods are written in capitals");
});

test("600 idle connections and answered upgrades do not delay shutdown", async () => {
  const { port, drain, connections } = await serve(answerPath);
  for (let index = 0; index < 300; index += 1) {
    talk(port, "");
    talk(port, get());
  }
  await expect.poll(connections, soon).toBe(600);
  const startedAt = performance.now();
  await drain(10_000);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test("shutdown answers all requests received, including pipelined ones and slow readers", async () => {
  const pending: (() => void)[] = [];
  const { port, drain } = await serve((req, res) => {
    if (req.url === "/large") res.end(LARGE);
    else pending.push(() => res.end("ok"));
  });
  const pipelined = talk(port, get("/1") + get("/2"));
  const slow = talk(port, get("/large"), { reads: false });
  await expect.poll(() => pending.length, soon).toBe(1);
  await delay(0);
  const drained = drain(10_000);
  pending.shift()?.();
  await expect.poll(() => pending.length, soon).toBe(1);
  pending.shift()?.();
  slow.client.resume();
  await drained;
  const text = await pipelined.ended;
  expect(statusesOf(text)).toEqual([200, 200]);
  expect(text.match(/connection: close/gi)).toHaveLength(1);
  expect(bodyOf(await slow.ended).length).toBe(LARGE.length);
});

test("connections beyond the limit of open files are closed, with one line in the log for each outage", async () => {
  const warned = vi.spyOn(log, "warn").mockReturnValue();
  onTestFinished(() => {
    warned.mockRestore();
  });
  const outages = vi.fn();
  let now = 0;
  const capacity = createCapacity({ limit: 20, connections: 10, isEnough: false }, outages, () => now);
  const { port, connections } = await serve((_req, res) => res.end("answered"), CONNECTION_LIMITS, capacity);
  // Other tests' code in this process may warn meanwhile.
  const lines = () => warned.mock.calls.filter(([, message]) => /^new connections are /.test(String(message)));
  const messages = () => lines().map(([, message]) => message);
  const connectAll = (count: number) => Array.from({ length: count }, () => talk(port, ""));
  const ask = async () => await talk(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").ended;
  for (const outage of [1, 2]) {
    const open = connectAll(10);
    await vi.waitFor(() => {
      expect(connections()).toBe(10);
    });
    expect([await ask(), await ask(), await ask()]).toEqual(["", "", ""]);
    expect(outages).toHaveBeenCalledTimes(outage);
    for (const { client } of open) client.destroy();
    await vi.waitFor(() => {
      expect(connections()).toBe(0);
    });
    expect(await ask()).toContain("answered");
    // Another burst within seconds belongs to the same outage.
    expect(messages()).toHaveLength(2 * outage - 1);
    now += 5_000;
    expect(await ask()).toContain("answered");
    expect(messages()).toHaveLength(2 * outage);
  }
  const [full, again] = [
    expect.stringContaining("limit of open files") as string,
    "new connections are accepted again",
  ];
  expect(messages()).toEqual([full, again, full, again]);
  expect(lines()[1]?.[0]).toMatchObject({ closed: 3 });
});

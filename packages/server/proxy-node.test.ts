import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, createServer as createHttp2Server, type IncomingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";

import { expect, onTestFinished, test, vi } from "vitest";

import { VISITOR_HEADER } from "@/lib/contract/visitor-text";
import { createTestDatabase } from "@/test/database";
import { SCRIPT, type Setup, setUp, VISITOR } from "@/test/server-proxy";
import { createSite } from "@/test/visits";
import { imprintProxy } from "./proxy";

const { db } = await createTestDatabase();

test("the component is served from memory, revalidated by its tag, and served on while the service is away", async () => {
  const setup = setUp(await createSite(db), { componentVersion: "0.4.0" });
  const get = (path: string, headers: Record<string, string> = {}) =>
    setup.proxy(new Request(`https://shop.example${path}`, { headers }));
  const first = await get("/_i/c.js");
  expect(await first?.text()).toBe(`${SCRIPT} /v1/imprint-0.4.0.js`);
  expect(first?.headers.get("cache-control")).toBe("public, max-age=3600, stale-while-revalidate=86400");
  const etag = first?.headers.get("etag") ?? "";
  expect((await get("/_i/other.js", { "if-none-match": `"x", W/${etag}` }))?.status).toBe(304);
  expect(await (await get("/_i/m.mjs"))?.text()).toContain("imprint-0.4.0.mjs");
  expect(await (await get("/_i/p"))?.text()).toContain("probe.mjs");
  expect(setup.service.seen).toHaveLength(3);
  setup.service.fault = () => Promise.reject(new TypeError("fetch failed"));
  vi.useFakeTimers({ now: Date.now() + 2 * 3_600_000, toFake: ["Date"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  expect((await get("/_i/c.js"))?.status).toBe(200);
  await vi.waitFor(() => {
    expect(setup.errors).toHaveLength(1);
  });
});

test.each([
  ["no key", { apiKey: "" }, /apiKey is missing/],
  ["an environment id for a key", { apiKey: "env_0" }, /apiKey is an environment id/],
  ["no endpoint", { endpoint: "" }, /endpoint is missing/],
  ["a path without a slash", { path: "_i" }, /path has to/],
  ["the whole site as its path", { path: "/" }, /path has to/],
  ["a cookie that browsers drop", { cookie: { name: "__Host-i" } }, /cookie\.name/],
  ["a cookie that is two", { cookie: { name: "a=b; c" } }, /cookie\.name/],
  ["no version", { componentVersion: "latest" }, /componentVersion/],
])("%s is refused when the site starts, without repeating it", (_what, options, message) => {
  const create = () => imprintProxy({ endpoint: "https://imprint.example", apiKey: "svc_live_x", ...options });
  expect(create).toThrow(message);
  expect(create).toThrow(/^imprintProxy: /);
});

/** What the proxy has told the service of the visitor's headers. */
function forwardedHeaders({ service }: Setup): unknown {
  const [payload] = service.seen.flatMap(({ headers }) => headers.get(VISITOR_HEADER)?.split(".")[3] ?? []);
  return (JSON.parse(Buffer.from(payload ?? "", "base64url").toString()) as { headers: unknown }).headers;
}

/** A site on Node's own server, with a parser in front of the proxy where one is given. */
async function startNode(setup: Setup, before?: (body: string, response: ServerResponse) => unknown) {
  const server = createServer((request, response) => {
    const pass = (body?: unknown) => {
      setup.proxy.node(Object.assign(request, body === undefined ? {} : { body }), response, () =>
        response.writeHead(418).end(),
      );
    };
    if (!before) {
      pass();
      return;
    }
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      setImmediate(() => {
        pass(before(text, response));
      });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("as middleware of Node it serves, forwards, sets the cookie and leaves other paths to the site", async () => {
  const site = await createSite(db);
  const setup = setUp(site, { clientAddress: () => VISITOR });
  const url = await startNode(setup);
  const body = JSON.stringify({ environment_id: site.environmentId });
  const ask = (path: string, init?: RequestInit) => fetch(`${url}${path}`, init);
  expect((await ask("/sign-in")).status).toBe(418);
  expect(await (await ask("/_i/c.js?x=1")).text()).toContain(SCRIPT);
  const answer = await ask("/_i/a", { method: "POST", headers: { origin: site.origin }, body });
  expect([answer.status, answer.headers.get("set-cookie")?.startsWith("_i=")]).toEqual([200, true]);
  const long = await ask("/_i/b", { method: "POST", headers: { origin: site.origin }, body: "x".repeat(100_000) });
  expect(long.status).toBe(413);
});

test("cookies that the site has set before stay beside that of the proxy", async () => {
  const site = await createSite(db);
  const setup = setUp(site, { clientAddress: () => VISITOR });
  const body = JSON.stringify({ environment_id: site.environmentId });
  for (const [before, names] of [
    ["a=1", ["a", "_i"]],
    [
      ["a=1", "b=2"],
      ["a", "b", "_i"],
    ],
  ] as const) {
    const url = await startNode(setup, (text, response) => {
      response.setHeader("Set-Cookie", before);
      return text;
    });
    const answer = await fetch(`${url}/_i/a`, { method: "POST", headers: { origin: site.origin }, body });
    expect(answer.headers.getSetCookie().map((cookie) => cookie.split("=", 1)[0])).toEqual(names);
  }
});

test("over HTTP/2 it does the same, and passes the host on that a browser names there", async () => {
  const site = await createSite(db);
  const setup = setUp(site, { clientAddress: () => VISITOR });
  const server = createHttp2Server((request, response) => {
    setup.proxy.node(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect(`http://127.0.0.1:${port}`);
  onTestFinished(() => {
    client.close();
    server.close();
  });
  const stream = client.request({
    ":method": "POST",
    ":path": "/_i/a",
    ":authority": "shop.example",
    origin: site.origin,
  });
  stream.end(JSON.stringify({ environment_id: site.environmentId }));
  const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders];
  expect([headers[":status"], headers["set-cookie"]]).toEqual([200, [expect.stringMatching(/^_i=/)]]);
  stream.resume();
  expect(forwardedHeaders(setup)).toContainEqual(["host", "shop.example"]);
});

test("a body parser in front of it does no harm where it keeps the text, and is named where it does not", async () => {
  const site = await createSite(db);
  const body = JSON.stringify({ environment_id: site.environmentId });
  const askBehind = async (parser: (body: string) => unknown) => {
    const setup = setUp(site, { clientAddress: () => VISITOR });
    const url = await startNode(setup, parser);
    const { status } = await fetch(`${url}/_i/a`, { method: "POST", headers: { origin: site.origin }, body });
    return [status, ...setup.errors];
  };
  expect(await askBehind((text) => text)).toEqual([200]);
  expect(await askBehind((text) => Buffer.from(text))).toEqual([200]);
  expect(await askBehind((text) => JSON.parse(text) as unknown)).toEqual([503, expect.stringContaining("body parser")]);
});

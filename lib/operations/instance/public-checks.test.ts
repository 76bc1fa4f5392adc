import type { ServerResponse } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";

import { afterAll, expect, test } from "vitest";

import { AppError } from "@/lib/contract/errors";
import { errorAnswer } from "@/lib/interfaces/http/response";
import { makeCertificate } from "@/test/certificate";
import { examinePublic } from "./public-checks";

const { key, cert } = makeCertificate();

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

const component = { "imprint-1.js": "sha384-other" };
const now = new Date();

async function listen(server: Server): Promise<URL> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return new URL(`https://localhost:${port}`);
}

/** A proxy that answers every request the same. */
const startProxy = (answer: (res: ServerResponse) => void): Promise<URL> =>
  listen(
    createServer({ key, cert }, (_req, res) => {
      answer(res);
    }),
  );

test("each fault of a proxy that rewrites, drops and answers by itself is named", async () => {
  const url = await startProxy((res) => res.writeHead(200, { "Content-Type": "text/html" }).end("Welcome"));
  const facts = await examinePublic({ url, now, component, ca: cert });
  const textOf = (name: string) => facts.find((fact) => fact.name === name)?.text;
  expect(facts.filter(({ status }) => status === "fail").map(({ name }) => name)).toEqual([
    "public-service",
    "public-headers",
    "public-mcp",
    "public-well-known",
    "public-cors",
    "public-integrity",
  ]);
  expect(facts[0]).toMatchObject({ name: "public-tls", status: "warn" });
  expect(textOf("public-tls")).toMatch(/^TLSv1\.[23]; the certificate is valid for 6 days\.$/);
  expect(textOf("public-http2")).toBe("The proxy does not offer HTTP/2.");
  expect(textOf("public-cors")).toContain("200, not 204");
  expect(textOf("public-integrity")).toContain("altered in transit");
  expect(facts.every(({ status, fix }) => status === "ok" || fix !== undefined)).toBe(true);
});

test("headers that a proxy drops are named", async () => {
  const body = JSON.stringify({ error: { code: "auth_failed" } });
  const url = await startProxy((res) => res.writeHead(401, { "Cache-Control": "no-store" }).end(body));
  const facts = await examinePublic({ url, now, component, ca: cert });
  const textOf = (name: string) => facts.find((fact) => fact.name === name)?.text;
  expect(textOf("public-headers")).toBe("The proxy drops x-request-id, x-content-type-options, link from our answers.");
  expect(textOf("public-mcp")).toBe("The proxy drops Authorization on the way to /mcp.");
});

test("MCP that an operator switched off is not a fault of the proxy", async () => {
  const { status, headers, text } = errorAnswer(new AppError("mcp_disabled"), "req_1");
  const url = await startProxy((res) => res.writeHead(status, headers).end(text));
  const facts = await examinePublic({ url, now, component, ca: cert });
  for (const name of ["public-mcp", "public-well-known"])
    expect(facts.find((fact) => fact.name === name)?.status).toBe("ok");
});

test.each([
  [true, 4_096, "fail", /answered with 502: agents cannot buy/],
  [true, 16_384, "ok", /The headers of a purchase pass/],
  [false, 4_096, "ok", /Nothing is for sale/],
])(
  "with a product on sale: %s, a proxy that passes %d bytes of headers gets %s",
  async (available, bytes, status, text) => {
    const url = await listen(
      createServer({ key, cert }, ({ headers: { origin = "" } }, res) => {
        if (origin.length > bytes) res.writeHead(502).end();
        else res.writeHead(200, { "Access-Control-Allow-Origin": origin }).end(JSON.stringify({ available }));
      }),
    );
    const facts = await examinePublic({ url, now, component, ca: cert });
    const found = facts.find(({ name }) => name === "public-purchases");
    expect(found).toMatchObject({ status, text: expect.stringMatching(text) as string });
  },
);

test("an untrusted certificate, HTTP/2 and an unreachable address are distinguished", async () => {
  const untrusted = await startProxy((res) => res.end());
  const [tls] = await examinePublic({ url: untrusted, now, component });
  expect(tls).toMatchObject({ name: "public-tls", status: "fail" });
  expect(tls?.text).toContain("DEPTH_ZERO_SELF_SIGNED_CERT");
  const speaking = createSecureServer({ key, cert, allowHTTP1: true }, (_req, res) => {
    res.end();
  });
  const modern = await examinePublic({ url: await listen(speaking), now, component, ca: cert });
  expect(modern.find(({ name }) => name === "public-http2")?.status).toBe("ok");
  const nobody = await examinePublic({ url: new URL("https://localhost:1"), now, component });
  expect(nobody.every(({ status }) => status === "fail")).toBe(true);
  expect(nobody[0]?.text).toContain("ECONNREFUSED");
});

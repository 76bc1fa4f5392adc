import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test, vi } from "vitest";

import { guardedFetch } from "@/lib/platform/guarded-fetch";
import { directoryOf, readDirectory, refreshDirectory } from "./directory";
import { createAgent } from "@/test/agents";

const agent = createAgent("Example Agent");
const AGENT = "https://agent.example/anything";
const HOUR_MS = 3_600_000;

const answering = (body: string, status = 200) => vi.fn(() => Promise.resolve(new Response(body, { status })));

test("a directory's keys sign for its own origin, under the name of its host", async () => {
  const directory = directoryOf(AGENT);
  const fetchUrl = answering(
    JSON.stringify({ keys: [{ ...agent.jwk, kid: "a", use: "sig" }, { kty: "oct", k: "aa" }, 7] }),
  );
  await refreshDirectory(directory, { nowMs: 0, fetchUrl });
  expect(fetchUrl).toHaveBeenCalledWith(
    "https://agent.example/.well-known/http-message-signatures-directory",
    expect.objectContaining({ redirect: "error" }),
  );
  expect([...directory.byKeyId.values()]).toEqual([
    expect.objectContaining({ keyId: agent.keyId, name: "agent.example", signatureAgent: "https://agent.example" }),
  ]);
});

test("an invalid key (truncated or off its curve) does not prevent the use of a directory's other keys", () => {
  const broken = [
    { kty: "OKP", crv: "Ed25519", x: "AA" },
    { ...agent.jwk, x: `${String(agent.jwk["x"])}AA` },
    { kty: "EC", crv: "P-256", x: "AA", y: "AA" },
    { kty: "EC", crv: "P-256", x: "A".repeat(43), y: "A".repeat(43) },
  ];
  const keys = readDirectory(JSON.stringify({ keys: [...broken, agent.jwk, ...broken] }), directoryOf(AGENT));
  expect([...keys.keys()]).toEqual([agent.keyId]);
});

test("a directory is fetched hourly, once a minute for a missing key, and never concurrently", async () => {
  const directory = directoryOf(AGENT);
  const fetchUrl = answering('{"keys":[]}');
  const ask = (nowMs: number, isMissed = false) => refreshDirectory(directory, { nowMs, fetchUrl, isMissed });
  await Promise.all([ask(0), ask(0), ask(0)]);
  await ask(59_000, true);
  await ask(HOUR_MS - 1);
  expect(fetchUrl).toHaveBeenCalledTimes(1);
  await ask(HOUR_MS);
  expect(fetchUrl).toHaveBeenCalledTimes(2);
  await ask(HOUR_MS + 61_000, true);
  expect(fetchUrl).toHaveBeenCalledTimes(3);
});

test.each([
  ["does not answer", () => Promise.reject(new Error("fetch failed")), "fetch failed"],
  ["answers an error", answering("", 503), "it answered 503"],
  ["answers no directory", answering("<html>"), "JSON"],
  ["answers too much", answering(`{"keys":[${" ".repeat(70_000)}]}`), "longer than 65536 bytes"],
])("a directory that %s keeps its previous keys for a day, and says why", async (_name, fetchUrl, problem) => {
  const directory = directoryOf(AGENT);
  await refreshDirectory(directory, { nowMs: 0, fetchUrl: answering(JSON.stringify({ keys: [agent.jwk] })) });
  await refreshDirectory(directory, { nowMs: HOUR_MS, fetchUrl });
  expect(directory.problem).toContain(problem);
  expect(directory.byKeyId.size).toBe(1);
  await refreshDirectory(directory, { nowMs: 25 * HOUR_MS, fetchUrl });
  expect(directory.byKeyId.size).toBe(0);
});

test("no address of this machine is contacted, whatever its name", async () => {
  let requests = 0;
  const server = createServer((_req, res) => {
    requests += 1;
    res.end('{"keys":[]}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  try {
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
      await expect(guardedFetch(`http://${host}:${port}/`, { signal: AbortSignal.timeout(2_000) })).rejects.toThrow();
    expect(requests).toBe(1);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

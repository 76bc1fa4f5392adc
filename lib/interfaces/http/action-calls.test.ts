import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { sharedState } from "@/lib/platform/shared-state";
import { reportAsClientError, markActionStarted } from "./action-calls";

/** Answers 500, as Next does, before or after one of our actions has started. */
const server = createServer((req, res) => {
  const id = req.url ?? "";
  reportAsClientError(req, res, id);
  if (id.startsWith("/begun")) markActionStarted(id);
  res.statusCode = id === "/fine" ? 200 : 500;
  res.setHeader("X-Kept", "yes");
  res.end("x");
});
let base = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function call(path: string, headers: Record<string, string> = { "next-action": "x" }) {
  const { status, headers: sent } = await fetch(base + path, { method: "POST", headers, body: "[" });
  return [status, sent.get("x-kept")];
}

test("a call that fails before its action starts is a client error, a later failure is a server error", async () => {
  expect(await call("/unreadable")).toEqual([400, "yes"]);
  expect(await call("/begun")).toEqual([500, "yes"]);
  expect(await call("/fine")).toEqual([200, "yes"]);
});

test("no state is kept after a call ends, whether a script or a form made it", async () => {
  const { value: begun = [] } = sharedState<ReadonlySet<string>>("actionCalls");
  await call("/begun");
  expect(await call("/begun-by-form", {})).toEqual([500, "yes"]);
  await expect.poll(() => [...begun]).toEqual([]);
});

test("a request that calls no action keeps its status", async () => {
  expect(await call("/page", {})).toEqual([500, "yes"]);
});

import http from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test } from "vitest";

import { failureText, readJson } from "./live-client";

async function failureOf(status: number): Promise<string> {
  const server = http.createServer((_, response) => response.writeHead(status).end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo; // safe: it listens on a port
  try {
    await readJson(`http://localhost:${port}/`, new AbortController().signal);
    return "";
  } catch (error) {
    return error instanceof Error ? failureText(error) : "";
  } finally {
    server.close();
  }
}

test("a page that is watched by somebody whose session ended does not blame the service", async () => {
  expect(await failureOf(401)).toBe("you are signed out: reload the page");
  expect(await failureOf(503)).toBe("the service did not answer");
  expect(await failureOf(200)).toBe("");
});

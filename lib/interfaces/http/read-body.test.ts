import { gzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { readBody } from "./read-body";

const read = (body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}) =>
  readBody(new Request("http://localhost/", { method: "POST", body, headers }), 1_000);

test("a compressed body is refused with advice, a body that is not UTF-8 with a different message", async () => {
  const compressed = new Uint8Array(gzipSync("{}"));
  await expect(read(compressed, { "content-encoding": "gzip" })).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("without Content-Encoding") as string,
  });
  await expect(read(compressed)).rejects.toMatchObject({ message: "The request body is not UTF-8" });
  expect(await read("\ufeff{}")).toBe("{}");
});

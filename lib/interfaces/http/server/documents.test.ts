import { gunzipSync } from "node:zlib";

import { expect, test, vi } from "vitest";

import { openDocument } from "./documents";

test("a document is read at most once a second, shared by all requests, and rebuilt only when it has changed", async () => {
  let text = '{"a":1}';
  const read = vi.fn(() => Promise.resolve(text));
  const document = openDocument("application/json", read);
  const files = await Promise.all(Array.from({ length: 1_000 }, document));
  expect(read).toHaveBeenCalledTimes(1);
  expect(new Set(files).size).toBe(1);
  const [file] = files;
  expect(file?.plain.toString()).toBe(text);
  expect(gunzipSync(file?.encoded.gzip ?? "").toString()).toBe(text);
  text = '{"a":2}';
  await expect.poll(async () => (await document()).plain.toString(), { timeout: 5_000 }).toBe(text);
  const changed = await document();
  expect(changed.etag).not.toBe(file?.etag);
  await expect.poll(() => document().then(() => read.mock.calls.length), { timeout: 5_000 }).toBeGreaterThan(2);
  expect(await document()).toBe(changed);
});

test("a failed read fails the requests that wait for it, and the next request reads again", async () => {
  const read = vi.fn(() => Promise.resolve("{}")).mockRejectedValueOnce(new Error("away"));
  const document = openDocument("application/json", read);
  await expect(document()).rejects.toThrow("away");
  expect((await document()).plain.toString()).toBe("{}");
});

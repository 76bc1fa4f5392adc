import { gunzipSync } from "node:zlib";

import { expect, test, vi } from "vitest";

import { openDocument } from "./documents";

test("a document is read once for all who ask within a second, and made again only when it changed", async () => {
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

test("a document that could not be read fails for those who asked, and is read again for the next", async () => {
  const read = vi.fn(() => Promise.resolve("{}")).mockRejectedValueOnce(new Error("away"));
  const document = openDocument("application/json", read);
  await expect(document()).rejects.toThrow("away");
  expect((await document()).plain.toString()).toBe("{}");
});

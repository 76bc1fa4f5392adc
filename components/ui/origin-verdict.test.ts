import { expect, test } from "vitest";

import { isDevelopmentOrigin, splitOrigins } from "./origin-verdict";

test("a pasted list is split at lines, spaces, commas and semicolons, without duplicates", () => {
  expect(splitOrigins(" https://a.example,https://b.example;\n\thttps://a.example\nnull ")).toEqual([
    "https://a.example",
    "https://b.example",
    "null",
  ]);
  expect(splitOrigins("  \n ")).toEqual([]);
});

test("only loopback hosts are marked as development", () => {
  expect(isDevelopmentOrigin("http://localhost:3000")).toBe(true);
  expect(isDevelopmentOrigin("http://[::1]:8080")).toBe(true);
  expect(isDevelopmentOrigin("http://shop.localhost:3000")).toBe(true);
  expect(isDevelopmentOrigin("https://localhost.example")).toBe(false);
  expect(isDevelopmentOrigin("https://127.0.0.1.example")).toBe(false);
});

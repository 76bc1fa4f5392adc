import fc from "fast-check";
import { expect, test } from "vitest";

import { returnPath } from "./links";

const BASE = "http://localhost:3000";

test.each([
  [null, "/"],
  ["", "/"],
  ["/w/ws_1/keys?tab=1", "/w/ws_1/keys?tab=1"],
  ["/join?token=a%2Fb", "/join?token=a%2Fb"],
  ["http://localhost:3000/x", "/x"],
  ["https://evil.example/x", "/"],
  ["//evil.example/x", "/"],
  ["///evil.example/x", "/"],
  ["/\\evil.example", "/"],
  ["\\\\evil.example", "/"],
  ["\\x", "/x"],
  ["javascript:alert(1)", "/"],
  ["/.//evil.example", "/"],
  ["/a/..//evil.example", "/"],
  ["/%2e//evil.example", "/"],
  ["/./\\evil.example", "/"],
  ["/\t/evil.example", "/"],
  ["/.\n//evil.example", "/"],
  ["http://localhost:3000//evil.example", "/"],
  ["http://localhost:3000/.//evil.example", "/"],
  ["http:localhost:3000//evil.example", "/localhost:3000//evil.example"],
  ["http://localhost:3000@evil.example/", "/"],
  ["http://localhost:3001/", "/"],
  ["https://localhost:3000/", "/"],
  ["blob:http://localhost:3000/x", "/"],
  ["/x\u0000y", "/"],
  ["/x%00y", "/"],
  ["/x?y=\ud800", "/"],
  [{ toString: (): string => "/x" }, "/"],
  [["/x"], "/"],
])("the return path for %j is %s", (callbackUrl, path) => {
  expect(returnPath(BASE, callbackUrl)).toBe(path);
});

/** Fragments of URLs that confuse parsers. */
const part = fc.oneof(
  fc.constantFrom("/", "//", "\\", ".", "..", "/.", "/..", "%2e", "%2f", "%5c", "\t", "\n", "\r", " ", "\u0000", "@"),
  fc.constantFrom("http:", "https:", "javascript:", "evil.example", "localhost:3000", BASE, "?", "#", "a", "\u3002"),
  fc.string({ unit: "binary", maxLength: 4 }),
);

test("no callback URL leads to another host, neither as a path nor appended to the service's URL", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom(BASE, "https://imprint.example"), (parts, base) => {
      const path = returnPath(base, parts.join(""));
      for (const location of [path, base + path]) {
        const led = new URL(location, `${base}/sign-in?next=x`);
        expect([led.origin, led.pathname + led.search]).toEqual([base, path]);
      }
      expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
      expect(returnPath(base, path)).toBe(path);
    }),
    { numRuns: 2_000 },
  );
});

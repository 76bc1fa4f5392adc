import fc from "fast-check";
import { expect, test } from "vitest";

import { parseOrigin } from "./origin";

test.each([
  ["https://shop.example", "https://shop.example"],
  ["https://SHOP.Example", "https://shop.example"],
  ["HTTPS://shop.example", "https://shop.example"],
  ["https://shop.example:8443", "https://shop.example:8443"],
  ["http://localhost:3000", "http://localhost:3000"],
  ["http://shop.example:443", "http://shop.example:443"],
  ["https://shop.example:80", "https://shop.example:80"],
  ["https://shop.example:443", "https://shop.example"],
  ["HTTP://Shop.example:80", "http://shop.example"],
  ["https://[::1]:443", "https://[::1]"],
  ["https://bücher.example:443", "https://xn--bcher-kva.example"],
  ["https://127.0.0.1:8080", "https://127.0.0.1:8080"],
  ["http://[::1]:3000", "http://[::1]:3000"],
  ["https://bücher.example", "https://xn--bcher-kva.example"],
  ["https://xn--bcher-kva.example", "https://xn--bcher-kva.example"],
])("%s is accepted as %s", (text, origin) => {
  expect(parseOrigin(text)).toEqual({ ok: true, origin });
});

test.each([
  ["", "empty", undefined],
  ["   ", "whitespace", undefined],
  [" https://a.example", "whitespace", "https://a.example"],
  ["https://a.example\n", "whitespace", "https://a.example"],
  ["https://a .example", "whitespace", undefined],
  ["https://a\u200b.example", "whitespace", undefined],
  [`https://${"a".repeat(300)}.example`, "too_long", undefined],
  ["null", "null", undefined],
  ["*", "wildcard", undefined],
  ["*.a.example", "wildcard", undefined],
  ["https://*.a.example", "wildcard", undefined],
  ["https://a.example:*", "wildcard", undefined],
  ["a.example", "bare_domain", "https://a.example"],
  ["a.example:8443", "bare_domain", "https://a.example:8443"],
  ["localhost:3000", "bare_domain", "https://localhost:3000"],
  ["//a.example", "bare_domain", "https://a.example"],
  ["file:///home/index.html", "file", undefined],
  ["file://", "file", undefined],
  ["chrome-extension://abcdefghijklmnop", "extension", undefined],
  ["moz-extension://0b1c", "extension", undefined],
  ["safari-web-extension://0b1c", "extension", undefined],
  ["ftp://a.example", "scheme", undefined],
  ["ws://a.example", "scheme", undefined],
  ["javascript:alert(1)", "scheme", undefined],
  ["data:text/html,hi", "scheme", undefined],
  ["https://user:secret@a.example", "user_info", "https://a.example"],
  ["https://@a.example", "user_info", "https://a.example"],
  ["https://a.example/", "path", "https://a.example"],
  ["https://a.example/shop", "path", "https://a.example"],
  ["https://a.example\\shop", "path", "https://a.example"],
  ["https://a.example/shop?x#y", "path", "https://a.example"],
  ["https://a.example?x=1", "query", "https://a.example"],
  ["https://a.example?", "query", "https://a.example"],
  ["https://a.example#top", "fragment", "https://a.example"],
  ["https://a.example:0", "port", undefined],
  ["https://a.example:65536", "port", undefined],
  ["https://a.example:port", "port", undefined],
  ["https://a.example:", "port", undefined],
  ["https://a.example:08443", "port", undefined],
  ["https://a.example:443/", "path", "https://a.example"],
  ["https://user@a.example:443", "user_info", "https://a.example"],
  ["https://a.example:0443", "port", undefined],
  ["https://a.example.", "trailing_dot", "https://a.example"],
  ["https://a.example.:8443", "trailing_dot", "https://a.example:8443"],
  ["https://a.example.:443", "trailing_dot", "https://a.example"],
  ["https://", "host", undefined],
  ["https://:8443", "host", undefined],
  ["https://[::1", "host", undefined],
  ["https://a..example%", "host", undefined],
  ["https://300.1.1.1", "host", undefined],
  ["https://127.1", "not_canonical", "https://127.0.0.1"],
  ["https://127.1:443", "not_canonical", "https://127.0.0.1"],
  ["https://0x7f000001", "not_canonical", "https://127.0.0.1"],
  ["http://[0:0:0:0:0:0:0:1]", "not_canonical", "http://[::1]"],
  ["https://%61.example", "not_canonical", "https://a.example"],
])("%j is refused as %s with the suggestion %s", (text, kind, suggestion) => {
  const parsed = parseOrigin(text);
  expect(parsed).toMatchObject({ ok: false, kind });
  if (parsed.ok) return;
  expect(parsed.suggestion).toBe(suggestion);
  expect(parsed.explanation).toMatch(/\.$/);
});

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.webUrl({ validSchemes: ["http", "https", "ftp"], withFragments: true, withQueryParameters: true }),
  fc
    .tuple(
      fc.constantFrom("http://", "https://", "HTTPS://", ""),
      fc.string({ maxLength: 30 }),
      fc.constantFrom("", ":80", ":443", ":8080", ":", "/", ".", "?"),
    )
    .map((parts) => parts.join("")),
);

test("an accepted origin is exactly what a browser sends, and is accepted again", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const parsed = parseOrigin(text);
      if (!parsed.ok) return;
      expect(parsed.origin).toBe(new URL(parsed.origin).origin);
      expect(parsed.origin).toBe(new URL(text).origin);
      expect(parseOrigin(parsed.origin)).toEqual(parsed);
    }),
    { numRuns: 2_000 },
  );
});

test("every suggestion is accepted itself", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const parsed = parseOrigin(text);
      if (parsed.ok || parsed.suggestion === undefined) return;
      expect(parseOrigin(parsed.suggestion)).toEqual({ ok: true, origin: parsed.suggestion });
    }),
    { numRuns: 2_000 },
  );
});

test("the Origin that a browser sends for any http or https URL is accepted unchanged", () => {
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
    fc.constant("localhost"),
  );
  const port = fc.option(fc.integer({ min: 1, max: 65_535 }));
  fc.assert(
    fc.property(fc.constantFrom("http", "https"), host, port, (scheme, name, number) => {
      const url = new URL(`${scheme}://${name}${number === null ? "" : `:${number}`}/path?query`);
      expect(parseOrigin(url.origin)).toEqual({ ok: true, origin: url.origin });
    }),
    { numRuns: 2_000 },
  );
});

test.each(["https://\u{fe61}", "https://\u{ff0a}.shop.example"])("%s hides an asterisk and is refused", (text) => {
  expect(parseOrigin(text)).toMatchObject({ ok: false, kind: "host" });
});

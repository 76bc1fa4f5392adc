import fc from "fast-check";
import { expect, test } from "vitest";

import { namesPlaces, parseViewQuery } from "./view-query";

test("filters of the list are accepted unchanged", () => {
  expect(parseViewQuery("?span=90d&risk=DECEPTIVE")).toBe("span=90d&risk=DECEPTIVE");
  expect(parseViewQuery("address=203.0.113.0%2F24")).toBe("address=203.0.113.0%2F24");
});

test.each([
  ["nothing", ""],
  ["an unknown filter", "risk=PASS&before=x"],
  ["a filter said twice", "risk=PASS&risk=DECEPTIVE"],
  ["a filter without a value", "risk="],
  ["a value that is too long", `search=${"x".repeat(401)}`],
])("%s is not stored", (_name, text) => {
  expect(parseViewQuery(text)).toBeUndefined();
});

test("an accepted query is accepted again unchanged", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("search", "browser", "zone"), (value, name) => {
      const query = parseViewQuery(new URLSearchParams({ [name]: value }).toString());
      if (query !== undefined) expect(parseViewQuery(query)).toBe(query);
    }),
  );
});

test("filters by address, country and network are distinguished from other filters", () => {
  for (const query of ["address=203.0.113.7", "risk=PASS&country=NL", "asn=64508"])
    expect(namesPlaces(query)).toBe(true);
  expect(namesPlaces("search=country&risk=PASS")).toBe(false);
});

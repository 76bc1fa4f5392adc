import { expect, test } from "vitest";

import { isFromOwnPage } from "./own-page";

const BASE = "https://imprint.example";
const HOST = "imprint.example";

test.each([
  [BASE, HOST, "same-origin", true],
  [BASE, HOST, undefined, true],
  [BASE, "10.0.0.7:3000", "none", true],
  ["http://10.0.0.7:3000", "10.0.0.7:3000", "same-origin", true],
  [BASE, HOST, "cross-site", false],
  ["http://imprint.example", HOST, "same-site", false],
  ["https://evil.example", HOST, undefined, false],
  ["https://imprint.example.evil.example", HOST, undefined, false],
  ["https://evil.example", HOST, "same-origin", false],
  ["null", HOST, "same-origin", false],
  ["", HOST, undefined, false],
  ["\\x", HOST, undefined, false],
  [null, HOST, "same-origin", false],
  [undefined, HOST, undefined, false],
])("origin %j on host %s with Sec-Fetch-Site %s counts as our own page: %s", (origin, host, fetchSite, isOwn) => {
  expect(isFromOwnPage({ origin, host, fetchSite }, BASE)).toBe(isOwn);
});

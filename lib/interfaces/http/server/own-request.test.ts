import type { IncomingHttpHeaders } from "node:http";

import { expect, test } from "vitest";

import { stripForwardingHeaders } from "@/lib/platform/addresses";
import { publishSecrets } from "@/lib/platform/secrets";
import { TEST_SECRETS } from "@/test/secrets";
import { isOwnRequest, markOwnRequest } from "./own-request";

test("a request that reuses the headers given to the pages is recognised as internal, and cannot be forged", () => {
  publishSecrets(TEST_SECRETS);
  const given: IncomingHttpHeaders = { "x-forwarded-host": "imprint.example" };
  expect(isOwnRequest(given)).toBe(false);
  markOwnRequest(given);
  expect(isOwnRequest(given)).toBe(true);
  for (const forged of ["", "forged", "00", "0".repeat(64), ["a", "b"]])
    expect(isOwnRequest({ ...given, "x-imprint-own-request": forged })).toBe(false);
  // The header has no other effect, and like every internal header it is stripped from outside requests.
  expect(stripForwardingHeaders(given, { peerTrusted: false })).toEqual({});
});

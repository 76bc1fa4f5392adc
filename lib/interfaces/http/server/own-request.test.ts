import type { IncomingHttpHeaders } from "node:http";

import { expect, test } from "vitest";

import { stripForwardingHeaders } from "@/lib/platform/addresses";
import { publishSecrets } from "@/lib/platform/secrets";
import { TEST_SECRETS } from "@/test/secrets";
import { isOwnRequest, markOwnRequest } from "./own-request";

test("what the pages ask with the headers they were given is known as the service's own, and nobody else can say so", () => {
  publishSecrets(TEST_SECRETS);
  const given: IncomingHttpHeaders = { "x-forwarded-host": "imprint.example" };
  expect(isOwnRequest(given)).toBe(false);
  markOwnRequest(given);
  expect(isOwnRequest(given)).toBe(true);
  for (const forged of ["", "forged", "00", "0".repeat(64), ["a", "b"]])
    expect(isOwnRequest({ ...given, "x-imprint-own-request": forged })).toBe(false);
  // It steers nothing but that note: like every internal header it never gets further from outside.
  expect(stripForwardingHeaders(given, { peerTrusted: false })).toEqual({});
});

import { expect, test } from "vitest";

import { CAPTURED, findingOf, withUserAgent, withValues } from "../../testing";
import type { RequestFacts } from "../visit";
import { identityRequestName } from "./identity-request-name";

const sent = (request: Partial<RequestFacts>) => withValues(CAPTURED.chromium, {}, request);

test.each([
  ["without a name", sent({ userAgent: undefined })],
  ["with an empty name", sent({ userAgent: "" })],
  ["under a name that says nothing", sent({ userAgent: "Mozilla/5.0" })],
  ["under an app's name", sent({ userAgent: "Something/1.0" })],
])("a request %s from a page that names Chromium is SUSPICIOUS", (_name, visit) => {
  expect(findingOf(identityRequestName, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["a browser", CAPTURED.chromium],
  ["a content network that fetches under its own name", sent({ userAgent: "Amazon CloudFront" })],
  [
    "a content network that leaves the name out",
    sent({ userAgent: undefined, headerNames: ["host", "via", "x-amz-cf-id"] }),
  ],
  ["a request of which nothing is known", sent({ userAgent: undefined, headerNames: undefined })],
  ["a program's name, which is another finding", sent({ userAgent: "curl/8.5.0" })],
  ["a page that names no browser either", withUserAgent(CAPTURED.chromium, "Mozilla/5.0")],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(identityRequestName, visit)).toBeUndefined();
});

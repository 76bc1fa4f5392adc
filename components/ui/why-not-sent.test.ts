import { afterEach, expect, test, vi } from "vitest";

import { whyNotSent } from "./why-not-sent";

afterEach(() => {
  vi.unstubAllGlobals();
});

const answering = (status: number) =>
  vi.fn(() => Promise.resolve(new Response(null, { status, headers: { "X-Request-Id": "req_1" } })));

test("a file that the service would send is asked for without being read", async () => {
  const fetching = answering(200);
  vi.stubGlobal("fetch", fetching);
  expect(await whyNotSent("/w/ws_1/reports/export?format=csv")).toBeUndefined();
  expect(fetching.mock.calls).toEqual([["/w/ws_1/reports/export?format=csv", { method: "HEAD" }]]);
});

test.each([
  [400, "invalid_request", /incomplete/],
  [401, "auth_failed", /signed out/],
  [403, "forbidden", /role/],
  [404, "not_found", /no longer/],
  [500, "service_unavailable", /shortly/],
  [429, "service_unavailable", /shortly/],
])("a file that is refused with %i says why, and which request it was", async (status, code, message) => {
  vi.stubGlobal("fetch", answering(status));
  expect(await whyNotSent("/file")).toEqual({
    ok: false,
    code,
    message: expect.stringMatching(message) as string,
    requestId: "req_1",
  });
});

test("without a connection a file says so", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await whyNotSent("/file")).toMatchObject({
    code: "service_unavailable",
    message: expect.stringContaining("could not be reached") as string,
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";

import { isImprintError } from "./error";
import { readAnswer } from "./transport";

const answer = (text: string, init: ResponseInit) => () => readAnswer(new Response(null, init), text);

test("a success with a JSON object is that object", () => {
  expect(answer('{"imprint":"x"}', { status: 201 })()).toEqual({ imprint: "x" });
});

test("the code decides, not the status: one status, two errors", () => {
  const body = (code: string) => JSON.stringify({ error: { code, message: "m" } });

  expect(answer(body("origin_not_allowed"), { status: 403 })).toThrow(
    expect.objectContaining({ code: "origin_not_allowed" }) as Error,
  );
  expect(answer(body("environment_disabled"), { status: 403 })).toThrow(
    expect.objectContaining({ code: "environment_disabled" }) as Error,
  );
});

test("the request id travels with the error", () => {
  const headers = { "X-Request-Id": "req_1" };

  expect(answer("<html>", { status: 503, headers })).toThrow(
    expect.objectContaining({ code: "bad_response", requestId: "req_1", retryable: true }) as Error,
  );
});

test("no answer, however odd, throws anything but an ImprintError", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), fc.integer({ min: 400, max: 599 }), (text, status) => {
      try {
        answer(text, { status })();
        expect.unreachable();
      } catch (error) {
        expect(isImprintError(error)).toBe(true);
      }
    }),
  );
});

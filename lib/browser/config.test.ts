import fc from "fast-check";
import { expect, test } from "vitest";

import { checkSurface, parseOptions } from "./config";
import { isImprintError } from "./error";
import { SAMPLE_ENVIRONMENT_ID } from "./testing";

const fails = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (isImprintError(error)) return error;
  }
  throw new Error("No ImprintError was thrown.");
};

const parse = (environmentId: string, rest: object = {}) =>
  parseOptions({ environmentId, endpoint: "https://i.example", ...rest });

test("an environment id is env_ and 32 lowercase hex digits, nothing else", () => {
  expect(parse(SAMPLE_ENVIRONMENT_ID).environmentId).toBe(SAMPLE_ENVIRONMENT_ID);
  fc.assert(
    fc.property(fc.string(), (id) => {
      fc.pre(!/^env_[0-9a-f]{32}$/.test(id));
      expect(fails(() => parse(id)).code).toBe("invalid_config");
    }),
  );
  for (const id of [
    SAMPLE_ENVIRONMENT_ID.toUpperCase(),
    `${SAMPLE_ENVIRONMENT_ID}0`,
    ` ${SAMPLE_ENVIRONMENT_ID}`,
    `${SAMPLE_ENVIRONMENT_ID}\n`,
  ])
    expect(fails(() => parse(id)).retryable).toBe(false);
});

test("an API key in browser code is named as public and to be rolled, and is not repeated in the message", () => {
  const { message } = fails(() => parse("svc_live_secretsecretsecret"));

  expect(message).toMatch(/API key.*public.*roll it/);
  expect(message).not.toContain("secret");
});

test("a Workspace id gets a message of its own", () => {
  expect(fails(() => parse(`ws_${"0".repeat(32)}`)).message).toMatch(/Workspace id/);
});

test.each([
  ["https://i.example", "https://i.example"],
  ["https://i.example/", "https://i.example"],
  ["https://i.example/a/b//", "https://i.example/a/b"],
  ["/metrics", "https://shop.example/metrics"],
  ["http://localhost:3000", "http://localhost:3000"],
])("endpoint %s is read as %s", (endpoint, expected) => {
  expect(
    parseOptions({ environmentId: SAMPLE_ENVIRONMENT_ID, endpoint }, undefined, "https://shop.example/cart?x#y")
      .endpoint,
  ).toBe(expected);
});

test.each([
  "",
  "file:///x",
  "javascript:alert(1)",
  "https://i.example?x=1",
  "https://i.example#x",
  "https://u:p@i.example",
  "http://",
  "nowhere",
])("endpoint %j is refused", (endpoint) => {
  expect(fails(() => parse(SAMPLE_ENVIRONMENT_ID, { endpoint })).code).toBe("invalid_config");
});

test.each([0, -1, NaN, Infinity, 2 ** 31])("timeoutMs %d is refused", (timeoutMs) => {
  expect(fails(() => parse(SAMPLE_ENVIRONMENT_ID, { timeoutMs })).message).toContain("timeoutMs");
});

test("storage is all or none", () => {
  expect(fails(() => parse(SAMPLE_ENVIRONMENT_ID, { storage: "some" })).message).toContain("storage");
  expect(parse(SAMPLE_ENVIRONMENT_ID)).toMatchObject({ storage: "all", timeoutMs: 8000 });
});

test("a surface is 1 to 64 of the documented characters", () => {
  for (const surface of ["a", "sign-in:v2.x_Y", "x".repeat(64)])
    expect(() => {
      checkSurface(surface);
    }).not.toThrow();
  for (const surface of ["", "x".repeat(65), "sign in", "é", "a\n"])
    expect(
      fails(() => {
        checkSurface(surface);
      }).code,
    ).toBe("invalid_config");
});

import fc from "fast-check";
import { afterAll, beforeEach, expect, test, vi } from "vitest";

import { checkOptions, checkSurface, parseOptions } from "./config";
import { isImprintError } from "./error";
import { SAMPLE_ENVIRONMENT_ID } from "@/test/browser";

// Unknown options are warned of; those tests look at it.
const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
beforeEach(() => {
  warn.mockClear();
});
afterAll(() => {
  warn.mockRestore();
});

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

test("a Workspace id is named as what it is not", () => {
  expect(fails(() => parse(`ws_${"0".repeat(32)}`)).message).toMatch(/not a Workspace id/);
});

const KEYS = ["live", "trial", "manage"].map((kind) => `svc_${kind}_4f8Zq0secret`);

const getter = (value: string) => Object.defineProperty({}, "hidden", { get: () => value });
const cyclic = (value: string) => {
  const one: Record<string, unknown> = {};
  one["self"] = one;
  one["list"] = [one, { value }];
  return one;
};
const nestedIn = (value: string, depth: number): unknown =>
  depth === 0 ? value : { deeper: nestedIn(value, depth - 1) };

const PLACES: [string, (secret: string) => object][] = [
  ["as the environment id", (secret) => ({ environmentId: secret })],
  ["as an option that does not exist", (secret) => ({ apiKey: secret })],
  ["under a name that says nothing", (secret) => ({ x: secret })],
  ["inside a longer text", (secret) => ({ note: `Bearer ${secret}, our key` })],
  ["in the endpoint", (secret) => ({ endpoint: `https://i.example/${secret}` })],
  ["in an address", (secret) => ({ endpoint: new URL(`https://i.example/${secret}`) })],
  ["as the name of an option", (secret) => ({ [secret]: true })],
  ["nested", (secret) => ({ headers: { auth: [{ "X-API-Key": secret }] } })],
  ["200 levels deep", (secret) => ({ a: nestedIn(secret, 200) })],
  ["behind a cycle", (secret) => cyclic(secret)],
  ["in headers", (secret) => ({ headers: new Headers({ "x-api-key": secret }) })],
  ["in a map or a set", (secret) => ({ map: new Map([["key", new Set([secret])]]) })],
  ["behind a getter that nobody lists", (secret) => ({ config: getter(secret) })],
  ["under a symbol", (secret) => ({ [Symbol("key")]: secret })],
  [
    "beside a getter that throws",
    (secret) => ({
      nested: {
        get broken() {
          throw new Error("no");
        },
        key: secret,
      },
    }),
  ],
  [
    "in an object that nobody can print",
    (secret) => ({ bare: Object.assign(Object.create(null) as object, { key: secret }) }),
  ],
  [
    "in the source of a function",
    (secret) => ({ onError: Object.assign(() => undefined, { toString: () => `() => "${secret}"` }) }),
  ],
];

test.each(PLACES)("a secret %s is refused, to be revoked, and never repeated", (_place, options) => {
  for (const key of KEYS) {
    const { code, message, stack } = fails(() =>
      parseOptions({ environmentId: SAMPLE_ENVIRONMENT_ID, endpoint: "https://i.example", ...options(key) }),
    );
    expect(code).toBe("invalid_config");
    expect(message).toMatch(/API key.*public.*revoke it/);
    expect(`${message} ${stack}`).not.toContain("4f8Zq0secret");
  }
  expect(warn).not.toHaveBeenCalled();
});

test("a secret in place of the options themselves, or in those of a run, is refused", () => {
  for (const key of KEYS) {
    expect(fails(() => parseOptions(key as never)).message).toContain("revoke it");
    expect(fails(() => checkOptions({ surface: key }, ["surface", "signal"])).message).toContain("revoke it");
  }
});

test("options as large as a page's own objects cost no noticeable time", () => {
  const page = { element: { children: Array.from({ length: 200_000 }, (_, at) => ({ at })) } };
  const startedMs = performance.now();
  expect(parse(SAMPLE_ENVIRONMENT_ID, page).environmentId).toBe(SAMPLE_ENVIRONMENT_ID);
  expect(performance.now() - startedMs).toBeLessThan(2000);
});

test.each([
  null,
  undefined,
  "env_",
  SAMPLE_ENVIRONMENT_ID,
  7,
  true,
  10n,
  Symbol("x"),
  [],
  () => undefined,
  Object.create(null),
])("createImprint(%s) gives the typed error", (options: unknown) => {
  expect(fails(() => parseOptions(options as never)).code).toBe("invalid_config");
});

test("whatever the options are, wrong ones give the typed error", () => {
  const anything = fc.oneof(fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true, withSet: true }));
  const options = fc.record(
    { environmentId: anything, endpoint: anything, storage: anything, timeoutMs: anything, consent: anything },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(anything, options), (given) => {
      expect(fails(() => parseOptions(given as never)).code).toBe("invalid_config");
    }),
  );
});

test.each([
  ["enviromentId", "environmentId"],
  ["environment_id", "environmentId"],
  ["environmentID", "environmentId"],
  ["endPoint", "endpoint"],
  ["apiEndpoint", "endpoint"],
  ["timeout", "timeoutMs"],
  ["timeOutMS", "timeoutMs"],
  ["store", "storage"],
  ["storageMode", "storage"],
])("the unknown option %s is warned of once, with %s as the nearest", (name, nearest) => {
  parse(SAMPLE_ENVIRONMENT_ID, { [name]: "x" });
  parse(SAMPLE_ENVIRONMENT_ID, { [name]: "y" });
  expect(warn.mock.calls).toEqual([[`Imprint: unknown option ${name}. Did you mean ${nearest}?`]]);
});

test("the options that exist are not warned of", () => {
  parse(SAMPLE_ENVIRONMENT_ID, { storage: "none", timeoutMs: 1000 });
  checkOptions({ surface: "x", signal: undefined }, ["surface", "signal"]);
  expect(warn).not.toHaveBeenCalled();
});

const urlsOf = (endpoint: string | undefined, ownAddress?: string) => {
  const { urls, isProxied } = parseOptions(
    { environmentId: SAMPLE_ENVIRONMENT_ID, endpoint },
    ownAddress,
    "https://shop.example/cart?x#y",
  );
  return { urls, isProxied };
};

const ofService = (base: string) => ({
  urls: [`${base}/api/v1/imprints/challenge`, `${base}/api/v1/imprints`, `${base}/v1/probe.mjs`],
  isProxied: false,
});
const ofProxy = (base: string) => ({ urls: [`${base}/a`, `${base}/b`, `${base}/p`], isProxied: true });

test.each([
  ["https://i.example", ofService("https://i.example")],
  ["https://i.example/", ofService("https://i.example")],
  ["https://i.example/a/b//", ofService("https://i.example/a/b")],
  ["/metrics", ofService("https://shop.example/metrics")],
  ["http://localhost:3000", ofService("http://localhost:3000")],
  ["https://i.example/v1/imprint-0.4.0.mjs", ofService("https://i.example")],
  ["/_i/c.js", ofProxy("https://shop.example/_i")],
  ["c.js", ofProxy("https://shop.example")],
])("endpoint %s leads to the names of the service, or of a proxy's file", (endpoint, expected) => {
  expect(urlsOf(endpoint)).toEqual(expected);
});

test.each([
  ["https://i.example/v1/imprint.js", ofService("https://i.example")],
  ["https://i.example/v1/imprint.mjs", ofService("https://i.example")],
  ["https://i.example/v1/imprint-0.4.0.js", ofService("https://i.example")],
  ["https://shop.example/sub/v1/imprint.js", ofService("https://shop.example/sub")],
  ["https://shop.example/_i/c.js", ofProxy("https://shop.example/_i")],
  ["https://shop.example/deep/er/any-name.1.mjs", ofProxy("https://shop.example/deep/er")],
  ["http://localhost:8080/_i/imprint.js", ofProxy("http://localhost:8080/_i")],
])("the component that came from %s finds its service by itself", (ownAddress, expected) => {
  expect(urlsOf(undefined, ownAddress)).toEqual(expected);
});

test("consent is what was given as such: true, alone, promised or when asked, and nothing else", async () => {
  const given = async (options: object) =>
    parse(SAMPLE_ENVIRONMENT_ID, options)
      .consent()
      .catch(() => "broken");
  expect(await given({})).toBe(true);
  for (const consent of [true, Promise.resolve(true), () => true, async () => Promise.resolve(true)])
    expect(await given({ consent })).toBe(true);
  const throws = () => {
    throw new Error("no");
  };
  for (const consent of [
    undefined,
    null,
    false,
    "yes",
    1,
    {},
    () => undefined,
    () => 1,
    Promise.reject(new Error("no")),
    throws,
  ])
    expect(await given({ consent })).not.toBe(true);
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

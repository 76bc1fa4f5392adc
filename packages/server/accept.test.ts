import { readFile } from "node:fs/promises";
import { join } from "node:path";

import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import type { AcceptOptions } from "./accept";
import { REFUSALS } from "./refusal";
import {
  clientOf,
  type FakeService,
  type Handler,
  IMPRINT,
  ORIGIN,
  replyError,
  replyReport,
  SAMPLE_REPORT,
  startFakeService,
} from "./testing";

let handler: Handler;
let service: FakeService;
beforeAll(async () => {
  service = await startFakeService((request, response) => handler(request, response));
});
beforeEach(() => {
  handler = () => replyReport();
  service.requests.length = 0;
});
afterAll(() => service.close());

const EXPECTED: AcceptOptions = { surface: "sign-in", origin: ORIGIN };
const accept = (imprint: unknown, options: Partial<AcceptOptions> = {}) =>
  clientOf(service.url).acceptImprint(imprint, { ...EXPECTED, ...options });
const acceptances = () => service.requests.map(({ headers }) => headers["imprint-acceptance"]);

test("a fresh imprint of this page and action is accepted with its Report", async () => {
  expect(await accept(IMPRINT)).toEqual({
    accepted: true,
    report: SAMPLE_REPORT,
    delivery: "first",
    surface: "sign-in",
    origin: ORIGIN,
    ageSeconds: 12,
    recognition: undefined,
    confidence: undefined,
    agent: undefined,
  });
});

test("risk is no reason: what a status means is the site's to decide", async () => {
  const risk = { status: "DECEPTIVE", reasons: ["AUTOMATION_DETECTED"], findings: [] };
  handler = () => replyReport({}, { ...SAMPLE_REPORT, risk });
  expect(await accept(IMPRINT)).toMatchObject({ accepted: true, report: { risk } });
});

test("each call has an acceptance id of its own, which its retries share; the caller's own goes as it is", async () => {
  let calls = 0;
  handler = () => (calls++ === 0 ? { status: 503 } : replyReport());
  await accept(IMPRINT);
  await accept(IMPRINT);
  await accept(IMPRINT, { acceptance: "attempt-7" });
  await accept(IMPRINT, { once: false });
  const [first, again, second, own, none] = acceptances();
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(again).toBe(first);
  expect(second).toMatch(/^[0-9a-f]{32}$/);
  expect(second).not.toBe(first);
  expect([own, none]).toEqual(["attempt-7", undefined]);
});

test.each<[string, Partial<AcceptOptions>, Record<string, string>]>([
  ["wrong_surface", { surface: "payment" }, {}],
  ["wrong_surface", { surface: ["payment", "sign-up"] }, {}],
  ["wrong_surface", { surface: "sign-I" }, {}],
  ["wrong_origin", { origin: "https://other.example" }, {}],
  ["wrong_origin", { origin: "http://shop.example" }, {}],
  ["wrong_origin", { origin: "https://shop.example:8443" }, {}],
  ["wrong_origin", { origin: ["https://other.example", "https://www.shop.example"] }, {}],
  ["too_old", {}, { "Imprint-Age": "301" }],
  ["too_old", { maxAgeSeconds: 11 }, {}],
  ["already_used", {}, { "Imprint-Delivery": "repeat" }],
  ["already_used", { acceptance: "attempt-8" }, { "Imprint-Delivery": "repeat" }],
  ["wrong_address", { address: "203.0.113.8" }, {}],
  ["wrong_address", { address: "2001:db8::1" }, {}],
  ["wrong_address", { address: "not an address" }, {}],
])("%s is said for %j of an imprint with %j, and the Report with it", async (reason, options, headers) => {
  handler = () => replyReport(headers);
  expect(await accept(IMPRINT, options)).toMatchObject({ accepted: false, reason, report: SAMPLE_REPORT });
});

test.each<[Partial<AcceptOptions>, Record<string, string>]>([
  [
    { surface: ["payment", "sign-in"], origin: ["https://other.example", `${ORIGIN}/`, "HTTPS://SHOP.EXAMPLE:443"] },
    {},
  ],
  [{}, { "Imprint-Age": "300" }],
  [{ maxAgeSeconds: Infinity }, { "Imprint-Age": "99999" }],
  [{ once: false }, { "Imprint-Delivery": "repeat" }],
  [{ address: "203.0.113.7" }, {}],
  [{ address: "::ffff:203.0.113.7" }, {}],
  [{ address: "203.0.113.7:51234" }, {}],
])("%j accepts an imprint with %j", async (options, headers) => {
  handler = () => replyReport(headers);
  expect(await accept(IMPRINT, options)).toMatchObject({ accepted: true });
});

test("a request without an address is not one from the right address, and a comparison that was left out is none", async () => {
  expect(await accept(IMPRINT, { address: undefined })).toMatchObject({ reason: "wrong_address" });
  expect(await accept(IMPRINT)).toMatchObject({ accepted: true });
});

test("an address can be compared only with a Report that names one", async () => {
  const network = { status: "PASS", ip_consistency: "UNKNOWN" };
  handler = () => replyReport({}, { ...SAMPLE_REPORT, network });
  expect(await accept(IMPRINT, { address: "127.0.0.1" })).toMatchObject({ reason: "wrong_address" });
  expect(await accept(IMPRINT)).toMatchObject({ accepted: true });
});

test.each([undefined, null, ""])("%j is missing, which is told apart from what somebody made up", async (imprint) => {
  expect(await accept(imprint)).toEqual({ accepted: false, reason: "missing", message: REFUSALS.missing });
});

const hostile = {
  get length(): number {
    throw new Error("length");
  },
  toString(): string {
    throw new Error("toString");
  },
  toJSON(): string {
    throw new Error("toJSON");
  },
};

test.each<[string, unknown]>([
  ["a list of two", [IMPRINT, IMPRINT]],
  ["an object that turns into one", { toString: () => IMPRINT }],
  ["an object whose every access throws", hostile],
  [
    "a proxy that throws",
    new Proxy(
      {},
      {
        get: () => {
          throw new Error("get");
        },
      },
    ),
  ],
  ["a String object", new String(IMPRINT)],
  ["a symbol", Symbol(IMPRINT)],
  ["a file", new File([IMPRINT], "imprint")],
  ["10 MB", IMPRINT.repeat(280_000)],
  ["a path", `${IMPRINT}/../../../healthz`],
  ["a line more", `${IMPRINT}\n`],
  ["upper case", IMPRINT.toUpperCase()],
  ["another digit set", IMPRINT.replace("0", "０")],
])("%s is malformed, and nothing is asked", async (_, imprint) => {
  expect(await accept(imprint)).toEqual({ accepted: false, reason: "malformed", message: REFUSALS.malformed });
  expect(service.requests).toHaveLength(0);
});

test("whatever comes as an imprint or as options, the answer is a typed one", async () => {
  const client = clientOf("http://service.example", { retries: 0, fetch: () => Promise.reject(new Error("away")) });
  const options = fc.anything({ withNullPrototype: true, withObjectString: true }) as fc.Arbitrary<AcceptOptions>;
  const anything = fc.anything({ withBigInt: true, withSparseArray: true, withNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(fc.oneof(anything, fc.constant(IMPRINT)), options, async (imprint, given) => {
      const answer = await client.acceptImprint(imprint, given);
      expect(answer.accepted).toBe(false);
      expect(Object.keys(REFUSALS)).toContain(answer.accepted ? undefined : answer.reason);
    }),
    { numRuns: 500 },
  );
});

const silent: Handler = () => undefined;

test.each<[string, Handler]>([
  ["not_found", () => replyError(404, "report_not_found")],
  ["account_conflict", () => replyError(409, "account_ref_conflict")],
  ["quota_exhausted", () => replyError(429, "quota_exhausted")],
  ["quota_exhausted", () => replyError(429, "request_limit_reached")],
  ["rate_limited", () => replyError(429, "rate_limited")],
  ["misconfigured", () => replyError(401, "auth_failed")],
  ["misconfigured", () => replyError(403, "account_map_not_allowed")],
  ["misconfigured", () => replyError(403, "grant_expired")],
  ["misconfigured", () => replyError(404, "not_found")],
  ["misconfigured", () => ({ status: 404, body: "<h1>Not Found</h1>" })],
  ["misconfigured", () => ({ status: 308, headers: { Location: "/elsewhere" } })],
  ["unavailable", () => replyError(500, "internal_error")],
  ["unavailable", () => replyError(503, "service_unavailable")],
  ["unavailable", () => ({ status: 502, body: "<h1>Bad Gateway</h1>" })],
  ["unavailable", () => ({ body: "<h1>Back soon</h1>" })],
  ["unavailable", () => ({ status: 520, body: "<h1>Unknown</h1>" })],
  ["unavailable", silent],
])("%s is said when the service answers like that", async (reason, given) => {
  handler = given;
  const timeoutMs = given === silent ? 250 : 20_000;
  const answer = await clientOf(service.url, { timeoutMs, retries: 0 }).acceptImprint(IMPRINT, EXPECTED);
  expect(answer).toMatchObject({ accepted: false, reason });
  expect(answer.accepted ? "" : answer.message).toContain(REFUSALS[reason as keyof typeof REFUSALS]);
});

test.each<[string, object | null | undefined]>([
  ["surface", undefined],
  ["surface", null],
  ["surface", { origin: ORIGIN }],
  ["surface", { surface: [], origin: ORIGIN }],
  ["origin", { surface: "sign-in" }],
  ["origin", { surface: "sign-in", origin: "shop.example" }],
  ["origin", { surface: "sign-in", origin: `${ORIGIN}/login` }],
  ["origin", { surface: "sign-in", origin: "null" }],
  ["maxAgeSeconds", { ...EXPECTED, maxAgeSeconds: "300" }],
  ["maxAgeSeconds", { ...EXPECTED, maxAgeSeconds: NaN }],
  ["once", { ...EXPECTED, once: "no" }],
  ["acceptance", { ...EXPECTED, acceptance: "two words" }],
  ["acceptance", { ...EXPECTED, acceptance: "" }],
  ["address", { ...EXPECTED, address: 4 }],
  ["accountRef", { ...EXPECTED, accountRef: "ü" }],
  ["signal", { ...EXPECTED, signal: new AbortController() }],
  ["options", {}],
])("a wrong %s accepts nothing, asks nothing and says which option it is", async (name, options) => {
  const answer = await clientOf(service.url).acceptImprint(IMPRINT, options as AcceptOptions);
  expect(answer).toMatchObject({ accepted: false, reason: "misconfigured" });
  if (name !== "options") expect(answer.accepted ? "" : answer.message).toContain(name);
  expect(service.requests).toHaveLength(0);
});

test("a redirect that the runtime hides is one, too", async () => {
  const hidden = Object.defineProperties(Response.json(null), {
    type: { value: "opaqueredirect" },
    status: { value: 0 },
  });
  const client = clientOf("http://service.example", { fetch: () => Promise.resolve(hidden) });
  expect(await client.acceptImprint(IMPRINT, EXPECTED)).toMatchObject({
    reason: "misconfigured",
    code: "bad_response",
  });
});

test("the documentation lists every reason", async () => {
  const page = await readFile(join(import.meta.dirname, "../../docs/accepting.md"), "utf8");
  const [, table = ""] = /\| `reason` \|[^\n]*\n\|[-|]+\n((?:\|.*\n)+)/.exec(page) ?? [];
  const named = table.split("\n").flatMap((row) => row.split("|")[1]?.match(/(?<=`)\w+(?=`)/g) ?? []);
  expect(named.sort()).toEqual(Object.keys(REFUSALS).sort());
});

test("an answer whose headers got lost on the way accepts nothing", async () => {
  for (const name of ["Imprint-Delivery", "Imprint-Age"]) {
    handler = () => replyReport({ [name]: "" });
    expect(await accept(IMPRINT)).toMatchObject({ accepted: false, reason: "misconfigured" });
  }
  handler = () => replyReport({ "Imprint-Surface": "", "Imprint-Origin": "" });
  expect(await accept(IMPRINT)).toMatchObject({ accepted: false, reason: "wrong_origin" });
});

import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { type OpenApiDocument, readPublished } from "@/test/published-api";

import { drawOf, hostileText, misspell, mutate, SCRIPT_MARK } from "./draw";
import { arbitraryOf, type Schema } from "./from-schema";
import { validateAnswer, type Known } from "./validate-answer";
import type { FuzzRequest } from "./request";
import { asCurl, type WireAnswer } from "./wire";

const BASE = "http://localhost:3000";
type Published = OpenApiDocument & { components: { schemas: Record<string, Schema> } };
const document = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as Published;
const known: Known = {
  base: BASE,
  published: readPublished(document),
  oauth: { redirectUri: "http://127.0.0.1:9/callback" },
  secrets: { "server key": "svc_live_secret" },
  trial: undefined,
  tools: [],
};

const page: FuzzRequest = { operation: "/", kind: "page", method: "GET", path: "/sign-in", headers: [] };
const catalog: FuzzRequest = { ...page, operation: "listProducts", kind: "api", path: "/api/v1/agent/products" };
const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-request-id": "req_1",
};
const ENVELOPE_HEADERS = {
  "content-type": "application/json",
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
  "x-request-id": "req_1",
  link: '</docs/errors/rate_limited>; rel="help"',
};

type Given = { status?: number; headers?: Record<string, string>; text?: string };
const answer = (headers: Record<string, string>, given: Given): WireAnswer => ({
  status: given.status ?? 200,
  headers: new Headers({ ...headers, ...given.headers }),
  text: given.text ?? "",
  milliseconds: 1,
});
const limited = JSON.stringify({ error: { code: "rate_limited", message: "Too many requests; wait and try again" } });

test("the same seed and number give the same request, and others give different ones", () => {
  const drawn = (seed: number, index: number) => {
    const draw = drawOf(seed, index);
    const body = mutate(draw, { a: [1, { b: "c" }] });
    return JSON.stringify([hostileText(draw), body, misspell(draw, '{"a":1}'), draw.below(1_000_000)]);
  };
  expect(drawn(1, 7)).toBe(drawn(1, 7));
  expect(new Set([drawn(1, 7), drawn(1, 8), drawn(2, 7), drawn(3, 7)]).size).toBe(4);
});

test("values generated from a published schema are valid", () => {
  const schema = known.published.requestSchema("issueChallenge") as Schema;
  const resolve = (name: string) => document.components.schemas[name.split("/").at(-1) ?? ""] ?? {};
  for (let index = 0; index < 50; index += 1) {
    const body = JSON.stringify(drawOf(1, index).from(arbitraryOf(schema, resolve)));
    const request = { method: "POST", path: "/api/v1/imprints/challenge", headers: {}, body };
    expect(known.published.requestFaults("issueChallenge", request)).toEqual([]);
  }
});

test("correct answers have no faults", () => {
  expect(validateAnswer(page, answer(PAGE_HEADERS, { text: "<p>Sign in</p>" }), known)).toEqual([]);
  const again = { "retry-after": "1", ratelimit: '"catalog";r=0;t=1' };
  expect(
    validateAnswer(catalog, answer(ENVELOPE_HEADERS, { status: 429, headers: again, text: limited }), known),
  ).toEqual([]);
  const approved = { location: "http://127.0.0.1:9/callback?error=access_denied" };
  const oauth: FuzzRequest = { ...page, kind: "oauth", path: "/oauth/authorize" };
  expect(validateAnswer(oauth, answer({ ...PAGE_HEADERS, ...approved }, { status: 303 }), known)).toEqual([]);
});

test.each([
  ["a failure of the service", page, PAGE_HEADERS, { status: 500 }, "status 500"],
  [
    "a page without a policy for forms",
    page,
    { ...PAGE_HEADERS, "content-security-policy": "default-src 'self'" },
    {},
    "form-action",
  ],
  ["a page that may be framed", page, { ...PAGE_HEADERS, "x-frame-options": "" }, {}, "X-Frame-Options"],
  ["a script of the request in a page", page, PAGE_HEADERS, { text: `<p>${SCRIPT_MARK}` }, "has a script"],
  ["a page that failed while being sent", page, PAGE_HEADERS, { text: '<template data-dgst="1234">' }, "met an error"],
  ["a stack trace", page, PAGE_HEADERS, { text: "Error: x\n    at f (/srv/app.js:1:2)" }, "reveals internals"],
  [
    "a database's words",
    catalog,
    ENVELOPE_HEADERS,
    { status: 400, text: 'relation "keys" does not exist' },
    "reveals internals",
  ],
  ["a secret", page, PAGE_HEADERS, { text: "svc_live_secret" }, "shows the server key"],
  ["a secret in a header", page, PAGE_HEADERS, { headers: { "x-a": "svc_live_secret" } }, "shows the server key"],
  ["a way out", page, PAGE_HEADERS, { status: 307, headers: { location: "//evil.example" } }, "another origin"],
  [
    "an open redirect from an action",
    page,
    PAGE_HEADERS,
    { headers: { "x-action-redirect": "//evil.example;push" } },
    "another origin",
  ],
  [
    "an open redirect in JSON",
    page,
    { ...ENVELOPE_HEADERS },
    { text: '{"url":"https://evil.example"}' },
    "another origin",
  ],
  [
    "an approved address with another protocol",
    page,
    PAGE_HEADERS,
    { status: 303, headers: { location: "http://127.0.0.1:9/callback" } },
    "another origin",
  ],
  ["an undeclared status", catalog, ENVELOPE_HEADERS, { status: 409, text: limited }, "not listed"],
  [
    "a cacheable answer",
    catalog,
    { ...ENVELOPE_HEADERS, "cache-control": "public" },
    { status: 429, text: limited },
    "Cache-Control",
  ],
  [
    "an undeclared field",
    catalog,
    ENVELOPE_HEADERS,
    { status: 429, text: '{"error":{"code":"a","message":"b","more":1}}' },
    "additional properties",
  ],
  ["a rate limit without Retry-After", catalog, ENVELOPE_HEADERS, { status: 429, text: limited }, "Retry-After"],
] as const)("%s is a fault", (_title, request, headers, given, fault) => {
  expect(validateAnswer(request, answer(headers, given), known).join("\n")).toContain(fault);
});

test("a request without an answer is a fault", () => {
  const none = { ...answer({}, { status: 0 }), failure: "socket hang up" };
  expect(validateAnswer(page, none, known)).toEqual(["no answer: socket hang up"]);
});

test("accepting a request that the document forbids is a fault", () => {
  const sent: FuzzRequest = {
    ...catalog,
    operation: "createTrialIntent",
    method: "POST",
    path: "/api/v1/agent/trial-intents",
    body: Buffer.from('{"product_code":1}'),
  };
  expect(validateAnswer(sent, answer(ENVELOPE_HEADERS, { status: 201, text: "{}" }), known).join("\n")).toContain(
    "was accepted although",
  );
});

test("a finding includes a command that resends the same bytes", () => {
  const body = Buffer.from([0x7b, 0, 0xff, 0x27]);
  const request: FuzzRequest = { ...page, method: "POST", headers: [["X-A", "it's"]], body };
  expect(asCurl(BASE, request)).toBe(
    "curl -i --path-as-is -X POST -H $'X-A: it\\x27s' --data-binary $'{\\x00\\xff\\x27' http://localhost:3000/sign-in",
  );
});

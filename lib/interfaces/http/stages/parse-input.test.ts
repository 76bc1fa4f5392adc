import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";

import { isAppError } from "@/lib/contract/errors";
import { defineOperation, type Operation } from "@/lib/contract/operation";
import type { ApiRequest } from "../exchange";
import { accept, checkBody, checkHeaders, checkParams, parseBodyText, parseQuery } from "./parse-input";

const bare: Operation = {
  id: "example",
  method: "POST",
  path: "/example/{name}",
  summary: "",
  description: "",
  security: "none",
  bodyLimitBytes: 100,
  responses: {},
  errors: [],
};
const operation = defineOperation({
  ...bare,
  params: z.strictObject({ name: z.string().regex(/^[a-z]+$/) }),
  query: z.strictObject({ days: z.string().regex(/^\d+$/).optional() }),
  headers: z.strictObject({ "x-tag": z.string().max(3).optional() }),
  body: z.strictObject({ list: z.array(z.number()) }),
});

const requestWith = (headers: ApiRequest["headers"]): ApiRequest => ({
  method: "POST",
  pathname: "/example/a",
  search: "",
  headers,
  readBody: () => "",
  address: undefined,
  requestId: "req_1",
});

const refused = (parse: () => unknown) => {
  try {
    return parse();
  } catch (error) {
    if (!isAppError(error)) throw error;
    return [error.code, error.message];
  }
};

test("a body is parsed by its schema, and a refusal names the wrong field", () => {
  const parse = (text: string) => accept(checkBody(operation, parseBodyText(operation, text)));
  expect(parse('{"list":[1,2]}')).toEqual({ list: [1, 2] });
  expect(refused(() => parse('{"list":[1,"2"]}'))).toEqual([
    "invalid_request",
    "list.1: Invalid input: expected number, received string",
  ]);
  expect(refused(() => parse('{"list":[],"more":1}'))).toEqual(["invalid_request", 'body: Unrecognized key: "more"']);
  expect(refused(() => parse("{"))).toEqual(["invalid_request", "The request body is not JSON"]);
  expect(refused(() => parse(`{"list":${"[".repeat(30)}${"]".repeat(30)}}`))).toEqual([
    "invalid_request",
    "The request body is nested too deeply",
  ]);
});

test("any body that is refused gets invalid_request", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string(), fc.string({ unit: "binary" })), (text) => {
      const checked = checkBody(operation, parseBodyText(operation, text));
      expect(checked.error?.code ?? "accepted").toMatch(/^(invalid_request|accepted)$/);
    }),
  );
});

test("a path that does not match its schema gets the code that the operation declares", () => {
  expect(accept(checkParams(operation, { name: "abc" }))).toEqual({ name: "abc" });
  expect(checkParams(operation, { name: "A" }).error?.code).toBe("invalid_request");
  expect(checkParams({ ...operation, unmatchedParams: "not_found" }, { name: ["a", "b"] }).error?.code).toBe(
    "not_found",
  );
});

test("each declared query parameter may occur once; a repeated, unknown or unstorable one is refused", () => {
  expect(parseQuery(operation, "?days=7")).toEqual({ days: "7" });
  expect(parseQuery(operation, "")).toEqual({});
  expect(refused(() => parseQuery(operation, "?days=7&days=7"))).toEqual([
    "invalid_request",
    "days: given more than once",
  ]);
  expect(refused(() => parseQuery(operation, "?day=7"))).toEqual(["invalid_request", 'query: Unrecognized key: "day"']);
  expect(refused(() => parseQuery(operation, "?days=%00"))).toMatchObject(["invalid_request", expect.any(String)]);
});

test("many different names in a query are refused in linear time", () => {
  const search = `?${Array.from({ length: 60_000 }, (_, index) => index.toString(36)).join("&")}`;
  const startedAt = performance.now();
  expect(refused(() => parseQuery(operation, search))).toMatchObject(["invalid_request", expect.any(String)]);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

test("only declared headers are read; a repeated one is refused, a value with a comma is not", () => {
  expect(accept(checkHeaders(operation, requestWith({ "x-tag": "abc", cookie: "a=b" })))).toEqual({ "x-tag": "abc" });
  const joined = (rawHeaders: string[]) => checkHeaders(operation, { ...requestWith({ "x-tag": "a,b" }), rawHeaders });
  expect(accept(joined(["X-Tag", "a,b", "Cookie", "x-tag"]))).toEqual({ "x-tag": "a,b" });
  expect(refused(() => accept(joined(["X-Tag", "a", "Cookie", "c=d", "x-tag", "b"])))).toEqual([
    "invalid_request",
    "x-tag: given more than once",
  ]);
  expect(refused(() => accept(checkHeaders(operation, requestWith({ "x-tag": ["a", "b"] }))))).toMatchObject([
    "invalid_request",
    expect.stringMatching(/^x-tag: /),
  ]);
});

test("an operation without an input part ignores it, whatever was sent", () => {
  expect(accept(checkParams(bare, { name: "A" }))).toBeUndefined();
  expect(parseQuery(bare, "?days=7&days=7")).toBeUndefined();
  expect(accept(checkHeaders(bare, requestWith({ "x-tag": "long" })))).toBeUndefined();
  expect(accept(checkBody(bare, parseBodyText(bare, "{")))).toBeUndefined();
});

import { expect, test } from "vitest";
import { z } from "zod";

import { defineOperation } from "@/lib/contract/operation";
import { serializeReply } from "./serialize-reply";

const operation = defineOperation({
  id: "example",
  method: "GET",
  path: "/example",
  summary: "",
  description: "",
  security: "none",
  bodyLimitBytes: 0,
  responses: { 200: z.strictObject({ name: z.string() }) },
  errors: [],
});

test("an answer is uncacheable JSON with the handler's headers", () => {
  expect(serializeReply(operation, { status: 200, body: { name: "a" }, headers: { ETag: '"1"' } })).toEqual({
    status: 200,
    text: '{"name":"a"}',
    headers: { "Content-Type": "application/json", "Cache-Control": "private, no-store", ETag: '"1"' },
  });
});

test("stored text is sent byte for byte", () => {
  const json = '{ "name" : "a" }';
  expect(serializeReply(operation, { status: 200, json, headers: {} }).text).toBe(json);
});

test("neither an undeclared field nor an undeclared status gets out", () => {
  const secret = { name: "a", secret: "b" };
  expect(() => serializeReply(operation, { status: 200, body: secret, headers: {} })).toThrow("Unrecognized key");
  expect(() => serializeReply(operation, { status: 201, body: { name: "a" }, headers: {} })).toThrow(
    "example answered undeclared status 201",
  );
});

import { expect, test } from "vitest";

import { OPERATIONS } from "@/lib/contract";
import { buildOpenApiDocument } from "@/lib/contract/openapi";
import { jsonSchema, listFields, listOperations } from "./openapi";

const document = buildOpenApiDocument();
const operations = listOperations(document);

test("the reference lists every operation of the contract", () => {
  expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(
    OPERATIONS.map(({ id }) => id).sort(),
  );
});

test("the reference shows every field of a Report, nested ones by path, and which are always there", () => {
  const report = operations.find(({ operation }) => operation.operationId === "readReport");
  const answer = (report?.operation.responses as Record<string, { content?: object }>)["200"];
  const schema = jsonSchema(answer?.content);
  const fields = schema ? listFields(document, schema) : [];
  const required = new Map(fields.map(({ path, isRequired }) => [path, isRequired]));
  expect(required.get("device.previous_seen_at")).toBe(true);
  expect(required.get("device.first_seen_at")).toBe(false);
  expect(required.get("risk.findings[].reason")).toBe(true);
  expect(required.get("network.location.city")).toBe(false);
  expect(required.get("activity.24h.distinct_countries")).toBe(true);
});

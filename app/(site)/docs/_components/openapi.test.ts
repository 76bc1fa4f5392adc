import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { OPERATIONS } from "@/lib/contract";
import { buildOpenApiDocument } from "@/lib/contract/openapi";
import { jsonSchema, type Listed, listFields, listOperations, listShapes, type SchemaOrRef } from "./openapi";
import { OperationReference } from "./operation-reference";

const document = buildOpenApiDocument();
const operations = listOperations(document);

type Answer = { content?: object; headers?: Record<string, { description?: string }> };

const responsesOf = ({ responses }: Listed["operation"]) => (responses ?? {}) as Record<string, Answer>;

test("the reference lists every operation of the contract", () => {
  expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(
    OPERATIONS.map(({ id }) => id).sort(),
  );
});

test("the reference shows every field of a Report, nested ones by path, and which are required", () => {
  const report = operations.find(({ operation }) => operation.operationId === "readReport");
  const answer = report && responsesOf(report.operation)["200"];
  const schema = jsonSchema(answer?.content);
  const fields = schema ? listFields(document, schema) : [];
  const required = new Map(fields.map(({ path, isRequired }) => [path, isRequired]));
  expect(required.get("device.previous_seen_at")).toBe(true);
  expect(required.get("device.first_seen_at")).toBe(false);
  expect(required.get("risk.findings[].reason")).toBe(true);
  expect(required.get("network.location.city")).toBe(false);
  expect(required.get("activity.24h.distinct_countries")).toBe(true);
});

const answerOf = (id: string, status: string): Answer | undefined =>
  operations.flatMap(({ operation }) => (operation.operationId === id ? [responsesOf(operation)] : []))[0]?.[status];

test("each variant of the intent status is shown with its own fields", () => {
  const schema = jsonSchema(answerOf("readTrialIntent", "200")?.content) ?? {};
  const shapes = listShapes(document, schema);
  expect(shapes.map(({ name }) => name)).toEqual(["PendingIntent", "ActiveIntentWithKey", "ActiveIntent"]);
  const pathsOf = (shape: SchemaOrRef) => listFields(document, shape).map(({ path }) => path);
  expect(pathsOf(shapes[0]?.schema ?? {})).toEqual(["intent_id", "status", "expires_at"]);
  expect(pathsOf(shapes[1]?.schema ?? {})).toContain("api_key");
  expect(pathsOf(shapes[2]?.schema ?? {})).toContain("quota.remaining_reports");
  expect(pathsOf(shapes[2]?.schema ?? {})).toContain("credential_delivery_expired");
  const together = new Map(listFields(document, schema).map((row) => [row.path, row.isRequired]));
  expect([together.get("status"), together.get("api_key")]).toEqual([true, false]);
});

test("every JSON request and response body of every operation has fields, the 402 with its terms", () => {
  for (const { operation } of operations) {
    for (const [status, answer] of Object.entries(responsesOf(operation))) {
      const schema = jsonSchema(answer.content);
      if (schema) expect(listFields(document, schema), `${operation.operationId} ${status}`).not.toEqual([]);
    }
  }
  const terms = listFields(document, jsonSchema(answerOf("activateTrialIntent", "402")?.content) ?? {});
  expect(terms.map(({ path }) => path)).toContain("accepts[].payTo");
});

test("the reference shows the 402 as a response, with body and headers, not among the errors", () => {
  const listed = operations.find(({ operation }) => operation.operationId === "activateTrialIntent");
  const examples = { requests: [], answers: [] };
  const html = listed ? renderToStaticMarkup(createElement(OperationReference, { document, listed, examples })) : "";
  expect(html).toContain("Answer 402");
  expect(html).toContain("PAYMENT-REQUIRED");
  expect(html).toContain("accepts[].amount");
  const status = operations.find(({ operation }) => operation.operationId === "readTrialIntent");
  const shown = status
    ? renderToStaticMarkup(createElement(OperationReference, { document, listed: status, examples }))
    : "";
  for (const field of ["intent_id", "api_key", "quota.used_reports", "allowed_origin"]) expect(shown).toContain(field);
});

import type { SchemaObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Reference = { $ref: string };
type Parameter = { name: string; in: "path" | "query" | "header"; required?: boolean; schema: SchemaObject };
type Header = { required?: boolean; schema: SchemaObject };
type Content = { "application/json"?: { schema: SchemaObject } };
type PublishedOperation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { headers?: Record<string, Header>; content?: Content }>;
};
export type OpenApiDocument = { paths: Record<string, Record<string, PublishedOperation>> };

export type SentRequest = {
  method: string;
  /** Including the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
};
export type ReceivedAnswer = { status: number; headers: Headers; text: string };
export type FoundOperation = { id: string; method: string; path: string };

const DOCUMENT = "openapi.json";
/** OpenAPI annotations that do not affect validation. */
const ANNOTATIONS = ["example", "externalDocs", "xml"];

const pointerTo = (...keys: string[]): string =>
  `${DOCUMENT}#/${keys.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Validates traffic against the published OpenAPI document with an independent validator, as a client would. */
export function readPublished(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, allErrors: true });
  addFormats(ajv);
  ajv.addVocabulary([...ANNOTATIONS, ...Object.keys(document)]);
  ajv.addSchema(document, DOCUMENT);

  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      segments: path.split("/"),
      operation,
    })),
  );
  type Found = (typeof operations)[number];
  const compiled = new Map<string, ValidateFunction>();
  function validatorAt(pointer: string): ValidateFunction {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: pointer });
    compiled.set(pointer, known);
    return known;
  }

  function faultsOf(pointer: string, value: unknown, where: string): string[] {
    const validate = validatorAt(pointer);
    return validate(value)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) =>
            `${where}${instancePath} ${message ?? "is not valid"} ${JSON.stringify(params)}`,
        );
  }

  /** Parameters and headers are strings; those with a numeric type are converted. */
  const valueOf = (schema: SchemaObject & Partial<Reference>, text: string): unknown =>
    (schema["type"] === "integer" || schema["type"] === "number") && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;

  function paramsOf({ segments }: Found, pathname: string): Record<string, string> | undefined {
    const given = pathname.split("/");
    if (given.length !== segments.length) return undefined;
    const params: Record<string, string> = {};
    for (const [index, segment] of segments.entries()) {
      const value = given[index] ?? "";
      if (segment.startsWith("{")) params[segment.slice(1, -1)] = value;
      else if (segment !== value) return undefined;
    }
    return params;
  }

  /** The operations of a path, with any method. */
  const operationsAt = (pathname: string) => operations.filter((found) => paramsOf(found, pathname) !== undefined);

  function parameterFaults(found: Found, { path, headers }: SentRequest): string[] {
    const { pathname, search, searchParams } = new URL(path, "http://host");
    const declared = found.operation.parameters ?? [];
    const params = paramsOf(found, pathname) ?? {};
    const given = { path: params, query: Object.fromEntries(new URLSearchParams(search)), header: headers };
    const names = declared.filter((parameter) => parameter.in === "query").map(({ name }) => name);
    // If no query is declared, it is ignored.
    const undeclared = names.length === 0 ? [] : [...searchParams.keys()].filter((name) => !names.includes(name));
    return [
      ...undeclared.map((name) => `query ${name} is not declared`),
      ...declared.flatMap((parameter, index) => {
        const text = given[parameter.in][parameter.name];
        const where = `${parameter.in} ${parameter.name}`;
        if (text === undefined) return parameter.required ? [`${where} is missing`] : [];
        const pointer = pointerTo(
          "paths",
          found.path,
          found.method.toLowerCase(),
          "parameters",
          String(index),
          "schema",
        );
        return faultsOf(pointer, valueOf(parameter.schema, text), where);
      }),
    ];
  }

  function bodyFaults(found: Found, body: string | undefined): string[] {
    const { requestBody } = found.operation;
    if (!requestBody || (!body && !requestBody.required)) return [];
    const json = parseJson(body ?? "");
    if (!json) return ["body is not JSON"];
    const at = [
      "paths",
      found.path,
      found.method.toLowerCase(),
      "requestBody",
      "content",
      "application/json",
      "schema",
    ];
    return faultsOf(pointerTo(...at), json.value, "body");
  }

  function headerFaults(declared: Record<string, Header>, headers: Headers, at: string[]): string[] {
    return Object.entries(declared).flatMap(([name, header]) => {
      const text = headers.get(name);
      if (text === null) return header.required ? [`header ${name} is missing`] : [];
      return faultsOf(pointerTo(...at, "headers", name, "schema"), valueOf(header.schema, text), `header ${name}`);
    });
  }

  return {
    operations: operations as readonly FoundOperation[],
    document,

    /** The operation that a request addresses. */
    find: ({ method, path }: Pick<SentRequest, "method" | "path">): FoundOperation | undefined =>
      operationsAt(new URL(path, "http://host").pathname).find((found) => found.method === method),
    operationsAt: operationsAt as (pathname: string) => readonly FoundOperation[],

    /** Declared statuses of an operation. */
    statusesOf: (id: string): number[] =>
      Object.keys(operations.find((found) => found.id === id)?.operation.responses ?? {}).map(Number),

    requestSchema: (id: string): SchemaObject | undefined =>
      operations.find((found) => found.id === id)?.operation.requestBody?.content["application/json"]?.schema,

    /** Violations of the document in a request. */
    requestFaults(id: string, request: SentRequest): string[] {
      const found = operations.find((operation) => operation.id === id);
      if (!found) return [`${id} is not an operation`];
      return [...parameterFaults(found, request), ...bodyFaults(found, request.body)];
    },

    /** Violations of the document in a response. */
    answerFaults(id: string, { status, headers, text }: ReceivedAnswer): string[] {
      const found = operations.find((operation) => operation.id === id);
      const response = found?.operation.responses[String(status)];
      if (!found || !response) return [`status ${status} is not listed for ${id}`];
      const at = ["paths", found.path, found.method.toLowerCase(), "responses", String(status)];
      const faults = headerFaults(response.headers ?? {}, headers, at);
      const json = parseJson(text);
      if (!response.content?.["application/json"]) return faults;
      if (!headers.get("content-type")?.startsWith("application/json")) faults.push("content-type is not JSON");
      if (!json) return [...faults, "body is not JSON"];
      return [...faults, ...faultsOf(pointerTo(...at, "content", "application/json", "schema"), json.value, "body")];
    },
  };
}

export type Published = ReturnType<typeof readPublished>;

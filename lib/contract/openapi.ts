import {
  extendZodWithOpenApi,
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
} from "@asteasolutions/zod-to-openapi";
import { z } from "zod";

import { type ErrorCode, ERRORS } from "@/lib/contract/errors";
import { exampleOf } from "./examples";
import { ErrorEnvelope } from "./fields";
import { OPERATIONS } from "./index";
import { COMMON_ERRORS, type Operation } from "./operation";
import { WEBHOOK_EVENTS, WebhookHeaders, webhookMessage, type WebhookEventType } from "./webhooks";

extendZodWithOpenApi(z);

const SECURITY_SCHEMES = {
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "Secret server key; never in browser code" },
  managementKey: { type: "http", scheme: "bearer", description: "Management key of a workspace, `svc_manage_…`" },
  claimToken: { type: "http", scheme: "bearer", description: "Claim token of a trial intent" },
} as const;

const STATUS_TEXT: Record<number, string> = {
  200: "Done",
  201: "Created",
  202: "Accepted; poll the status",
  402: "Payment required",
};

type Headers = Record<
  string,
  {
    description: string;
    required?: boolean;
    schema: { type: "string" | "integer"; enum?: string[]; pattern?: string };
  }
>;

const COMMON_HEADERS = {
  "X-Request-Id": {
    description: "Identifies this request in the service's logs",
    required: true,
    schema: { type: "string" },
  },
  "Cache-Control": {
    description: "Never cached",
    required: true,
    schema: { type: "string", enum: ["private, no-store"] },
  },
} satisfies Headers;

const RATE_HEADERS = {
  "RateLimit-Policy": {
    description: "Applicable limits: draft-ietf-httpapi-ratelimit-headers",
    schema: { type: "string" },
  },
  RateLimit: { description: "Remainder of the tightest limit", schema: { type: "string" } },
} satisfies Headers;

const RETRY_AFTER = { description: "Seconds", schema: { type: "integer" } } as const;
const WWW_AUTHENTICATE = {
  description: "`Bearer`, with `invalid_token` if a credential was sent: RFC 6750",
  required: true,
  schema: { type: "string" },
} as const;
const ALLOW = { description: "Methods supported at this URL", required: true, schema: { type: "string" } } as const;

const isLimited = ({ addressLimit, security }: Operation) =>
  addressLimit !== undefined || security === "apiKey" || security === "managementKey";

const isBearer = ({ security }: Operation) => security === "claimToken" || security === "managementKey";

function errorResponses(operation: Operation): RouteConfig["responses"] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...operation.errors, ...COMMON_ERRORS]) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}.`).join(" "),
        headers: {
          ...COMMON_HEADERS,
          ...(isLimited(operation) && status !== 405 ? RATE_HEADERS : {}),
          Link: {
            description: 'Documentation of the error code, rel="help"',
            required: true,
            schema: { type: "string" },
          },
          ...(status === 429 || status === 503 || (operation.mayHavePaid && status >= 500)
            ? { "Retry-After": RETRY_AFTER }
            : {}),
          ...(status === 401 && isBearer(operation) ? { "WWW-Authenticate": WWW_AUTHENTICATE } : {}),
          ...(status === 405 ? { Allow: ALLOW } : {}),
        },
        content: {
          "application/json": {
            schema: ErrorEnvelope,
            examples: Object.fromEntries(
              codes.map((code) => [code, { value: { error: { code, message: ERRORS[code].message } } }]),
            ),
          },
        },
      },
    ]),
  );
}

/** The `example` of a JSON body, if there is one. */
const withExample = (value: unknown) => (value === undefined ? {} : { example: value });

function successResponses(operation: Operation): RouteConfig["responses"] {
  const declaredFor = (status: number): Headers =>
    Object.fromEntries(
      Object.entries(operation.responseHeaders ?? {})
        .filter(([, { statuses }]) => statuses?.includes(status) ?? true)
        .map(([name, { description, required, values, pattern }]) => [
          name,
          {
            description,
            required,
            schema: {
              type: "string",
              ...(values ? { enum: [...values] } : {}),
              ...(pattern ? { pattern: pattern.source } : {}),
            },
          },
        ]),
    );
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, schema]) => [
      status,
      {
        description: STATUS_TEXT[Number(status)] ?? "Done",
        headers: { ...COMMON_HEADERS, ...(isLimited(operation) ? RATE_HEADERS : {}), ...declaredFor(Number(status)) },
        content: {
          "application/json": { schema, ...withExample(exampleOf(operation.id)?.answers[status]) },
        },
      },
    ]),
  );
}

const METHODS = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const;

function toRoute(operation: Operation): RouteConfig {
  const { params, query, headers, body, probedWithout } = operation;
  const needsCredential = Object.hasOwn(SECURITY_SCHEMES, operation.security);
  return {
    method: METHODS[operation.method],
    path: operation.path,
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    security: needsCredential ? [{ [operation.security]: [] }] : [],
    request: {
      ...(params ? { params } : {}),
      ...(query ? { query } : {}),
      ...(headers ? { headers } : {}),
      ...(body
        ? {
            body: {
              required: probedWithout === undefined,
              content: { "application/json": { schema: body, ...withExample(exampleOf(operation.id)?.body) } },
            },
          }
        : {}),
    },
    responses: { ...successResponses(operation), ...errorResponses(operation) },
    ...(operation.exactlyOneOf ? { "x-exactly-one-of": operation.exactlyOneOf } : {}),
    ...operation.extensions,
  };
}

/** A webhook as received by the integrator's endpoint, which must answer 2xx or gets the message again. */
function toWebhook(type: WebhookEventType): RouteConfig {
  return {
    method: "post",
    path: type,
    operationId: `on ${type}`.replaceAll(/[ ._]([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    summary: WEBHOOK_EVENTS[type].summary,
    security: [],
    request: {
      headers: WebhookHeaders,
      body: { required: true, content: { "application/json": { schema: webhookMessage(type) } } },
    },
    responses: {
      "2XX": {
        description: "Received. After any other response, or none within 15 seconds, the message is sent again later",
      },
      410: { description: "The endpoint is gone and gets disabled" },
    },
  };
}

/** A regular expression flag as written by the generator: `/u` after the pattern. Slashes in the pattern are escaped or in a class. */
const FLAG = /(?<!\\)\/[a-z]+$/;

/**
 * JSON Schema patterns have no flags, and validators read them either by code units or by code points.
 *
 * @throws Error if a pattern of the contract needs a flag, or is invalid in one of the two readings
 */
export function requirePortablePatterns(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  if ("pattern" in schema && typeof schema.pattern === "string") {
    if (FLAG.test(schema.pattern)) throw new Error(`JSON Schema cannot express the flag of ${schema.pattern}`);
    for (const flags of ["", "u"]) new RegExp(schema.pattern, flags);
  }
  for (const inner of Object.values(schema)) requirePortablePatterns(inner);
}

/** The OpenAPI 3.1 document of the whole public API, built from `OPERATIONS`. */
export function buildOpenApiDocument() {
  const registry = new OpenAPIRegistry();
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES))
    registry.registerComponent("securitySchemes", name, scheme);
  for (const operation of OPERATIONS) registry.registerPath(toRoute(operation));
  for (const type of Object.keys(WEBHOOK_EVENTS)) registry.registerWebhook(toWebhook(type as WebhookEventType)); // safe: a name of the events
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: "3.1.0",
    info: {
      title: "Imprint API",
      version: "1.0",
      description: "Device identity and access risk for sensitive actions. The service returns no recommended action.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
  });
  requirePortablePatterns(document);
  return document;
}

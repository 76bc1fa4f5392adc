import { expect, test } from "vitest";

import { buildOpenApiDocument } from "./openapi";

/**
 * The tables of the specification in literal values: unlike `docs/openapi.json`, they are not generated, so that a changed
 * constant of this folder cannot change them too.
 */

type Schema = {
  $ref?: string;
  const?: unknown;
  enum?: string[];
  type?: string | string[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  default?: number;
  prefixItems?: Schema[];
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
};
type Content = { content: { "application/json": { schema: Schema } } };
type Described = { responses: Record<string, Content> };
type Document = { components: { schemas: Record<string, Schema> }; paths: Record<string, Record<string, Described>> };

// safe: only the members declared above are read
const { components, paths } = JSON.parse(JSON.stringify(buildOpenApiDocument())) as Document;

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});

const scalar = ({ type, pattern, format, minimum, maximum = Infinity, default: usual }: Schema): string =>
  [
    [type].flat().join(" or "),
    pattern ?? format ?? "",
    minimum === undefined ? "" : `>=${minimum}`,
    maximum < Number.MAX_SAFE_INTEGER ? `<=${maximum}` : "",
    usual === undefined ? "" : `default ${usual}`,
  ]
    .filter((part) => part !== "")
    .join(" ");

function members({ properties = {}, required = [], additionalProperties }: Schema): Record<string, unknown> {
  const listed = Object.entries(properties).map(([name, value]): [string, unknown] => [
    required.includes(name) ? name : `${name}?`,
    shapeOf(value),
  ]);
  return Object.fromEntries(additionalProperties === false ? listed : [...listed, ["others", "anything"]]);
}

/** A schema in short: constants as themselves, an optional field with a question mark, a tuple as an array. */
function shapeOf(given: Schema): unknown {
  const schema = resolved(given);
  if (schema.anyOf) return { anyOf: schema.anyOf.map(shapeOf) };
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum.length === 1 ? schema.enum[0] : schema.enum.join(" ");
  if (schema.prefixItems) {
    expect([schema.minItems, schema.maxItems]).toEqual([schema.prefixItems.length, schema.prefixItems.length]);
    return schema.prefixItems.map(shapeOf);
  }
  if (schema.items) return { arrayOf: shapeOf(schema.items) };
  return schema.properties ? members(schema) : scalar(schema);
}

const answer = (method: "get" | "post", path: string, status: number): unknown => {
  const schema = paths[`/api/v1/${path}`]?.[method]?.responses[status]?.content["application/json"].schema;
  return schema && shapeOf(schema);
};

const IMPRINT = "string ^imp_[0-9a-f]{32}$";
const INTENT = "string ^ati_[0-9a-f]{32}$";
const TIME = "string date-time";
const CAPABILITIES = ["fingerprint.submit", "fingerprint.report.lite", "agent.trial.status"];
const COUNT = "integer >=0";
const UNIT = "integer >=0 <=100";
const UNPAID_OR_PENDING = "payment_required payment_in_progress payment_failed provisioning reconciliation_pending";
const ERROR = { error: { code: "string", message: "string" } };

test("the catalog and a created intent have exactly the specified fields and values", () => {
  expect(answer("get", "agent/products", 200)).toEqual({
    products: {
      arrayOf: {
        code: "agent_trial_lite_100",
        version: "v1",
        display_name: "Agent Trial — 100 Lite Reports",
        available: "boolean",
        protocol: "x402-compatible",
        scheme: "exact",
        "price?": { amount_atomic: "string ^[0-9]+$", asset: "string", network: "string", pay_to: "string" },
        report_units: 100,
        expires_in_hours: 72,
        report_contract: "report-v1",
        capabilities: CAPABILITIES,
        limits: {
          submit_requests: "integer >=1 default 300",
          report_requests: "integer >=1 default 1000",
          requests_per_second: "integer >=1 default 5",
          intent_creates_per_ip_per_minute: "integer >=1 default 10",
          intent_activations_per_ip_and_intent_per_minute: "integer >=1 default 30",
        },
        docs_url: "string uri",
      },
    },
  });
  expect(answer("post", "agent/trial-intents", 201)).toEqual({
    intent_id: INTENT,
    claim_token: "string",
    status: "payment_required",
    product: {
      code: "agent_trial_lite_100",
      report_units: 100,
      expires_in_hours: 72,
      report_contract: "report-v1",
    },
    activate_url: "string ^\\S+$",
    status_url: "string ^\\S+$",
  });
});

test("activation, status and grant of a trial have exactly the specified fields and values", () => {
  const activate = "agent/trial-intents/{intentId}/activate";
  const status = `${UNPAID_OR_PENDING} active expired revoked`;
  expect(answer("post", activate, 200)).toEqual({ intent_id: INTENT, status, status_url: "string ^\\S+$" });
  expect(answer("post", activate, 202)).toEqual(ERROR);
  const active = {
    trial_id: "string ^trial_[A-Za-z0-9_-]+$",
    status: "active",
    environment_id: "string ^env_[0-9a-f]{32}$",
    allowed_origin: "string uri",
    quota: { total_reports: 100, used_reports: UNIT, remaining_reports: UNIT },
    expires_at: TIME,
    report_endpoint: "/api/v1/fingerprint/report/{imprint}",
  };
  expect(answer("get", "agent/trial-intents/{intentId}", 200)).toEqual({
    anyOf: [
      { intent_id: INTENT, status: `${UNPAID_OR_PENDING} expired revoked`, expires_at: TIME },
      { ...active, api_key: "string" },
      { ...active, credential_delivery_expired: true },
    ],
  });
  expect(answer("get", "agent/trial", 200)).toEqual({
    status: "active expired revoked",
    product_code: "agent_trial_lite_100",
    total_report_units: 100,
    used_report_units: UNIT,
    remaining_report_units: UNIT,
    expires_at: TIME,
    capabilities: CAPABILITIES,
    limits: {
      submit_requests: "integer >=1",
      submit_requests_used: COUNT,
      report_requests: "integer >=1",
      report_requests_used: COUNT,
      requests_per_second: "integer >=1",
    },
    remaining_submit_requests: "integer >=0 <=300",
    remaining_report_requests: "integer >=0 <=1000",
  });
});

test("the Report has exactly the specified fields and values", () => {
  const status = "PASS SUSPICIOUS DECEPTIVE";
  const reason =
    "BROWSER_VERSION_MISMATCH BROWSER_IDENTITY_MISMATCH OS_ENVIRONMENT_MISMATCH AUTOMATION_DETECTED " +
    "ENVIRONMENT_INCONSISTENT PROXY_DETECTED HOSTING_NETWORK_DETECTED NETWORK_INCONSISTENT LOCATION_INCONSISTENT " +
    "SIGNAL_DATA_INCOMPLETE";
  const identity = { status, "name?": "string", "version?": "string" };
  const window = { events: COUNT, distinct_ips: COUNT, distinct_countries: COUNT };
  expect(answer("get", "fingerprint/report/{imprint}", 200)).toEqual({
    schema_version: "string",
    imprint: IMPRINT,
    created_at: TIME,
    device: {
      id: "string",
      seen_before: "boolean",
      access_count: COUNT,
      "first_seen_at?": TIME,
      previous_seen_at: "string or null date-time",
    },
    risk: { status, reasons: { arrayOf: reason }, findings: { arrayOf: { reason, status } } },
    browser: identity,
    operating_system: identity,
    network: {
      status,
      "observed_ip?": "string",
      "country_code?": "string",
      "alternate_ip?": "string",
      ip_consistency: "MATCH MISMATCH UNKNOWN",
      "proxy_detected?": "boolean",
      "location?": { "country_name?": "string", "region?": "string", "city?": "string", "timezone?": "string" },
      "provider?": "string",
      "connection_type?": "residential mobile corporate hosting proxy unknown",
      "asn?": COUNT,
    },
    "activity?": { "5m": window, "1h": window, "24h": window },
    "account_map?": {
      account_seen_before: "boolean",
      relationship_seen_before: "boolean",
      accounts_on_device: COUNT,
      devices_on_account: COUNT,
      accounts_first_seen_on_device_1h: COUNT,
    },
  });
});

test("History and every error have exactly the specified fields and values", () => {
  expect(answer("get", "fingerprint/imprint/{imprint}/history", 200)).toEqual({
    imprint: IMPRINT,
    range: { from: "string date", to: "string date", days: "integer >=1" },
    summary: { events: COUNT, truncated: "boolean", "firstSeenAt?": TIME, "lastSeenAt?": TIME },
    timeline: { arrayOf: { date: "string date", count: COUNT } },
    recent: { arrayOf: { at: TIME, surface: "string" } },
  });
  for (const [path, methods] of Object.entries(paths))
    for (const { responses } of Object.values(methods))
      for (const [status, { content }] of Object.entries(responses))
        if (Number(status) >= 400 && status !== "402")
          expect([path, status, shapeOf(content["application/json"].schema)]).toEqual([path, status, ERROR]);
});

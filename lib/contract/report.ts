import { z } from "zod";

import { Imprint, Instant } from "./fields";
import { defineOperation } from "./operation";

export const REPORT_SCHEMA_VERSION = "1.0";

/** In ascending order of severity: a later status outweighs an earlier one. */
export const REPORT_STATUSES = ["PASS", "SUSPICIOUS", "DECEPTIVE"] as const;
export const ReportStatus = z.enum(REPORT_STATUSES).meta({
  id: "ReportStatus",
  description:
    "PASS: nothing needs attention. SUSPICIOUS: weigh with account and business context. DECEPTIVE: clear high-risk indicators.",
});
export type ReportStatus = z.infer<typeof ReportStatus>;

export const REASONS = [
  "BROWSER_VERSION_MISMATCH",
  "BROWSER_IDENTITY_MISMATCH",
  "OS_ENVIRONMENT_MISMATCH",
  "AUTOMATION_DETECTED",
  "ENVIRONMENT_INCONSISTENT",
  "PROXY_DETECTED",
  "HOSTING_NETWORK_DETECTED",
  "NETWORK_INCONSISTENT",
  "LOCATION_INCONSISTENT",
  "SIGNAL_DATA_INCOMPLETE",
] as const;
export const Reason = z
  .enum(REASONS)
  .meta({ id: "Reason", description: "Category of a risk; its severity is the status beside it" });
export type Reason = z.infer<typeof Reason>;

/** How a visit's device was recognised. */
export const RECOGNITIONS = ["token", "evidence", "new"] as const;

/** Whether a read was the first delivery of a Report. */
export const DELIVERIES = ["first", "repeat"] as const;

const count = z.int().min(0);

const IdentityResult = z
  .strictObject({ status: ReportStatus, name: z.string().optional(), version: z.string().optional() })
  .meta({ id: "IdentityResult" });

export const CONNECTION_TYPES = ["residential", "mobile", "corporate", "hosting", "proxy", "unknown"] as const;

const Network = z
  .strictObject({
    status: ReportStatus,
    observed_ip: z.string().optional().describe("Public egress address of the request that reached the service"),
    country_code: z.string().optional(),
    alternate_ip: z.string().optional().describe("Public address of the client as detected by the service"),
    ip_consistency: z.enum(["MATCH", "MISMATCH", "UNKNOWN"]),
    proxy_detected: z.boolean().optional(),
    location: z
      .strictObject({
        country_name: z.string().optional(),
        region: z.string().optional(),
        city: z.string().optional(),
        timezone: z.string().optional(),
      })
      .optional(),
    provider: z.string().optional(),
    connection_type: z.enum(CONNECTION_TYPES).optional(),
    asn: count.optional(),
  })
  .meta({ id: "Network" });

const ActivityWindow = z
  .strictObject({ events: count, distinct_ips: count, distinct_countries: count })
  .meta({ id: "ActivityWindow" });

export const Activity = z
  .strictObject({ "5m": ActivityWindow, "1h": ActivityWindow, "24h": ActivityWindow })
  .meta({ id: "Activity", description: "Events of this device in the Workspace, the current visit included" });
export type Activity = z.infer<typeof Activity>;

export const AccountMap = z
  .strictObject({
    account_seen_before: z.boolean(),
    relationship_seen_before: z.boolean(),
    accounts_on_device: count,
    devices_on_account: count,
    accounts_first_seen_on_device_1h: count,
  })
  .meta({ id: "AccountMap" });
export type AccountMap = z.infer<typeof AccountMap>;

export const Report = z
  .strictObject({
    schema_version: z.string(),
    imprint: Imprint,
    created_at: Instant,
    device: z.strictObject({
      id: z.string().describe("Scoped to the Workspace"),
      seen_before: z.boolean(),
      access_count: count.describe("Visits of this device, the current one included"),
      first_seen_at: Instant.optional(),
      previous_seen_at: Instant.nullable(),
    }),
    risk: z.strictObject({
      status: ReportStatus,
      reasons: z.array(Reason),
      findings: z.array(z.strictObject({ reason: Reason, status: ReportStatus })),
    }),
    browser: IdentityResult,
    operating_system: IdentityResult,
    network: Network,
    activity: Activity.optional(),
    account_map: AccountMap.optional(),
  })
  .meta({ id: "Report", description: "Device identity and access risk of one visit; the same fields on every plan" });
export type Report = z.infer<typeof Report>;

export const readReportOperation = defineOperation({
  id: "readReport",
  method: "GET",
  path: "/api/v1/fingerprint/report/{imprint}",
  summary: "Read the canonical Report of an imprint",
  description:
    "The first successful delivery of an imprint uses one report unit. Reading it again returns the same bytes and uses none; neither do failures and imprints that are not found. The headers contain what the body leaves out: for which page and surface the imprint was created, how old it is, and whether it was read before, which `Imprint-Acceptance` makes safe to retry. With `X-Account-Ref` the response also has `account_map`, as of this read; it never changes `risk`.",
  security: "apiKey",
  params: z.strictObject({ imprint: Imprint }),
  headers: z.strictObject({
    "x-account-ref": z
      .string()
      .optional()
      .describe(
        "Immutable internal id of the account in your system, 1 to 128 printable ASCII characters. Never an e-mail address, a telephone number or a name. An empty value means no account. Requires Account Map in the plan",
      ),
    "imprint-acceptance": z
      .string()
      .regex(/^[\x21-\x7e]{1,128}$/, { error: "send 1 to 128 visible ASCII characters without spaces" })
      .optional()
      .describe(
        "An id of your choice for what the imprint is accepted for, such as a sign-in or an order: 1 to 128 visible ASCII characters without spaces. Retrying the first delivery with the same id returns `first` again; with another id it is `repeat`. Only a hash is stored",
      ),
  }),
  hasEffects: true,
  bodyLimitBytes: 0,
  unmatchedParams: "report_not_found",
  responses: { 200: Report },
  responseHeaders: {
    "Imprint-Delivery": {
      description:
        "`first`: this Report was never delivered before, or was first delivered with the same `Imprint-Acceptance`. `repeat`: it was delivered before",
      required: true,
      values: DELIVERIES,
    },
    "Imprint-Surface": {
      description: "The surface that the page named when it created the imprint",
      required: true,
      pattern: /^[A-Za-z0-9._:-]{1,64}$/,
    },
    "Imprint-Origin": {
      description: "Origin of the page that created the imprint",
      required: true,
      pattern: /^https?:\/\/[^\s/]+$/,
    },
    "Imprint-Age": {
      description: "Whole seconds since the visit was stored",
      required: true,
      pattern: /^[0-9]+$/,
    },
    "Imprint-Recognition": {
      description:
        "How the device was recognised: by the token kept in its browser, by evidence alone, or `new` if it was not. Not sent for visits from before version 0.2, nor if concurrent first visits were found to be one device",
      required: false,
      values: RECOGNITIONS,
    },
    "Imprint-Confidence": {
      description: "With `evidence`: the confidence that this is the device, from 0.00 to 0.99",
      required: false,
      pattern: /^0\.[0-9]{2}$/,
    },
    "Imprint-Agent": {
      description: "Name of the automated agent that signed the visit's request, if the signature was verified",
      required: false,
      pattern: /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/,
    },
  },
  errors: [
    "auth_failed",
    "grant_expired",
    "grant_revoked",
    "account_map_not_allowed",
    "invalid_account_ref",
    "invalid_request",
    "report_not_found",
    "account_ref_conflict",
    "rate_limited",
    "quota_exhausted",
    "request_limit_reached",
  ],
});

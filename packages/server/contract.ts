/* Made from lib/contract by `npm run generate`; edits are lost. */

/** Opaque report identifier issued by the service */
export type Imprint = string;

/** PASS: nothing needs attention. SUSPICIOUS: weigh with account and business context. DECEPTIVE: clear high-risk indicators. */
export type ReportStatus = "PASS" | "SUSPICIOUS" | "DECEPTIVE";

/** Category of a risk; its severity is the status beside it */
export type Reason =
  | "BROWSER_VERSION_MISMATCH"
  | "BROWSER_IDENTITY_MISMATCH"
  | "OS_ENVIRONMENT_MISMATCH"
  | "AUTOMATION_DETECTED"
  | "ENVIRONMENT_INCONSISTENT"
  | "PROXY_DETECTED"
  | "HOSTING_NETWORK_DETECTED"
  | "NETWORK_INCONSISTENT"
  | "LOCATION_INCONSISTENT"
  | "SIGNAL_DATA_INCOMPLETE";

export type IdentityResult = {
  status: ReportStatus;
  name?: string | undefined;
  version?: string | undefined;
};

export type Network = {
  status: ReportStatus;
  /** Public egress address of the request that reached the service */
  observed_ip?: string | undefined;
  country_code?: string | undefined;
  /** Public address of the client as detected by the service */
  alternate_ip?: string | undefined;
  ip_consistency: "MATCH" | "MISMATCH" | "UNKNOWN";
  proxy_detected?: boolean | undefined;
  location?: {
    country_name?: string | undefined;
    region?: string | undefined;
    city?: string | undefined;
    timezone?: string | undefined;
  } | undefined;
  provider?: string | undefined;
  connection_type?: "residential" | "mobile" | "corporate" | "hosting" | "proxy" | "unknown" | undefined;
  asn?: number | undefined;
};

export type ActivityWindow = {
  events: number;
  distinct_ips: number;
  distinct_countries: number;
};

/** Events of this device in the Workspace, the current visit included */
export type Activity = {
  "5m": ActivityWindow;
  "1h": ActivityWindow;
  "24h": ActivityWindow;
};

export type AccountMap = {
  account_seen_before: boolean;
  relationship_seen_before: boolean;
  accounts_on_device: number;
  devices_on_account: number;
  accounts_first_seen_on_device_1h: number;
};

/** Device identity and access risk of one visit; the same fields on every plan */
export type Report = {
  schema_version: string;
  imprint: Imprint;
  /** UTC, RFC 3339 */
  created_at: string;
  device: {
    /** Scoped to the Workspace */
    id: string;
    seen_before: boolean;
    /** Visits of this device, the current one included */
    access_count: number;
    /** UTC, RFC 3339 */
    first_seen_at?: string | undefined;
    previous_seen_at: string | null;
  };
  risk: {
    status: ReportStatus;
    reasons: Reason[];
    findings: {
      reason: Reason;
      status: ReportStatus;
    }[];
  };
  browser: IdentityResult;
  operating_system: IdentityResult;
  network: Network;
  activity?: Activity | undefined;
  account_map?: AccountMap | undefined;
};

/** Visits of the device behind an imprint, day by day */
export type History = {
  imprint: Imprint;
  range: {
    /** First day, UTC */
    from: string;
    /** Last day, UTC, itself included */
    to: string;
    /** Calendar days covered */
    days: number;
  };
  summary: {
    /** Visits of the device in the range */
    events: number;
    /** Whether the range holds more visits than `recent` lists */
    truncated: boolean;
    /** Earliest visit in the range; absent when there is none */
    firstSeenAt?: string | undefined;
    /** Latest visit in the range; absent when there is none */
    lastSeenAt?: string | undefined;
  };
  /** Every day of the range in order, zeros included */
  timeline: {
    date: string;
    count: number;
  }[];
  /** Newest first */
  recent: {
    /** UTC, RFC 3339 */
    at: string;
    /** Business surface that the page gave with the visit */
    surface: string;
  }[];
};

export const IMPRINT_PATTERN: RegExp = /^imp_[0-9a-f]{32}$/;

/** Every `error.code` of the service. */
export const SERVICE_CODES = [
  "settlement_pending",
  "invalid_request",
  "invalid_origin",
  "invalid_account_ref",
  "invalid_payment",
  "challenge_expired",
  "auth_failed",
  "forbidden",
  "origin_not_allowed",
  "environment_disabled",
  "visitor_signature_invalid",
  "visitor_signature_expired",
  "visitor_key_refused",
  "trial_key_required",
  "grant_expired",
  "grant_revoked",
  "history_not_allowed",
  "account_map_not_allowed",
  "mcp_disabled",
  "not_found",
  "report_not_found",
  "environment_not_found",
  "intent_not_found",
  "product_not_found",
  "method_not_allowed",
  "request_timeout",
  "challenge_used",
  "account_ref_conflict",
  "product_unavailable",
  "payment_already_used",
  "intent_expired",
  "intent_revoked",
  "conflict",
  "payload_too_large",
  "headers_too_large",
  "rate_limited",
  "quota_exhausted",
  "request_limit_reached",
  "internal_error",
  "facilitator_error",
  "payment_unavailable",
  "service_unavailable",
] as const;
export type ServiceCode = (typeof SERVICE_CODES)[number];

/**
 * How a table lies on a cluster of several database servers:
 *
 * - `tenant`: its rows belong to a workspace and are on the shard of that workspace, with all its others;
 * - `lookup`: small and written rarely, read before a workspace is known or across all of them: a copy on each server;
 * - `instance`: of the whole installation, or written by every process all the time: on the coordinator alone, so that
 *   neither jobs nor sign-in nor purchases wait for a server that is down.
 */
export type TableClass = "tenant" | "lookup" | "instance";

/** The column by which tenant tables are distributed. */
export const DISTRIBUTION_COLUMN = "workspace_id";

const LOOKUP = [
  "workspaces",
  "members",
  "invitations",
  "management_keys",
  "environment_lookup",
  "api_key_lookup",
  // Those of the instance count in every workspace.
  "observed_rules",
] as const;

const INSTANCE = [
  "users",
  "accounts",
  "sessions",
  "verification_tokens",
  "setup_links",
  "jobs",
  "secret_checks",
  "instance_notes",
  "rate_buckets",
  "probe_sightings",
  "agent_signatures",
  "oauth_records",
  "oauth_connections",
  "client_documents",
  "mcp_policy",
  "product_switches",
  "trial_intents",
  "trial_intent_events",
  "trial_blocks",
  "trial_refunds",
  "payment_attempts",
] as const;

/** The first one is the one with which all others are colocated. */
const TENANT = [
  "visits",
  "visit_signals",
  "visit_rules",
  "visit_slices",
  "closed_slices",
  "slice_marks",
  "account_links",
  "account_keys",
  "challenge_uses",
  "labels",
  "payload_sightings",
  "devices",
  "device_accounts",
  "device_addresses",
  "device_populations",
  "device_profiles",
  "device_shadows",
  "device_tokens",
  "network_tokens",
  "report_deliveries",
  "unit_slices",
  "usage_batches",
  "usage_days",
  "usage_marks",
  "trial_grants",
  "api_key_uses",
  "audit_log",
  "tool_calls",
  "refused_origins",
  "webhook_announcements",
  "webhook_deliveries",
  "webhook_endpoints",
  "web_apps",
  "allowed_origins",
  "api_keys",
  "report_views",
  "view_alerts",
  "cases",
  "case_items",
  "case_entries",
] as const;

/** Of schemas before 0.2, which a migration drops. */
const FORMER_TENANT = ["device_claims", "device_keys"] as const;

const classed = (names: readonly string[], kind: TableClass) => names.map((name) => [name, kind] as const);

/** Every table of the schema. */
export const TABLE_CLASSES: ReadonlyMap<string, TableClass> = new Map([
  ...classed(TENANT, "tenant"),
  ...classed(LOOKUP, "lookup"),
  ...classed(INSTANCE, "instance"),
]);

/** The class of a table of this schema or of an earlier one. */
export const classOf = (table: string): TableClass | undefined =>
  (FORMER_TENANT as readonly string[]).includes(table) ? "tenant" : TABLE_CLASSES.get(table);

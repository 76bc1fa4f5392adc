/**
 * Where a table is placed on a cluster:
 * - `tenant`: its rows belong to a workspace and are on that workspace's shard, with all its other rows.
 * - `lookup`: small, rarely written, and read before the workspace is known or across workspaces; every server has a
 * copy.
 * - `instance`: belongs to the whole installation or is written constantly by every process; kept on the coordinator
 * only, so that jobs, sign-in and purchases never depend on a server that is down.
 */
export type TableClass = "tenant" | "lookup" | "instance";

/** Distribution column of tenant tables. */
export const DISTRIBUTION_COLUMN = "workspace_id";

const LOOKUP = [
  "workspaces",
  "members",
  "invitations",
  "management_keys",
  "environment_lookup",
  "api_key_lookup",
  // Rules observed for the whole instance apply to every workspace.
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

/** All other tables are colocated with the first one. */
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

/** Tables of schemas before 0.2, dropped by a migration. */
const FORMER_TENANT = ["device_claims", "device_keys"] as const;

const classed = (names: readonly string[], kind: TableClass) => names.map((name) => [name, kind] as const);

/** Every table of the schema. */
export const TABLE_CLASSES: ReadonlyMap<string, TableClass> = new Map([
  ...classed(TENANT, "tenant"),
  ...classed(LOOKUP, "lookup"),
  ...classed(INSTANCE, "instance"),
]);

/** The class of a table of this or an earlier schema. */
export const classOf = (table: string): TableClass | undefined =>
  (FORMER_TENANT as readonly string[]).includes(table) ? "tenant" : TABLE_CLASSES.get(table);

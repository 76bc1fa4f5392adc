/**
 * Which feature owns each table: the only one whose statements name it. What others need of it they ask its owner for, or
 * put a part that the owner exports into a statement of their own. `db/owners.test.ts` reads every statement.
 */
export const OWNERS: Readonly<Record<string, readonly string[]>> = {
  "lib/platform/audit": ["audit_log"],
  "lib/platform/limits": ["rate_buckets"],
  "lib/tenancy/workspaces": ["workspaces", "members", "invitations"],
  "lib/tenancy/web-apps": ["web_apps", "environment_lookup", "allowed_origins", "refused_origins"],
  "lib/tenancy/api-keys": ["api_keys", "api_key_lookup", "api_key_uses"],
  "lib/tenancy/sign-in": ["users", "accounts", "sessions", "verification_tokens", "setup_links"],
  "lib/tenancy/views": ["report_views"],
  "lib/metering": ["report_deliveries", "unit_slices", "usage_batches", "usage_days", "usage_marks"],
  "lib/trials": [
    "trial_intents",
    "trial_intent_events",
    "trial_grants",
    "trial_blocks",
    "trial_refunds",
    "payment_attempts",
    "product_switches",
  ],
  "lib/visits/visit-store": [
    "challenge_uses",
    "visits",
    "devices",
    "device_tokens",
    "device_addresses",
    "device_profiles",
    "device_populations",
    "device_shadows",
    "network_tokens",
    "payload_sightings",
    "account_links",
    "device_accounts",
  ],
  "lib/visits/account-map": ["account_keys"],
  "lib/visits/agents": ["agent_signatures"],
  "lib/visits/probe": ["probe_sightings"],
  "lib/interfaces/oauth": ["oauth_records", "oauth_connections", "tool_calls", "mcp_policy"],
  "lib/operations/instance": ["secret_checks", "instance_notes"],
  "lib/operations/jobs": ["jobs"],
};

/** Tables that another feature names all the same, and why. The list only shrinks: one that is not needed any more fails. */
export const SHARED: readonly { table: string; feature: string; reason: string }[] = [
  {
    table: "users",
    feature: "lib/tenancy/workspaces",
    reason:
      "members are listed with their addresses by a join, and whoever is invited becomes a person with the membership",
  },
  {
    table: "workspaces",
    feature: "lib/visits/visit-store",
    reason: "which workspaces have devices to count is one statement over workspaces, devices and counts",
  },
];

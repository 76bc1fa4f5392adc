import { readdirSync, readFileSync } from "node:fs";

import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";

import * as schema from "./schema";

/**
 * The feature that owns each table, and the only one whose statements may name it. Other features ask the owner, or use
 * SQL fragments that the owner exports.
 */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  "lib/platform/audit": ["audit_log"],
  "lib/platform/limits": ["rate_buckets"],
  "lib/tenancy/workspaces": ["workspaces", "members", "invitations"],
  "lib/tenancy/web-apps": ["web_apps", "environment_lookup", "allowed_origins", "refused_origins"],
  "lib/tenancy/api-keys": ["api_keys", "api_key_lookup", "api_key_uses"],
  "lib/tenancy/management": ["management_keys"],
  "lib/tenancy/webhooks": ["webhook_endpoints", "webhook_deliveries", "webhook_announcements"],
  "lib/tenancy/sign-in": ["users", "accounts", "sessions", "verification_tokens", "setup_links"],
  "lib/tenancy/views": ["report_views"],
  "lib/tenancy/cases": ["cases", "case_items", "case_entries"],
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
    "visit_signals",
    "devices",
    "device_tokens",
    "device_addresses",
    "device_profiles",
    "device_populations",
    "device_shadows",
    "network_tokens",
    "payload_sightings",
    "account_links",
    "labels",
    "visit_rules",
    "device_accounts",
    "visit_slices",
    "closed_slices",
    "slice_marks",
  ],
  "lib/tenancy/rule-modes": ["observed_rules"],
  "lib/visits/account-map": ["account_keys"],
  "lib/visits/alerts": ["view_alerts"],
  "lib/visits/agents": ["agent_signatures"],
  "lib/visits/probe": ["probe_sightings"],
  "lib/interfaces/oauth": ["oauth_records", "oauth_connections", "client_documents", "tool_calls", "mcp_policy"],
  "lib/operations/instance": ["secret_checks", "instance_notes"],
  "lib/operations/jobs": ["jobs"],
};

/**
 * Tables that another feature names anyway, with the reason. This list only shrinks: an entry that is no longer needed
 * fails the test.
 */
const SHARED: readonly { table: string; feature: string; reason: string }[] = [
  {
    table: "users",
    feature: "lib/tenancy/workspaces",
    reason:
      "members are listed with their email addresses in one join, and accepting an invitation creates the user together with the membership",
  },
  ...["setup_links", "instance_notes", "secret_checks"].map((table) => ({
    table,
    feature: "lib/operations/backup",
    reason: "a restore ignores the rows of a first start, by table name",
  })),
];

const tableOf = new Map<string, string>(
  Object.entries(schema).flatMap(([name, value]) => (is(value, PgTable) ? [[name, getTableName(value)]] : [])),
);
const TABLES = [...new Set(tableOf.values())];
const NAME = String.raw`(?:only\s+)?(?:"?public"?\s*\.\s*)?"?([a-z_]+)"?`;

const withoutComments = (code: string) => code.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/(?<![:"'`])\/\/.*/g, "");

/** Exported names of the tables that a file imports, whatever it calls them locally. */
function importedTables(code: string): string[] {
  const names = [...code.matchAll(/import\s*\{([^}]*)\}\s*from\s*"(?:@\/|(?:\.\.\/)+)db\/schema[^"]*"/g)].flatMap(
    ([, list = ""]) =>
      list.split(",").map(
        (item) =>
          item
            .replace(/\btype\b/, "")
            .trim()
            .split(/\s+as\s+/)[0] ?? "",
      ),
  );
  // A namespace import of the whole schema: every member that is used.
  for (const [, whole = ""] of code.matchAll(/import\s*\*\s*as\s+(\w+)\s+from\s*"(?:@\/|(?:\.\.\/)+)db\/schema[^"]*"/g))
    names.push(...[...code.matchAll(new RegExp(String.raw`\b${whole}\.(\w+)`, "g"))].map(([, name = ""]) => name));
  return names.flatMap((name) => tableOf.get(name) ?? []);
}

/** Names in SQL at places where only a table or a named part of the statement can appear. */
function namesInSql(code: string): string[] {
  const after = String.raw`\b(?:from|join|into|update|using|truncate(?:\s+table)?|table|merge\s+into)\s+`;
  const first = [...code.matchAll(new RegExp(after + NAME, "gi"))].map(([, name = ""]) => name);
  const further = [...code.matchAll(/\b(?:from|using)\s([^()`;]*)/gi)].flatMap(([, list = ""]) =>
    list.split(",").flatMap((item) => new RegExp(String.raw`^\s*(?:lateral\s+)?${NAME}`, "i").exec(item)?.[1] ?? []),
  );
  return [...first, ...further].map((name) => name.toLowerCase());
}

/** Names with an underscore are unambiguous, so they count anywhere; quoted names count too. */
const isNamed = (code: string, table: string): boolean =>
  new RegExp(String.raw`\b${table}\b`, "i").test(table.includes("_") ? code : "") ||
  new RegExp(String.raw`(?:sql\.raw|identifier)\(\s*["'\x60]"?${table}\b`, "i").test(code);

/** The tables that a file touches: by imported identifiers, and by names in its SQL. */
function tablesTouched(source: string): Set<string> {
  const code = withoutComments(source);
  const inSql = new Set(namesInSql(code));
  return new Set([...importedTables(code), ...TABLES.filter((table) => inSql.has(table) || isNamed(code, table))]);
}

const featureOf = (file: string) => /^lib\/(?:metering|trials|[^/]+\/[^/]+)(?=\/)/.exec(file)?.[0] ?? file;
const ownerOf = new Map(Object.entries(OWNERS).flatMap(([owner, tables]) => tables.map((table) => [table, owner])));

const queries = readdirSync("lib", { recursive: true, encoding: "utf8" })
  .map((file) => `lib/${file}`)
  .filter((file) => /\/queries[^/]*\.ts$/.test(file) && !file.endsWith(".test.ts"))
  .map((file) => ({ file, feature: featureOf(file), code: readFileSync(file, "utf8") }));
const touched = queries.flatMap(({ file, feature, code }) =>
  [...tablesTouched(code)].map((table) => ({ file, feature, table })),
);

test("every table has one owner, which is the only feature whose statements name it", () => {
  expect([...ownerOf.keys()].sort()).toEqual([...TABLES].sort());
  expect(Object.values(OWNERS).flat()).toHaveLength(TABLES.length);
  const isShared = (table: string, feature: string) =>
    SHARED.some((shared) => shared.table === table && shared.feature === feature);
  const foreign = touched
    .filter(({ table, feature }) => ownerOf.get(table) !== feature && !isShared(table, feature))
    .map(({ file, table }) => `${file} touches ${table}, which belongs to ${ownerOf.get(table) ?? "nobody"}`);
  expect(foreign).toEqual([]);
});

test("no unused owner or exception is listed", () => {
  const isTouched = (table: string, feature: string) =>
    touched.some((each) => each.table === table && each.feature === feature);
  const unneeded = [...ownerOf].filter(([table, owner]) => !isTouched(table, owner));
  expect(unneeded).toEqual([]);
  expect(SHARED.filter(({ table, feature }) => !isTouched(table, feature))).toEqual([]);
});

test("no CTE has the name of a table, so that names in SQL are unambiguous", () => {
  const parts = queries.flatMap(({ file, code }) =>
    [...withoutComments(code).matchAll(/\b([a-z_]+) as (?:not )?(?:materialized )?\(/g)].flatMap(([, name = ""]) =>
      TABLES.includes(name) ? [`${file}: ${name}`] : [],
    ),
  );
  expect(parts).toEqual([]);
});

test.each([
  ["select 1 from visits where true", ["visits"]],
  ["select 1 FROM  only public.visits v", ["visits"]],
  ['delete from "devices" d using network_tokens n', ["devices", "network_tokens"]],
  ["select 1 from batch b, members m", ["members"]],
  ["select 1 from x, lateral visits v", ["visits"]],
  ["merge into users u using x on true", ["users"]],
  ["truncate table jobs", ["jobs"]],
  ['sql.raw("sessions")', ["sessions"]],
  ["`${table('device_tokens')}`", ["device_tokens"]],
  ['import { visits as v } from "@/db/schema";', ["visits"]],
  ['import { visits } from "../../../db/schema/visits";', ["visits"]],
  ['import * as all from "@/db/schema"; all.webApps', ["web_apps"]],
  ["select devices, users.x from part -- nothing", []],
  ["/* from visits */ // join devices", []],
  ['import { readDevice } from "@/lib/visits/devices";', []],
])("the check sees which tables %s touches", (code, tables) => {
  expect([...tablesTouched(code)].sort()).toEqual([...tables].sort());
});

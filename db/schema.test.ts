import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";

import { getTableName, is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";

import * as schema from "./schema";
import { createTestDatabase } from "@/test/database";

const { pool } = await createTestDatabase();

const tables = Object.values(schema).filter((value) => is(value, PgTable));

/** Keys and indexes that do not start with `workspace_id`, and why they may. */
const NOT_LED_BY_WORKSPACE: Record<string, string> = {
  users_pkey: "a person may belong to several workspaces",
  users_email_unique: "a person may belong to several workspaces",
  accounts_provider_provider_account_id_pk: "belongs to a person",
  sessions_pkey: "belongs to a person",
  sessions_user: "belongs to a person",
  verification_tokens_identifier_token_pk: "belongs to a person",
  setup_links_pkey: "there is no workspace yet",
  members_user: "which workspaces a person belongs to",
  invitations_token: "finds the workspace of a presented link",
  api_key_lookup_pkey: "finds the workspace of a presented key",
  management_keys_hash: "finds the workspace of a presented key",
  api_key_uses_hour: "old rows are deleted across workspaces",
  environment_lookup_pkey: "finds the workspace of a public environment id",
  rate_buckets_pkey: "limits per IP address have no workspace",
  probe_sightings_nonce_family_pk: "a datagram knows its challenge, not the workspace",
  jobs_pkey: "belongs to the instance",
  secret_checks_pkey: "belongs to the instance",
  instance_notes_pkey: "belongs to the instance",
  product_switches_pkey: "belongs to the instance",
  trial_intents_pkey: "a purchase has no workspace until it is paid",
  trial_intents_unresolved: "the reconciler scans all purchases",
  trial_intents_open: "the expiry of purchases scans all of them",
  trial_intents_active: "the expiry of trials scans all of them",
  trial_intents_created: "operators list all purchases",
  trial_intents_claim: "a claim token names a purchase that has no workspace yet",
  trial_intent_events_intent_id_revision_pk: "belongs to a purchase",
  trial_blocks_kind_value_pk: "belongs to the instance",
  trial_refunds_intent_id_transaction_pk: "belongs to a purchase",
  payment_attempts_intent_id_attempt_id_pk: "belongs to a purchase",
  payment_attempts_once: "a payment counts once in the whole instance",
  payment_attempts_not_final: "a job reads settled payments until a final block shows them",
  payment_attempts_settled_once: "belongs to a purchase",
  oauth_records_model_record_id_pk: "a token or registration is presented before any workspace is known",
  oauth_records_grant: "all tokens of a grant",
  oauth_records_uid: "pending requests have no workspace",
  oauth_records_expiry: "expired rows are deleted across workspaces",
  oauth_connections_grant: "finds the workspace of a presented token",
  mcp_policy_pkey: "belongs to the instance",
  client_documents_pkey: "what a client publishes belongs to no workspace",
  agent_signatures_pkey: "a signature is presented to the instance, not to a workspace",
  tool_calls_at: "old rows are deleted across workspaces",
};

type IndexRow = { index: string; first: string };

test("workspace_id leads every key and index of tenant data; the exceptions are listed with their reasons", async () => {
  const rows = await pool<IndexRow[]>`
    select c.relname as index, coalesce(a.attname, '(expression)') as first
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_class t on t.oid = i.indrelid
    join pg_namespace n on n.oid = t.relnamespace
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where n.nspname = 'public' and not t.relispartition`;
  expect(rows.length).toBeGreaterThan(20);
  const others = rows.filter((row) => row.first !== "workspace_id").map((row) => row.index);
  expect(new Set(others)).toEqual(new Set(Object.keys(NOT_LED_BY_WORKSPACE)));
});

test("every foreign key of tenant data contains workspace_id", async () => {
  const rows = await pool<{ name: string; table: string; columns: string[] }[]>`
    select c.conname as name, c.conrelid::regclass::text as table,
      array(select a.attname::text from unnest(c.conkey) k join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k) as columns
    from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace`;
  const others = rows.filter((row) => !row.columns.includes("workspace_id")).map((row) => row.table);
  expect(new Set(others)).toEqual(new Set(["accounts", "sessions"]));
});

test("no table uses a sequence", async () => {
  const rows = await pool`select sequencename from pg_sequences where schemaname = 'public'`;
  expect(rows).toEqual([]);
});

test("every table has the intended kind and persistence", async () => {
  const rows = await pool<{ name: string; kind: string }[]>`
    select relname::text as name, relkind::text || '/' || relpersistence::text as kind
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  const special = rows.filter((row) => row.kind !== "r/p").map((row) => `${row.name} ${row.kind}`);
  expect(new Set(special)).toEqual(
    new Set([
      "visits p/p",
      "visit_signals p/p",
      "visit_rules p/p",
      "report_deliveries p/p",
      "account_links p/p",
      "rate_buckets r/u",
      "probe_sightings r/u",
    ]),
  );
});

test.each(tables.map((table) => [getTableName(table), table] as const))(
  "%s in the database has the declared columns",
  async (name, table) => {
    const rows = await pool<{ name: string; type: string; required: boolean }[]>`
    select attname::text as name, format_type(atttypid, atttypmod) as type, attnotnull as required
    from pg_attribute where attrelid = ${name}::regclass and attnum > 0 and not attisdropped`;
    const declared = getTableConfig(table).columns.map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      required: column.notNull,
    }));
    const spelled = rows.map((row) => ({ ...row, type: row.type.replace("timestamp(6)", "timestamp (6)") }));
    expect(new Set(spelled.map((row) => JSON.stringify(row)))).toEqual(
      new Set(declared.map((row) => JSON.stringify(row))),
    );
  },
);

test("the migrations produce the declared schema", { timeout: 60_000 }, () => {
  mkdirSync(".test", { recursive: true }); // drizzle-kit takes relative folders only
  const folder = mkdtempSync(".test/migrations-");
  try {
    cpSync("db/migrations", folder, { recursive: true });
    const before = readdirSync(folder);
    const output = execFileSync(
      process.execPath,
      [
        "node_modules/drizzle-kit/bin.cjs",
        "generate",
        "--dialect",
        "postgresql",
        "--schema",
        "./db/schema/index.ts",
        "--out",
        folder,
      ],
      { encoding: "utf8" },
    );
    expect(output).toContain("No schema changes");
    expect(readdirSync(folder)).toEqual(before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

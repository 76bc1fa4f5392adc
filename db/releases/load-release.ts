import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import { createGunzip } from "node:zlib";

import postgres from "postgres";

/** Relative to the repository root, the working directory of tests and scripts. */
export const RELEASES = "releases/database";

/** A returning browser: its stored token, and what it sends. */
export type Returning = {
  token: string;
  drawn: { userAgent: string; acceptLanguage: string; address: string; signals: object };
  deviceId: string;
  accessCount: number;
};

type Noted = { intentId: string; claimToken: string };

/** What the release returned; written by `scripts/release-database`. */
export type Expected = {
  version: string;
  baseUrl: string;
  secrets: Record<"AUTH_SECRET" | "KEY_PEPPER" | "KEKS", string>;
  madeAt: string;
  workspaces: {
    plan: string;
    workspaceId: string;
    environmentId: string;
    origin: string;
    keys: { accepted: string[]; refused: string[] };
    reports: { imprint: string; sha256: string }[];
    accounts: { imprint: string; account: string; sha256: string }[];
    history?: { path: string; body: string };
    returning: Returning[];
    totals: { visits: number; reports: string };
    usage: { range: { from: string; to: string }; total: Record<string, number> };
  }[];
  sessions: { email: string; cookie: string }[];
  client: { clientId: string; workspaceId: string; accessToken: string; refreshToken: string };
  trials: Record<
    | "payment_required"
    | "payment_failed"
    | "payment_in_progress"
    | "provisioning"
    | "reconciliation_pending"
    | "expired",
    Noted
  > & {
    revoked: Noted & { apiKey: string };
    active: Noted & {
      apiKey: string;
      environmentId: string;
      trialId: string;
      origin: string;
      imprint: string;
      sha256: string;
      returning: Returning[];
    };
  };
};

export const readExpected = (version: string): Expected =>
  JSON.parse(readFileSync(join(RELEASES, version, "expected.json"), "utf8")) as Expected;

/** Runs a `pg_dump` file: statements as written, and the rows of each COPY as a stream. */
async function restore(url: string, file: string): Promise<void> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  let statements: string[] = [];
  let rows: Awaited<ReturnType<postgres.PendingQuery<never>["writable"]>> | undefined;
  try {
    for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
      if (rows) {
        if (line === "\\.") {
          await finished(rows.end());
          rows = undefined;
        } else if (!rows.write(`${line}\n`)) await new Promise((resolve) => rows?.once("drain", resolve));
      } else if (/^COPY .* FROM stdin;$/.test(line)) {
        await sql.unsafe(statements.join("\n"));
        statements = [];
        rows = await sql.unsafe(line).writable();
      } else if (!/^\\(un)?restrict /.test(line)) statements.push(line);
    }
    await sql.unsafe(statements.join("\n"));
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Columns with expiry times. */
const ENDS: [table: string, ...columns: string[]][] = [
  ["sessions", "expires"],
  ["oauth_records", "expires_at"],
  ["oauth_connections", "expires_at"],
  ["api_keys", "expires_at"],
  ["invitations", "expires_at"],
  ["trial_intents", "pay_until", "trial_expires_at", "deliver_until"],
  ["trial_grants", "expires_at"],
];

/** Shifts expiry times by the age of the dump, as if it had been made just before the upgrade. */
async function renew(url: string, madeAt: string): Promise<void> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    const age = `(clock_timestamp() - '${madeAt}'::timestamptz)`;
    for (const [table, ...columns] of ENDS)
      await sql.unsafe(`update ${table} set ${columns.map((name) => `${name} = ${name} + ${age}`).join(", ")}`);
    for (const field of ["exp", "iat", "iiat"])
      await sql.unsafe(`
        update oauth_records set payload =
          jsonb_set(payload, '{${field}}', to_jsonb(((payload->>'${field}')::bigint + extract(epoch from ${age}))::bigint))
        where payload ? '${field}'`);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Loads a release's database into an empty one, as if it had just been created. */
export async function loadRelease(url: string, version: string): Promise<Expected> {
  const expected = readExpected(version);
  await restore(url, join(RELEASES, version, "database.sql.gz"));
  await renew(url, expected.madeAt);
  return expected;
}

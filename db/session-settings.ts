import postgres from "postgres";

import { STATEMENT_DEADLINE_MS } from "./deadline";

/** What the sessions of the service set; a pooler may drop them. */
export const SESSION_SETTINGS = {
  // Hot data is in memory: at the default of 4 small tables are scanned instead of read by their keys.
  random_page_cost: 1.1,
  statement_timeout: STATEMENT_DEADLINE_MS - 500,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

/** PgBouncer, when a client sends a parameter that it neither tracks nor was told to ignore. */
const REFUSED = /unsupported startup parameter/;

/** A value that neither the role nor the server has: it tells whether the settings of a connection arrive. */
const MARK_MS = SESSION_SETTINGS.statement_timeout + 1;

export type Sessions = {
  /** Whether a connection may begin with settings, and whether they hold. */
  settings: "applied" | "ignored" | "refused";
  /** Whether the server ends statements that take too long, by these settings or those of the role. */
  haveDeadline: boolean;
};

/** The deadline of the sessions at this address, in milliseconds; 0 when there is none. */
async function readDeadline(url: string, settings: Record<string, number>): Promise<number> {
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    prepare: false,
    connect_timeout: 10,
    onnotice: () => undefined,
    connection: { application_name: "imprint-start", ...settings },
  });
  try {
    const [row] = await sql<{ ms: number }[]>`
      select setting::int as ms from pg_settings where name = 'statement_timeout'`;
    return row?.ms ?? 0;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * What becomes of `SESSION_SETTINGS` at this address. A pooler in transaction mode lends server connections to several
 * clients: PgBouncer refuses settings at the start of a connection, or ignores those that it was told to.
 */
export async function trySessions(url: string): Promise<Sessions> {
  try {
    const deadlineMs = await readDeadline(url, { ...SESSION_SETTINGS, statement_timeout: MARK_MS });
    return { settings: deadlineMs === MARK_MS ? "applied" : "ignored", haveDeadline: deadlineMs > 0 };
  } catch (error) {
    if (!(error instanceof Error) || !REFUSED.test(error.message)) throw error;
    return { settings: "refused", haveDeadline: (await readDeadline(url, {})) > 0 };
  }
}

/** How connections to this address begin: through a pooler that refuses or ignores settings, with none and unnamed statements. */
export async function sessionOptions(url: string): Promise<{ prepare: boolean; hasSettings: boolean }> {
  const { settings } = await trySessions(url);
  return { prepare: settings === "applied", hasSettings: settings !== "refused" };
}

/** Statements by which the server itself gives its sessions the settings, whatever a pooler does. */
export const settingsOfRole = (): string =>
  Object.entries(SESSION_SETTINGS)
    .map(([name, value]) => `alter role ROLE in database NAME set ${name} = '${value}';`)
    .join(" ");

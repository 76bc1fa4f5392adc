import { openClient } from "./open-client";
import { STATEMENT_DEADLINE_MS } from "./deadlines";

/**
 * Settings of the service's sessions; a pooler may drop them. The ones from `datestyle` on guarantee the formats that
 * the driver parses and the isolation level that the statements assume, whatever the server, the database or the role
 * has configured.
 */
export const SESSION_SETTINGS = {
  // Hot data is in memory: at the default of 4, small tables are scanned instead of read by key.
  random_page_cost: 1.1,
  statement_timeout: STATEMENT_DEADLINE_MS - 500,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
  datestyle: "ISO, YMD",
  intervalstyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: 1,
  standard_conforming_strings: "on",
  default_transaction_isolation: "read committed",
} as const;

/** PgBouncer's error for a parameter that it neither tracks nor is configured to ignore. */
const REFUSED = /unsupported startup parameter/;

/** A value that neither role nor server has configured, to detect whether startup settings take effect. */
const MARK_MS = SESSION_SETTINGS.statement_timeout + 1;

export type Sessions = {
  /** What happens to startup settings. */
  settings: "applied" | "ignored" | "refused";
  /** Whether the server cancels statements that take too long, by these settings or by those of the role. */
  haveDeadline: boolean;
};

/** The settings without which values are misread or concurrent writes fail. PostgreSQL's defaults satisfy them. */
const FITS: Record<string, (value: string) => boolean> = {
  datestyle: (value) => value.startsWith("ISO"),
  bytea_output: (value) => value === "hex",
  standard_conforming_strings: (value) => value === "on",
  default_transaction_isolation: (value) => value === "read committed",
};

type SessionState = {
  /** The statement timeout in milliseconds; 0 if there is none. */
  deadlineMs: number;
  /** Settings with unsuitable values, as `name = value`. */
  unfit: string[];
};

/** Reads the settings of a session that starts with `settings`. */
async function readSession(url: string, settings: Record<string, number | string>): Promise<SessionState> {
  const sql = openClient(url, {
    max: 1,
    fetch_types: false,
    prepare: false,
    connect_timeout: 10,
    onnotice: () => undefined,
    connection: { application_name: "imprint-start", ...settings },
  });
  try {
    const rows = await sql<{ name: string; value: string }[]>`
      select lower(name) as name, setting as value from pg_settings
      where lower(name) in ${sql(["statement_timeout", ...Object.keys(FITS)])}`;
    return {
      deadlineMs: Number(rows.find(({ name }) => name === "statement_timeout")?.value ?? 0),
      unfit: rows.flatMap(({ name, value }) => (FITS[name]?.(value) === false ? [`${name} = ${value}`] : [])),
    };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function refuseUnfit({ unfit }: SessionState): void {
  if (unfit.length === 0) return;
  throw new Error(
    `A pooler drops session settings, and with those of the server values would be read incorrectly: ${unfit.join("; ")}. Run once for the role and database: ${settingsOfRole()}`,
  );
}

/**
 * Determines what happens to `SESSION_SETTINGS` at this URL. A pooler in transaction mode shares server connections
 * between clients: PgBouncer rejects startup settings, or ignores those it is configured to ignore.
 *
 * @throws Error if the settings do not take effect and those of the server do not suffice
 */
export async function trySessions(url: string): Promise<Sessions> {
  const tried = await readSession(url, { ...SESSION_SETTINGS, statement_timeout: MARK_MS }).catch((error: unknown) => {
    if (!(error instanceof Error) || !REFUSED.test(error.message)) throw error;
  });
  const state = tried ?? (await readSession(url, {}));
  refuseUnfit(state);
  if (!tried) return { settings: "refused", haveDeadline: state.deadlineMs > 0 };
  return {
    settings: state.deadlineMs === MARK_MS ? "applied" : "ignored",
    haveDeadline: state.deadlineMs > 0,
  };
}

/**
 * Connection options for this URL: through a pooler that rejects startup settings there are none; if it rejects or
 * ignores them, statements are unnamed.
 */
export async function sessionOptions(url: string): Promise<{ prepare: boolean; hasSettings: boolean }> {
  const { settings } = await trySessions(url);
  return { prepare: settings === "applied", hasSettings: settings !== "refused" };
}

/** SQL that configures the settings for the role on the server, independent of any pooler. */
export const settingsOfRole = (): string =>
  Object.entries(SESSION_SETTINGS)
    .map(([name, value]) => `alter role ROLE in database NAME set ${name} = '${value}';`)
    .join(" ");

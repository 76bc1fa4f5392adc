import { openClient } from "./open-client";
import { STATEMENT_DEADLINE_MS } from "./deadlines";

/**
 * What the sessions of the service set; a pooler may drop them. The last ones keep what is read in the form that the driver
 * reads, and transactions as the statements are written for, whatever the server, the database or the role says.
 */
export const SESSION_SETTINGS = {
  // Hot data is in memory: at the default of 4 small tables are scanned instead of read by their keys.
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

/** Those of them without which values are read wrongly, or concurrent writes fail. PostgreSQL's own defaults fit. */
const FITS: Record<string, (value: string) => boolean> = {
  datestyle: (value) => value.startsWith("ISO"),
  bytea_output: (value) => value === "hex",
  standard_conforming_strings: (value) => value === "on",
  default_transaction_isolation: (value) => value === "read committed",
};

type SessionState = {
  /** In milliseconds; 0 when there is none. */
  deadlineMs: number;
  /** Settings that do not fit, as `name = value`. */
  unfit: string[];
};

/** What holds for the sessions at this address that begin with `settings`. */
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
    `A pooler drops the settings of sessions, and those of the server would have values read wrongly: ${unfit.join("; ")}. Run once, for the role and the database: ${settingsOfRole()}`,
  );
}

/**
 * What becomes of `SESSION_SETTINGS` at this address. A pooler in transaction mode lends server connections to several
 * clients: PgBouncer refuses settings at the start of a connection, or ignores those that it was told to.
 *
 * @throws Error when they do not arrive, and those of the server do not fit
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

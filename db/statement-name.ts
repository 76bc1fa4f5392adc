import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";

import * as schema from "./schema";

/** Maximum number of cached names. A statement with a list has different SQL for each list length. */
const MAX_REMEMBERED = 2_000;

const TABLES: ReadonlySet<string> = new Set(
  Object.values(schema).flatMap((value) => (is(value, PgTable) ? [getTableName(value)] : [])),
);
const CHANGE = /\b(insert\s+into|update|delete\s+from)\s+(?:only\s+)?"?([a-z_]+)"?/gi;
const READ = /\b(?:from|join)\s+(?:only\s+)?"?([a-z_]+)"?/gi;

const given = new Map<string, string>();
const derived = new Map<string, string>();

/** Assigns a name to a statement's SQL. */
export function nameStatement(text: string, name: string): void {
  given.set(text, name);
}

/** Verb and table of the statement's write, or else of its first read of a schema table. */
function derive(text: string): string {
  if (text === "begin" || text === "commit") return text;
  for (const [, verb = "", table = ""] of text.matchAll(CHANGE))
    if (TABLES.has(table)) return `${verb.slice(0, 6).toLowerCase()} ${table}`;
  for (const [, table = ""] of text.matchAll(READ)) if (TABLES.has(table)) return `select ${table}`;
  return "other";
}

/**
 * Name of a statement in logs, metrics and traces: the assigned one, or a verb and a table from a closed list. Never
 * contains caller input.
 */
export function statementName(text: string): string {
  const known = given.get(text) ?? derived.get(text);
  if (known !== undefined) return known;
  const name = derive(text);
  if (derived.size < MAX_REMEMBERED) derived.set(text, name);
  return name;
}

/** Name of the failed statement, from the first error in the cause chain that carries its SQL. */
export function failedStatement(error: unknown): string | undefined {
  for (let at = error, depth = 0; typeof at === "object" && at !== null && depth < 8; depth += 1) {
    if ("query" in at && typeof at.query === "string") return statementName(at.query);
    at = "cause" in at ? at.cause : undefined;
  }
  return undefined;
}

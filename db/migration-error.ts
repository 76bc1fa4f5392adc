import { causes } from "./failures";
import type { Migration } from "./migration-list";

/** Number of characters of a statement to quote in a message. */
const QUOTED = 200;

/** Remedies by SQLSTATE. */
const REMEDIES: Readonly<Record<string, string>> = {
  "25006": "The server is read-only: let DATABASE_URL name the primary.",
  "40P01": "Other sessions hold locks: end their transactions (see pg_stat_activity).",
  "42501":
    "The role of DATABASE_URL has to own its database and the schema public: `alter database NAME owner to ROLE`.",
  "42P06": "Another program uses this database: give Imprint a separate one.",
  "42P07":
    "Another program uses this database, or parts of a backup were restored into it: give Imprint a separate one.",
  "42701": "The schema was changed by hand: restore a backup, or undo that change.",
  "53100": "The database disk is full: free some space.",
  "55P03": "Another session holds a lock: end its transaction (see pg_stat_activity).",
  "57014": "The server cancelled it: check for a statement_timeout on the role, the database or a pooler.",
};
const REMEDY = "Fix what the error names, or start the previous version of Imprint again.";

const fieldOf = (error: object, name: "code" | "message"): string => {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value : "";
};

/** Describes a failed migration: its name, the statement, the server's message, and a remedy. */
export function migrationError(
  error: unknown,
  { name, statements }: Pick<Migration, "name" | "statements">,
  index: number,
): Error {
  const cause = [...causes(error)].findLast((at) => fieldOf(at, "message") !== "");
  const code = cause === undefined ? "" : fieldOf(cause, "code");
  const reason = cause === undefined ? String(error) : fieldOf(cause, "message");
  const text = (statements[index] ?? "").trim().replaceAll(/\s+/g, " ");
  const quoted = text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
  const which = `statement ${index + 1} of ${statements.length}`;
  return new Error(
    [
      `The migration ${name} failed at ${which}: ${reason}${code === "" ? "" : ` (${code})`}.`,
      `  ${quoted}`,
      `Nothing was changed. ${REMEDIES[code] ?? REMEDY}`,
    ].join("\n"),
    { cause: error },
  );
}

import { is, SQL, sql } from "drizzle-orm";

import { ComposedReport, wholeReport } from "@/lib/visits/reports/domain/whole-report";
import { composedColumn } from "./visit-values";

const utc = (column: string): SQL =>
  sql`to_char(${sql.raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const quoted = (text: SQL): SQL => sql`'"', ${text}, '"'`;

const windowOf = (name: "5m" | "1h" | "24h") => {
  const column = (kind: string) => sql.raw(`activity.${kind}_${name}`);
  return { events: column("events"), distinct_ips: column("ips"), distinct_countries: column("countries") };
};

const composed = Object.fromEntries(
  ComposedReport.keyof().options.map((field) => [field, sql.raw(`event.${composedColumn(field)}`)]),
) as Record<keyof ComposedReport, SQL>; // one entry for each field

/** Every value is a list of `concat` arguments: numbers, booleans, times or ids, none of which need escaping. */
const REPORT = wholeReport<SQL, SQL>(composed, {
  createdAt: quoted(utc("event.last_recorded_at")),
  deviceId: sql`'"dev_', replace(event.device_id::text, '-', ''), '"'`,
  isSeenBefore: sql`(event.access_count > 1)::text`,
  accessCount: sql`event.access_count`,
  firstSeenAt: quoted(utc("event.first_seen_at")),
  previousSeenAt: sql`coalesce('"' || ${utc("event.previous_recorded_at")} || '"', 'null')`,
  activity: { "5m": windowOf("5m"), "1h": windowOf("1h"), "24h": windowOf("24h") },
});

type Tree = SQL | { [key: string]: Tree };

/** The JSON text of an object as literal pieces and the values in between. */
const jsonPieces = (tree: Tree): (string | SQL)[] =>
  is(tree, SQL)
    ? [tree]
    : [
        "{",
        ...Object.entries(tree).flatMap(([key, value], index) => [
          `${index === 0 ? "" : ","}${JSON.stringify(key)}:`,
          ...jsonPieces(value),
        ]),
        "}",
      ];

/** Merges adjacent literals, as PostgreSQL accepts at most 100 arguments. */
function concatOf(pieces: readonly (string | SQL)[]): SQL {
  const values = pieces.filter((piece) => is(piece, SQL));
  const literals = pieces
    .map((piece) => (is(piece, SQL) ? "\0" : piece))
    .join("")
    .split("\0");
  const parts = literals.flatMap((literal, index) => [
    ...(literal === "" ? [] : [sql.raw(`'${literal}'`)]),
    ...values.slice(index, index + 1),
  ]);
  return sql`concat(${sql.join(parts, sql`, `)})`;
}

/** SQL expression for the JSON text of a Report. Needs the visit as `event`, its device's newest, and its `activity`. */
export const REPORT_TEXT = concatOf(jsonPieces(REPORT));

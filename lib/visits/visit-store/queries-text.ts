import { type SQL, sql } from "drizzle-orm";

import type { Values } from "@/db/prepared";
import type { ComposedReport } from "./compose-report";

const utc = (column: string): SQL =>
  sql`to_char(${sql.raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const window = (name: "5m" | "1h" | "24h"): SQL => {
  const column = (kind: string) => sql.raw(`activity.${kind}_${name}`);
  return sql`'"${sql.raw(name)}":{"events":', ${column("events")}, ',"distinct_ips":', ${column("ips")},
    ',"distinct_countries":', ${column("countries")}, '}'`;
};

/**
 * The JSON text of a Report, for a statement that has the `event` of the newest visit of a device and its `activity`.
 * Every value that is put in here is a number, a truth value, a time or an identifier: none needs escaping.
 * Its own values: `reportTextValues`.
 */
export const REPORT_TEXT = sql`concat(${sql.placeholder("reportHead")}::text,
    ',"created_at":"', ${utc("event.last_recorded_at")},
    '","device":{"id":"dev_', replace(event.device_id::text, '-', ''),
    '","seen_before":', (event.access_count > 1)::text, ',"access_count":', event.access_count,
    ',"first_seen_at":"', ${utc("event.first_seen_at")},
    '","previous_seen_at":', coalesce('"' || ${utc("event.previous_recorded_at")} || '"', 'null'),
    '},', ${sql.placeholder("reportMiddle")}::text,
    ',"activity":{', ${window("5m")}, ',', ${window("1h")}, ',', ${window("24h")}, '}}')`;

export const reportTextValues = ({ schema_version: schemaVersion, imprint, ...rest }: ComposedReport): Values => ({
  reportHead: JSON.stringify({ schema_version: schemaVersion, imprint }).slice(0, -1),
  reportMiddle: JSON.stringify(rest).slice(1, -1),
});

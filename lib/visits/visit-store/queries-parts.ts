import { type SQL, sql } from "drizzle-orm";

import { eventIdFloor } from "@/db/partitions";
import { idToUuid } from "@/lib/contract/ids";

const { placeholder } = sql;

/** Placeholders of the prepared statements. Their values are documented in `visit-values.ts`. */
export const WORKSPACE = sql`${placeholder("workspace")}::uuid`;
export const EVENT = sql`${placeholder("event")}::uuid`;
export const TOKEN = sql`${placeholder("token")}::uuid`;
export const ACCEPTANCE = sql`${placeholder("acceptance")}::bytea`;

/** Digests of what a visit sent. */
export const PAYLOAD = {
  kind: sql`${placeholder("payloadKind")}::bigint`,
  durations: sql`${placeholder("payloadDurations")}::bigint`,
  allDurations: sql`${placeholder("payloadAllDurations")}::bigint`,
  token: sql`${placeholder("payloadToken")}::bigint`,
  network: sql`${placeholder("payloadNetwork")}::bigint`,
  picture: sql`${placeholder("payloadPicture")}::bigint`,
} as const;

/**
 * Stored in `evidence` if `evidence_packed` has the actual evidence, so that 0.1 has something to show during a rolling
 * upgrade.
 */
export const EVIDENCE_BESIDE_PACKED = sql.raw(`'{"risk":[]}'`);

export const TODAY = sql`(statement_timestamp() at time zone 'UTC')::date`;

/** A contract id as a UUID parameter. */
export const uuid = (id: string): SQL => sql`${idToUuid(id)}::uuid`;

export const uuids = (ids: readonly string[]): SQL => sql`${`{${ids.map(idToUuid).join()}}`}::uuid[]`;

/** Milliseconds since 1970 as text, since the driver returns `bigint` and `numeric` as text anyway. */
export const milliseconds = (column: SQL): SQL => sql`floor(extract(epoch from ${column}) * 1000)::text`;

/** Parses the result of `milliseconds`. */
export const instantOf = (text: string): Date => new Date(Number(text));

/** A UTC time in ISO 8601 with microseconds, as in exports. */
export const isoInstant = (column: string): SQL =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);

/** Times as an array. */
export const listedTimes = (dates: readonly Date[]): SQL =>
  sql`${`{${dates.map((date) => date.toISOString()).join()}}`}::timestamptz[]`;

/** Time ranges as rows `s` with `starts` and `ends`. */
export const rangesOf = (ranges: readonly { from: Date; to: Date }[]): SQL =>
  sql`unnest(${listedTimes(ranges.map(({ from }) => from))}, ${listedTimes(ranges.map(({ to }) => to))}) s(starts, ends)`;

/** A PostgreSQL array literal of strings. */
export const textList = (values: readonly (string | number)[]): SQL => {
  const quoted = values.map((value) => `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`);
  return sql`${`{${quoted.join()}}`}`;
};

/** Allowed difference between process and database clocks: event ids use the process clock. */
export const CLOCK_SKEW_MS = 5 * 60_000;

/** Limits rows by event id to a time range, so that the planner prunes other partitions. */
export const eventsBetween = (from: Date, to: Date, eventId = sql`v.event_id`): SQL => sql`
  ${eventId} >= ${eventIdFloor(new Date(from.getTime() - CLOCK_SKEW_MS))}::uuid
    and ${eventId} < ${eventIdFloor(new Date(to.getTime() + CLOCK_SKEW_MS))}::uuid`;

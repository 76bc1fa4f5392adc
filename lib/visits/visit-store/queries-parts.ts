import { type SQL, sql } from "drizzle-orm";

import { eventIdFloor } from "@/db/partitions";
import { idToUuid } from "@/lib/contract/ids";

const { placeholder } = sql;

/** Placeholders of the prepared statements; `visit-values.ts` has what they stand for. */
export const WORKSPACE = sql`${placeholder("workspace")}::uuid`;
export const EVENT = sql`${placeholder("event")}::uuid`;
export const TOKEN = sql`${placeholder("token")}::uuid`;
export const ACCEPTANCE = sql`${placeholder("acceptance")}::bytea`;
export const ADDRESS = sql`${placeholder("address")}::inet`;

/** Digests of what a visit sent. */
export const PAYLOAD = {
  kind: sql`${placeholder("payloadKind")}::bigint`,
  durations: sql`${placeholder("payloadDurations")}::bigint`,
  allDurations: sql`${placeholder("payloadAllDurations")}::bigint`,
  token: sql`${placeholder("payloadToken")}::bigint`,
  network: sql`${placeholder("payloadNetwork")}::bigint`,
  picture: sql`${placeholder("payloadPicture")}::bigint`,
} as const;

/** The evidence of a visit where `evidence_packed` has it: what 0.1 can show while it runs with a later version. */
export const EVIDENCE_BESIDE_PACKED = sql.raw(`'{"risk":[]}'`);

export const TODAY = sql`(statement_timestamp() at time zone 'UTC')::date`;

/** An identifier of the contract as a parameter. */
export const uuid = (id: string): SQL => sql`${idToUuid(id)}::uuid`;

export const uuids = (ids: readonly string[]): SQL => sql`${`{${ids.map(idToUuid).join()}}`}::uuid[]`;

/** Milliseconds since 1970 as text: a driver reads `bigint` as text, and `numeric` too. */
export const milliseconds = (column: SQL): SQL => sql`floor(extract(epoch from ${column}) * 1000)::text`;

/** The instant that `milliseconds` names. */
export const instantOf = (text: string): Date => new Date(Number(text));

/** An instant of ISO 8601 to the microsecond, in UTC, as exports have it. */
export const isoInstant = (column: string): SQL =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);

/** Instants as an array. */
export const listedTimes = (dates: readonly Date[]): SQL =>
  sql`${`{${dates.map((date) => date.toISOString()).join()}}`}::timestamptz[]`;

/** Times as rows `s` with `starts` and `ends`. */
export const rangesOf = (ranges: readonly { from: Date; to: Date }[]): SQL =>
  sql`unnest(${listedTimes(ranges.map(({ from }) => from))}, ${listedTimes(ranges.map(({ to }) => to))}) s(starts, ends)`;

/** PostgreSQL's own form of a list of texts. */
export const textList = (values: readonly (string | number)[]): SQL => {
  const quoted = values.map((value) => `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`);
  return sql`${`{${quoted.join()}}`}`;
};

/** How far process and database clocks may differ: event ids carry the process clock. */
export const CLOCK_SKEW_MS = 5 * 60_000;

/** Rows whose event ids fit the times between two instants: spares the database the other months. */
export const eventsBetween = (from: Date, to: Date, eventId = sql`v.event_id`): SQL => sql`
  ${eventId} >= ${eventIdFloor(new Date(from.getTime() - CLOCK_SKEW_MS))}::uuid
    and ${eventId} < ${eventIdFloor(new Date(to.getTime() + CLOCK_SKEW_MS))}::uuid`;

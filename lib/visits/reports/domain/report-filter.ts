import { isTimestamp } from "@/lib/platform/calendar";
import type { Choice } from "@/lib/contract/report-filters";
import { type CONNECTION_TYPES, type Reason, REPORT_STATUSES, type ReportStatus } from "@/lib/contract/report";
import { AppError } from "@/lib/contract/errors";

/** A single value, several values, or all except some. */
export type OneOrChoice<T> = T | Choice<T> | undefined;

/** Normalizes a filter to a choice. Undefined if it is not set. */
export const choiceOf = <T extends string | number>(filter: OneOrChoice<T>): Choice<T> | undefined =>
  filter === undefined || typeof filter === "object" ? filter : { isExcluded: false, values: [filter] };

/** Visits that a list or count covers. `from` is inclusive, `to` exclusive. */
export type ReportFilter = {
  workspaceId: string;
  from: Date;
  to: Date;
  status?: OneOrChoice<ReportStatus>;
  reason?: OneOrChoice<Reason>;
  /** Ids of fired rules. */
  rule?: OneOrChoice<string>;
  surface?: OneOrChoice<string>;
  /** ISO 3166-1 alpha-2. Only for members who may see places. */
  country?: OneOrChoice<string>;
  connection?: OneOrChoice<ConnectionType>;
  /** Autonomous system number. Only for members who may see places. */
  asn?: OneOrChoice<number>;
  /** Names as in the Report. */
  browser?: OneOrChoice<string>;
  system?: OneOrChoice<string>;
  webAppId?: OneOrChoice<string>;
  deviceId?: string | undefined;
  /** An address or a range in CIDR notation. Only for members who may see addresses. */
  address?: string | undefined;
  /** `acc_…`. Only for plans with Account Map. */
  accountId?: string | undefined;
  /** An imprint or device id, or a prefix of one. */
  search?: string | undefined;
};

export type ConnectionType = (typeof CONNECTION_TYPES)[number];

/** The verdicts that a filter includes. */
export function statusesOf({ status }: Pick<ReportFilter, "status">): ReportStatus[] {
  const choice = choiceOf(status);
  return REPORT_STATUSES.filter((each) => !choice || choice.values.includes(each) !== choice.isExcluded);
}

/** An inclusive range of `uuid` values. */
export type UuidRange = { column: "event_id" | "device_id"; least: string; greatest: string };

const HEX_DIGITS = 32;

/**
 * Parses a search text: an id or a prefix of one.
 *
 * @throws AppError `invalid_request`
 */
export function parseSearch(search: string): UuidRange {
  const found = /^(imp|dev)_([0-9a-f]{1,32})$/.exec(search.trim().toLowerCase());
  const digits = found?.[2];
  if (!found || digits === undefined) {
    throw new AppError("invalid_request", {
      message: "Expected an imprint (imp_…) or a device id (dev_…), or the beginning of one",
    });
  }
  return {
    column: found[1] === "imp" ? "event_id" : "device_id",
    least: digits.padEnd(HEX_DIGITS, "0"),
    greatest: digits.padEnd(HEX_DIGITS, "f"),
  };
}

/** Position of a visit in the list: its time to the microsecond, then its event id. */
export type Position = { recordedAt: string; eventId: string };

export const formatCursor = ({ recordedAt, eventId }: Position): string => `${recordedAt.replace(" ", "T")}~${eventId}`;

/** Time of a position, rounded down to milliseconds. The database writes UTC offsets of whole hours without minutes. */
export const positionMs = ({ recordedAt }: Position): number =>
  Date.parse(recordedAt.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws AppError `invalid_request` */
export function parseCursor(cursor: string): Position {
  const [recordedAt, eventId] = cursor.split("~");
  if (recordedAt === undefined || eventId === undefined || !isTimestamp(recordedAt) || !UUID.test(eventId))
    throw new AppError("invalid_request", { message: "cursor: not one of this list" });
  return { recordedAt, eventId };
}

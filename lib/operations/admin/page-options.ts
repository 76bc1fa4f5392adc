import { endOfDay, startOfDay } from "@/lib/platform/audit";
import type { ParsedOptions } from "./command";

const A_DATE = "a date such as 2026-11-21";

/** Options of commands that list a log in pages, newest first. */
export const PAGE_OPTIONS = {
  from: { value: "DATE", description: "From this UTC date on, `YYYY-MM-DD`" },
  to: { value: "DATE", description: "To this UTC date (inclusive)" },
  cursor: { value: "CURSOR", description: "`next_cursor` of the previous page" },
  limit: { value: "N", description: "Entries per page, 1 to 200; default 50" },
} as const;

/** The days given as `--from` and `--to`. @throws AppError `invalid_request` */
export const readDays = (given: ParsedOptions) => ({
  from: given.parsed("from", startOfDay, A_DATE),
  to: given.parsed("to", endOfDay, A_DATE),
});

/** @throws AppError `invalid_request` */
export const readPage = (given: ParsedOptions) => ({
  cursor: given.optional("cursor"),
  // A larger number is served as 200.
  limit: given.optionalNumber("limit", { min: 1, mustBe: "a number from 1 to 200" }),
  days: readDays(given),
});

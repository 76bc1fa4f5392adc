import { endOfDay, startOfDay } from "@/lib/platform/audit";
import { AppError } from "@/lib/contract/errors";
import type { Given } from "./command";

/** Options of commands that list a log in pages, newest first. */
export const PAGE_OPTIONS = {
  from: { value: "DATE", description: "From this UTC date on, `YYYY-MM-DD`" },
  to: { value: "DATE", description: "To this UTC date (inclusive)" },
  cursor: { value: "CURSOR", description: "`next_cursor` of the previous page" },
  limit: { value: "N", description: "Entries per page, 1 to 200; default 50" },
} as const;

function readDay(given: Given, name: string, read: (text: string) => Date | undefined): Date | undefined {
  const text = given.optional(name);
  if (text === undefined) return undefined;
  const at = read(text);
  if (!at) throw new AppError("invalid_request", { message: `--${name} must be a date such as 2026-11-21` });
  return at;
}

/** @throws AppError `invalid_request` */
export function readPage(given: Given) {
  const limit = given.optional("limit");
  if (limit !== undefined && !/^[1-9]\d{0,3}$/.test(limit)) {
    throw new AppError("invalid_request", { message: "--limit must be a number from 1 to 200" });
  }
  return {
    cursor: given.optional("cursor"),
    limit: limit === undefined ? undefined : Number(limit),
    days: { from: readDay(given, "from", startOfDay), to: readDay(given, "to", endOfDay) },
  };
}

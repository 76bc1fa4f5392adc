import type { Db } from "@/db/client";
import { findHoursWithVisits, type PreparedFilter } from "@/lib/visits/visit-store";
import { HOUR_MS } from "@/lib/platform/calendar";
import { oftenNarrowest } from "./count-by-slices";
import { type Position, positionMs, statusesOf } from "./domain/report-filter";

/** Narrowing to more ranges than this does not help, as the value occurs nearly all the time. */
const MAX_RANGES = 1_000;

export type TimeRange = { from: Date; to: Date };
type Page = { before: Position | undefined; after: Position | undefined; limit: number };

/** Merges consecutive hours into ranges that end at `until` at the latest. */
function joined(hours: readonly Date[], until: Date): TimeRange[] {
  const ranges: TimeRange[] = [];
  for (const from of hours) {
    const to = new Date(Math.min(from.getTime() + HOUR_MS, until.getTime()));
    const last = ranges.at(-1);
    if (last?.to.getTime() === from.getTime()) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}

/**
 * The time ranges that contain the visits of a list's page, according to the slices. Without them, finding a rare value
 * that the list's index does not contain would scan all other visits. Undefined if the slices cannot tell or it would
 * not help.
 */
export async function narrowBySlices(
  db: Db,
  filter: PreparedFilter,
  { before, after, limit }: Page,
): Promise<TimeRange[] | undefined> {
  const found = oftenNarrowest(filter);
  if (!found || (found.only === undefined && filter.status === undefined)) return undefined;
  const statuses = statusesOf(filter);
  // Cursors are more precise than a millisecond.
  const from = after ? new Date(Math.max(filter.from.getTime(), positionMs(after))) : filter.from;
  const to = before ? new Date(Math.min(filter.to.getTime(), positionMs(before) + 1)) : filter.to;
  if (statuses.length === 0 || from >= to) return undefined;
  const known = await findHoursWithVisits(db, {
    ...{ workspaceId: filter.workspaceId, from, to, only: found.only, statuses },
    enough: found.isExact ? limit : undefined,
    isOldestFirst: after !== undefined,
  });
  if (!known) return undefined;
  const { hours, countedUntil } = known;
  // An hour may be counted in part: its remainder belongs to what is not counted, or its visits would be found twice.
  const ranges = [...joined(hours, countedUntil), ...(countedUntil < to ? [{ from: countedUntil, to }] : [])];
  return ranges.length > MAX_RANGES ? undefined : ranges;
}

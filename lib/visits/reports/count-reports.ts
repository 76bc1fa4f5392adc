import type { Context } from "@/lib/platform/context";
import type { ReportStatus } from "@/lib/contract/report";
import { AppError } from "@/lib/contract/errors";
import type { ReportFilter } from "./domain/report-filter";
import { prepareFilter } from "./prepare-filter";
import { type CountRow, countVisits } from "@/lib/visits/visit-store";

type Counts = Record<ReportStatus, number>;
/** A value that visits have, and how many: the most frequent first. */
export type Facet = { value: string; count: number };
export type ReportCounts = {
  steps: ({ from: Date } & Counts)[];
  total: Counts;
  /** What the visits can be filtered by further. Countries are absent for members who may not see places. */
  facets: { country?: Facet[]; connection: Facet[]; browser: Facet[]; system: Facet[] };
};

const MAX_STEPS = 400;
const MAX_VALUES = 40;

function facetOf(rows: readonly CountRow[], by: Exclude<CountRow["by"], "step">): Facet[] {
  const values = rows.flatMap((row) => {
    const value = row[by];
    return row.by === by && value !== null ? [{ value, count: row.count }] : [];
  });
  return values.sort((a, b) => b.count - a.count || a.value.localeCompare(b.value)).slice(0, MAX_VALUES);
}

/**
 * Visits by status in the steps that begin at `starts`, zeros included, and by what they can be filtered by.
 *
 * @throws AppError not_found, forbidden, account_map_not_allowed, invalid_request
 */
export async function countReports(
  context: Context,
  { starts, ...input }: ReportFilter & { starts: readonly Date[] },
): Promise<ReportCounts> {
  if (!(starts.length >= 1 && starts.length <= MAX_STEPS))
    throw new AppError("invalid_request", { message: `starts: between 1 and ${MAX_STEPS} steps` });
  const { access, filter } = await prepareFilter(context, input);
  const steps = starts.map((from) => ({ from, PASS: 0, SUSPICIOUS: 0, DECEPTIVE: 0 }));
  const total = { PASS: 0, SUSPICIOUS: 0, DECEPTIVE: 0 };
  const rows = await countVisits(context.db, filter, starts);
  for (const { by, step, status, count } of rows) {
    if (by !== "step" || status === null) continue;
    const at = steps[step ?? -1];
    if (at) at[status] += count;
    total[status] += count;
  }
  const facets = {
    ...(access.canSeeAddresses ? { country: facetOf(rows, "country") } : {}),
    connection: facetOf(rows, "connection"),
    browser: facetOf(rows, "browser"),
    system: facetOf(rows, "system"),
  };
  return { steps, total, facets };
}

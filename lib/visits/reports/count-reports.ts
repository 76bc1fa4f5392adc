import { type Context, onReader } from "@/lib/platform/context";
import type { ReportStatus } from "@/lib/contract/report";
import { AppError } from "@/lib/contract/errors";
import { countStepsBySlices, type Facet, listFacets, VERDICT_OF } from "./count-by-slices";
import { type ReportFilter, statusesOf } from "./domain/report-filter";
import { prepareFilter } from "./prepare-filter";
import { countVisits, type PreparedFilter } from "@/lib/visits/visit-store";

type Counts = Record<ReportStatus, number>;
export type ReportCounts = {
  steps: ({ from: Date } & Counts)[];
  total: Counts;
  /** Values to narrow the filter by. Countries are absent for members who may not see places. */
  facets: Record<"rule" | "surface" | "connection" | "browser" | "system", Facet[]> & { country?: Facet[] };
};

const MAX_STEPS = 400;

type Counted = { step: number; status: ReportStatus; count: number };

/**
 * Counts from slices if possible, at constant cost for any number of visits, and otherwise from the visits themselves.
 */
async function countSteps({ db, now }: Context, filter: PreparedFilter, starts: readonly Date[]): Promise<Counted[]> {
  const bySlices = await countStepsBySlices(db, filter, { starts, now });
  if (!bySlices) return await countVisits(db, filter, starts);
  const statuses = statusesOf(filter);
  return bySlices.flatMap(({ step, ...verdicts }) =>
    statuses.map((status) => ({ step, status, count: verdicts[VERDICT_OF[status]] })),
  );
}

/**
 * Counts visits by status for the steps that begin at `starts`, including zeros, and lists values to narrow the filter
 * by.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`
 */
export async function countReports(
  context: Context,
  { starts, ...input }: ReportFilter & { starts: readonly Date[] },
): Promise<ReportCounts> {
  if (!(starts.length >= 1 && starts.length <= MAX_STEPS))
    throw new AppError("invalid_request", { message: `starts: between 1 and ${MAX_STEPS} steps` });
  const { access, filter } = await prepareFilter(context, input);
  const [counted, { country, ...facets }] = await Promise.all([
    countSteps(onReader(context), filter, starts),
    listFacets(onReader(context).db, filter, context.now),
  ]);
  const steps = starts.map((from) => ({ from, PASS: 0, SUSPICIOUS: 0, DECEPTIVE: 0 }));
  const total = { PASS: 0, SUSPICIOUS: 0, DECEPTIVE: 0 };
  for (const { step, status, count } of counted) {
    const at = steps[step];
    if (at) at[status] += count;
    total[status] += count;
  }
  return { steps, total, facets: { ...facets, ...(access.canSeeAddresses ? { country } : {}) } };
}

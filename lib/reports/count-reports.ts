import type { Context } from "@/lib/context";
import type { ReportStatus } from "@/lib/contract/report";
import { AppError } from "@/lib/errors";
import { authorize } from "@/lib/workspaces";
import type { ReportFilter } from "./domain/report-filter";
import { countVisits } from "./queries-console";

type Counts = Record<ReportStatus, number>;
export type ReportCounts = { steps: ({ from: Date } & Counts)[]; total: Counts };

const MOST_STEPS = 400;

/**
 * Visits by status in equal steps of the filter's span, zeros included.
 *
 * @throws AppError not_found, forbidden, invalid_request
 */
export async function countReports(
  context: Context,
  input: ReportFilter & { stepSeconds: number },
): Promise<ReportCounts> {
  const { from, to, stepSeconds } = input;
  const stepCount = Math.ceil((to.getTime() - from.getTime()) / (stepSeconds * 1000));
  if (!(stepCount >= 1 && stepCount <= MOST_STEPS))
    throw new AppError("invalid_request", { message: `stepSeconds: between 1 and ${MOST_STEPS} steps` });
  await authorize(context, input.workspaceId, "report.read");
  const steps = Array.from({ length: stepCount }, (_, index) => ({
    from: new Date(from.getTime() + index * stepSeconds * 1000),
    PASS: 0,
    SUSPICIOUS: 0,
    DECEPTIVE: 0,
  }));
  const total = { PASS: 0, SUSPICIOUS: 0, DECEPTIVE: 0 };
  for (const { step, status, count } of await countVisits(context.db, input, stepSeconds)) {
    const at = steps[step];
    if (at) at[status] += count;
    total[status] += count;
  }
  return { steps, total };
}

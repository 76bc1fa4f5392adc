import type { Context } from "@/lib/platform/context";
import type { Reason } from "@/lib/contract/report";
import type { ReportFilter } from "./domain/report-filter";
import { prepareFilter } from "./prepare-filter";
import { countDevicesAndReasons } from "@/lib/visits/visit-store";

/**
 * How many devices the visits of a filter are of, and how many visits have each reason, the most frequent first.
 *
 * @throws AppError not_found, forbidden, account_map_not_allowed, invalid_request
 */
export async function countReasons(
  context: Context,
  input: ReportFilter,
): Promise<{ devices: number; reasons: Partial<Record<Reason, number>> }> {
  const { filter } = await prepareFilter(context, input);
  return await countDevicesAndReasons(context.db, filter);
}

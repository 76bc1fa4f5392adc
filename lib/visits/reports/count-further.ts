import { type Context, onReader } from "@/lib/platform/context";
import type { Reason } from "@/lib/contract/report";
import { countReasonsBySlices } from "./count-by-slices";
import type { ReportFilter } from "./domain/report-filter";
import { prepareFilter } from "./prepare-filter";
import { type CountedField, countByDevice, countByField, countByReason } from "@/lib/visits/visit-store";

/** Devices are counted over no more visits than these: each of them is read. */
export const MAX_COUNTED_BY_DEVICE = 2_000;
const BUSIEST = 3;
/** Values are counted over no more visits than these: an index is read through. */
const MAX_COUNTED_BY_FIELD = 200_000;

export type FurtherCounts = {
  reasons: Partial<Record<Reason, number>>;
  /** By what visits can be filtered by, the most frequent values first; nothing for too many visits. */
  byField: { field: CountedField; value: string; visits: number }[] | undefined;
  /** Nothing when there are more than `MAX_COUNTED_BY_DEVICE` visits. */
  byDevice: { devices: number; busiest: { deviceId: string; visits: number }[] } | undefined;
};

/**
 * How many visits of a filter have each reason, and of how many devices they are.
 *
 * @param total of the visits, as `countReports` counted them
 * @throws AppError not_found, forbidden, account_map_not_allowed, invalid_request
 */
export async function countFurther(
  context: Context,
  { total, ...input }: ReportFilter & { total: number },
): Promise<FurtherCounts> {
  const { access, filter } = await prepareFilter(context, input);
  const { db } = onReader(context);
  const [reasons, fields, byDevice] = await Promise.all([
    countReasonsBySlices(db, filter, context.now).then((reasons) => reasons ?? countByReason(db, filter)),
    total > MAX_COUNTED_BY_FIELD ? undefined : countByField(db, filter),
    total > MAX_COUNTED_BY_DEVICE ? undefined : countByDevice(db, filter, BUSIEST),
  ]);
  const byField = fields?.filter(({ field }) => access.canSeeAddresses || field !== "country");
  return { reasons, byField, byDevice };
}

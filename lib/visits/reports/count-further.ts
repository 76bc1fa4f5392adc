import { type Context, onReader } from "@/lib/platform/context";
import type { Reason } from "@/lib/contract/report";
import { countReasonsBySlices } from "./count-by-slices";
import type { ReportFilter } from "./domain/report-filter";
import { prepareFilter } from "./prepare-filter";
import { type CountedField, countByDevice, countByField, countByReason } from "@/lib/visits/visit-store";

/** Maximum number of visits for counting devices, since every visit is read. */
export const MAX_COUNTED_BY_DEVICE = 2_000;
const BUSIEST = 3;
/** Maximum number of visits for counting values, since an index is scanned. */
const MAX_COUNTED_BY_FIELD = 200_000;

export type FurtherCounts = {
  reasons: Partial<Record<Reason, number>>;
  /** Counts by filterable field, most frequent values first. Undefined if there are too many visits. */
  byField: { field: CountedField; value: string; visits: number }[] | undefined;
  /** Undefined if there are more than `MAX_COUNTED_BY_DEVICE` visits. */
  byDevice: { devices: number; busiest: { deviceId: string; visits: number }[] } | undefined;
};

/**
 * Counts a filter's visits by reason, field and device.
 *
 * @param total number of visits, from `countReports`
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`
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

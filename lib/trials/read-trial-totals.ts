import { type Context, requireOperator } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { sumDays, sumIncome } from "./queries-purchases";

const MAX_DAYS = 400;

/**
 * Purchases, payments and refunds by UTC day, and amounts by token, for the last `days` days.
 *
 * @throws AppError `forbidden`, `invalid_request`
 */
export async function readTrialTotals(context: Context, { days }: { days: number }) {
  requireOperator(context);
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new AppError("invalid_request", { message: `days must be a whole number from 1 to ${MAX_DAYS}` });
  const [byDay, income] = await Promise.all([sumDays(context.db, days), sumIncome(context.db, days)]);
  return { days: byDay, income };
}

import { fileAnswer } from "@/app/_server/file-route";
import { defineSessionRoute } from "@/app/_server/session-route";
import { readTrialTotals } from "@/lib/trials";

const DAYS = 365;

/** Purchases, payments and refunds of a year by UTC day, for bookkeeping. Only dates and numbers: nothing to escape. */
export const GET = defineSessionRoute(async (context) => {
  const { days } = await readTrialTotals(context, { days: DAYS });
  const lines = days.map((day) => [day.date, day.intents, day.paid, day.failed, day.refunded].join(","));
  const text = ["day,purchases,paid,failed,refunded", ...lines, ""].join("\r\n");
  return fileAnswer(`trials-${days.at(-1)?.date ?? "none"}.csv`, "text/csv", text);
});

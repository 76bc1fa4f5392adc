import { counted } from "@/components/ui/counted";
import type { Alert } from "@/lib/visits/alerts";

type Condition = Pick<Alert, "condition" | "threshold" | "windowMinutes">;

/** `hour`, `90 minutes`, `24 hours` */
const spanText = (minutes: number): string =>
  minutes === 60 ? "hour" : minutes % 60 === 0 ? counted(minutes / 60, "hour") : counted(minutes, "minute");

/** What raises an alert, after the name of its view. */
export function conditionText({ condition, threshold, windowMinutes }: Condition): string {
  const span = spanText(windowMinutes);
  return condition === "number"
    ? `more than ${counted(threshold, "visit")} within ${windowMinutes === 60 ? "an hour" : span}`
    : `more than ${threshold} % of the mean of the same ${span} in the last four weeks`;
}

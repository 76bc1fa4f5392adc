import { filterHref, type RawQuery } from "@/components/ui/filter-texts";

/** The query string of the Usage page. */
export type UsageQuery = {
  /** UTC month, `YYYY-MM`. */
  month: string;
  webAppId: string | undefined;
  keyId: string | undefined;
};

const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** The month that is `steps` after `month`. */
export function shiftMonth(month: string, steps: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + steps, 1)));
}

/** Unknown values are ignored; a future month becomes the current one. */
export function readUsageQuery(params: RawQuery, now: Date): UsageQuery {
  const id = (name: string, pattern: RegExp) => {
    const value = params[name];
    return typeof value === "string" && pattern.test(value) ? value : undefined;
  };
  const current = monthOf(now);
  const month = id("month", /^20\d\d-(0[1-9]|1[0-2])$/);
  return {
    month: month === undefined || month > current ? current : month,
    webAppId: id("web_app", /^app_[0-9a-f]{32}$/),
    keyId: id("key", /^key_[0-9a-f]{32}$/),
  };
}

/** First and last day of the month; the last is not after `now`. */
export function usageRange({ month }: UsageQuery, now: Date): { from: string; to: string } {
  const last = new Date(Date.parse(`${shiftMonth(month, 1)}-01T00:00:00Z`) - 1).toISOString().slice(0, 10);
  const today = now.toISOString().slice(0, 10);
  return { from: `${month}-01`, to: last < today ? last : today };
}

export const usageHref = (path: string, { month, webAppId, keyId }: Partial<UsageQuery>): string =>
  filterHref(path, { month, web_app: webAppId, key: keyId });

const MONTHS = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** `November 2026` */
export const monthName = (month: string): string => MONTHS.format(new Date(`${month}-01T00:00:00Z`));

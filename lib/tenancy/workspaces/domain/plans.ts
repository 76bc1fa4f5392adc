const PLANS = ["trial", "lite", "pro", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];

/** The plans that an operator can set; `trial` comes with a purchased trial only. */
export const COMMERCIAL_PLANS = ["lite", "pro", "enterprise"] as const satisfies readonly Plan[];

type PlanLimits = {
  /** Of each API key. */
  requestsPerSecond: number;
  /** Report units of each period; null is unlimited. */
  reportUnits: number | null;
  unitPeriod: "month" | "total";
  /** Longest range of History in days; 0 when the plan has none. */
  historyDays: number;
  hasAccountMap: boolean;
};

export const PLAN_LIMITS = {
  trial: { requestsPerSecond: 5, reportUnits: 100, unitPeriod: "total", historyDays: 0, hasAccountMap: false },
  lite: { requestsPerSecond: 10, reportUnits: 20_000, unitPeriod: "month", historyDays: 0, hasAccountMap: false },
  pro: { requestsPerSecond: 50, reportUnits: 500_000, unitPeriod: "month", historyDays: 90, hasAccountMap: true },
  enterprise: { requestsPerSecond: 200, reportUnits: null, unitPeriod: "month", historyDays: 365, hasAccountMap: true },
} as const satisfies Record<Plan, PlanLimits>;

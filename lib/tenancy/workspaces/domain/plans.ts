const PLANS = ["trial", "lite", "pro", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];

/** Plans that an operator can set; `trial` comes only with a purchased trial. */
export const COMMERCIAL_PLANS = ["lite", "pro", "enterprise"] as const satisfies readonly Plan[];

type PlanLimits = {
  /** Per API key. */
  requestsPerSecond: number;
  /** Report units per period; null is unlimited. */
  reportUnits: number | null;
  unitPeriod: "month" | "total";
  /** Longest range of History in days; 0 if the plan has no History. */
  historyDays: number;
  hasAccountMap: boolean;
};

export const PLAN_LIMITS = {
  trial: { requestsPerSecond: 5, reportUnits: 100, unitPeriod: "total", historyDays: 0, hasAccountMap: false },
  lite: { requestsPerSecond: 10, reportUnits: 20_000, unitPeriod: "month", historyDays: 0, hasAccountMap: false },
  pro: { requestsPerSecond: 50, reportUnits: 500_000, unitPeriod: "month", historyDays: 90, hasAccountMap: true },
  enterprise: { requestsPerSecond: 200, reportUnits: null, unitPeriod: "month", historyDays: 365, hasAccountMap: true },
} as const satisfies Record<Plan, PlanLimits>;

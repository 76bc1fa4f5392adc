import { DAY_MS, parseDay } from "@/lib/platform/calendar";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { uuidToId } from "@/lib/contract/ids";
import { authorize, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import type { UsageOperation } from "./call";
import type { UsageOutcome } from "./domain/outcome";
import { sumUsage, type UsageLine } from "./queries";
import { findUnits } from "./queries-units";

/** Outcomes without calls are omitted. */
export type UsageCount = { units: number; calls: number; outcomes: Partial<Record<UsageOutcome, number>> };

export type Usage = {
  /** UTC days, inclusive. */
  range: { from: string; to: string; days: number };
  /** Report units of the current month; `limit` and `remaining` are null for a plan without a limit. */
  month: { period: string; used: number; limit: number | null; remaining: number | null };
  total: UsageCount;
  /** Every day of the range in order, including days without usage. */
  days: ({ date: string } & UsageCount)[];
  /** Busiest first; null collects calls without a key. */
  keys: ({ keyId: string | null } & UsageCount)[];
  /** Busiest first; null collects calls that did not reach a Web App. */
  webApps: ({ webAppId: string | null } & UsageCount)[];
  /** Busiest first. */
  operations: ({ operation: UsageOperation } & UsageCount)[];
};

type Input = {
  workspaceId: string;
  /** First and last day, `YYYY-MM-DD`, UTC; defaults to the current month. */
  from?: string | undefined;
  to?: string | undefined;
  /** Restricts the result to one key or one Web App. */
  keyId?: string | undefined;
  webAppId?: string | undefined;
};

const MAX_DAYS = 400;

const startOf = (day: string): number => parseDay(day)?.getTime() ?? Number.NaN;

function requireRange({ from, to }: { from: string; to: string }) {
  const days = (startOf(to) - startOf(from)) / DAY_MS + 1;
  if (Number.isNaN(days)) throw new AppError("invalid_request", { message: "from and to are dates, YYYY-MM-DD" });
  if (days < 1) throw new AppError("invalid_request", { message: "from is after to" });
  if (days > MAX_DAYS) throw new AppError("invalid_request", { message: `from and to: at most ${MAX_DAYS} days` });
  return { from, to, days };
}

const empty = (): UsageCount => ({ units: 0, calls: 0, outcomes: {} });

function add(count: UsageCount, line: UsageLine): void {
  count.units += line.units;
  count.calls += line.calls;
  if (line.calls > 0) count.outcomes[line.outcome] = (count.outcomes[line.outcome] ?? 0) + line.calls;
}

/** Counts of one dimension, grouped by `valueOf`, busiest first. */
function group<T extends string | null>(
  lines: readonly UsageLine[],
  by: UsageLine["by"],
  valueOf: (line: UsageLine) => T,
) {
  const counts = new Map<T, UsageCount>();
  for (const line of lines.filter((each) => each.by === by)) {
    const value = valueOf(line);
    const count = counts.get(value) ?? empty();
    add(count, line);
    counts.set(value, count);
  }
  return [...counts].sort(([, a], [, b]) => b.calls - a.calls || b.units - a.units);
}

/**
 * Units and calls of a workspace by day, key, Web App and operation, each by outcome. Units are always exact; calls lag by
 * about a second.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function readUsage(context: Context, input: Input): Promise<Usage> {
  const { plan } = await authorize(context, input.workspaceId, "usage.read");
  if ((input.from === undefined) !== (input.to === undefined))
    throw new AppError("invalid_request", { message: "from and to are given together" });
  const { period, used, today } = await findUnits(context.db, input.workspaceId);
  const range = requireRange({ from: input.from ?? `${period}-01`, to: input.to ?? today });
  const lines = await sumUsage(context.db, { ...input, ...range });
  const total = empty();
  const byDay = new Map(group(lines, "day", (line) => line.day ?? ""));
  for (const line of lines) if (line.by === "day") add(total, line);
  const limit = PLAN_LIMITS[plan].reportUnits;
  const idOf = (kind: "apiKey" | "webApp", uuid: string | null) => (uuid === null ? null : uuidToId(kind, uuid));
  return {
    range,
    month: { period, used, limit, remaining: limit === null ? null : Math.max(0, limit - used) },
    total,
    days: Array.from({ length: range.days }, (_, index) => {
      const date = new Date(startOf(range.from) + index * DAY_MS).toISOString().slice(0, 10);
      return { date, ...(byDay.get(date) ?? empty()) };
    }),
    keys: group(lines, "key", (line) => idOf("apiKey", line.key_id)).map(([keyId, count]) => ({ keyId, ...count })),
    webApps: group(lines, "webApp", (line) => idOf("webApp", line.web_app_id)).map(([webAppId, count]) => ({
      webAppId,
      ...count,
    })),
    operations: group(lines, "operation", (line) => line.operation ?? "readReport").map(([operation, count]) => ({
      operation,
      ...count,
    })),
  };
}
